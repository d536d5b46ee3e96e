/* pieces.c: divides loops into pieces, and runs loop nests over elements. */
#include "local/fftw/pieces.h"

static int64_t near(const mfft_dim *d) { return d->is < d->os ? d->is : d->os; }

mfft_fftw_pieces mfft_fftw_cut(const mfft_fft_spec *spec, size_t bytes, size_t wanted) {
  mfft_fftw_pieces p = {.cut = {1, 0, 0}, .run = 1};
  mfft_dim loop[MFFT_MAX_LOOPS]; /* [nloops] in descending order of strides */
  for (int i = 0; i < spec->nloops; i++) {
    int j = i;
    for (; j > 0 && near(&loop[j - 1]) < near(&spec->loop[i]); j--) loop[j] = loop[j - 1];
    loop[j] = spec->loop[i];
  }

  int l = spec->nloops - 1;
  for (; l >= 0 && (int64_t)(wanted / bytes) >= loop[l].n; l--) {
    p.inner[p.ninner++] = loop[l];
    bytes *= (size_t)loop[l].n;
  }
  if (l < 0) return p;
  int64_t run = (int64_t)(wanted / bytes);
  p.cut = loop[l];
  if (run > 1) {
    /* Pieces have nearly equal sizes, and an even number of iterations, which keeps single precision aligned. */
    int64_t count = (p.cut.n + run - 1) / run;
    p.run = (p.cut.n + count - 1) / count;
    p.run += p.run % 2;
  }
  for (int i = 0; i < l; i++) p.outer[p.nouter++] = loop[i];
  return p;
}

int mfft_fftw_pieces_aligned(const mfft_fftw_pieces *p, size_t in_element, size_t out_element) {
  size_t off = 0;
  if (p->cut.n > p->run) off |= (size_t)(p->run * p->cut.is) * in_element | (size_t)(p->run * p->cut.os) * out_element;
  for (int l = 0; l < p->nouter; l++) off |= (size_t)p->outer[l].is * in_element | (size_t)p->outer[l].os * out_element;
  return off % 16 == 0;
}

void mfft_fftw_walk_add(mfft_fftw_walk *w, int64_t n, int64_t is, int64_t os) {
  if (n == 1) return;
  int at = w->dims++;
  for (; at > 0 && w->dim[at - 1].is < is; at--) w->dim[at] = w->dim[at - 1];
  w->dim[at] = (mfft_dim){n, is, os};
}

void mfft_fftw_walk_finish(mfft_fftw_walk *w) {
  w->dims = mfft_join_dims(w->dim, w->dims);
  if (!w->dims) w->dim[w->dims++] = (mfft_dim){1, 1, 1};
}

void mfft_fftw_walk_run(const mfft_fftw_walk *w, mfft_fftw_row row, const void *context) {
  const mfft_dim last = w->dim[w->dims - 1];
  int64_t index[3 + MFFT_FFTW_LOOPS] = {0}, at_is = 0, at_os = 0;
  for (;;) {
    row(context, last.n, last.is, last.os, at_is, at_os);
    int d = w->dims - 2;
    for (; d >= 0; d--) {
      at_is += w->dim[d].is, at_os += w->dim[d].os;
      if (++index[d] < w->dim[d].n) break;
      at_is -= w->dim[d].n * w->dim[d].is, at_os -= w->dim[d].n * w->dim[d].os;
      index[d] = 0;
    }
    if (d < 0) return;
  }
}
