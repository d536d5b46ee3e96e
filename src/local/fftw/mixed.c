/* mixed.c: transforms with cosines or sines on some axes and DFTs on others, or with cosines and sines of complex numbers.
 *
 * Transforms of different axes commute.  In both directions the DFTs therefore come first, from in to out, also if they
 * halve an axis.  Cosines and sines follow in place in out, separately on real and imaginary parts. */
#include <string.h>

#include "local/fftw/fft.h"

int mfft_fftw_is_mixed(const mfft_fft_spec *s) { return mfft_fft_has_kinds(s) && s->type != MFFT_FFT_R2R; }

/* A piece fits in the cache, where it stays between the two transforms. */
static size_t wanted(const mfft_fftw_fft *f, size_t bytes) {
  (void)f, (void)bytes;
  return MFFT_FFTW_CACHED;
}

static void add_loop(mfft_fft_spec *c, mfft_dim dim) {
  if (dim.n > 1) c->loop[c->nloops++] = dim;
}

/* The fields that the specs of both transforms have in common. */
static mfft_fft_spec begin(const mfft_fft_spec *s) {
  mfft_fft_spec c;
  memset(&c, 0, sizeof c);
  c.direction = s->direction;
  c.precision = s->precision;
  c.scale = 1;
  c.in_place = s->in_place;
  c.destroy_input = s->destroy_input;
  c.effort = s->effort;
  c.deadline = s->deadline;
  c.threads = s->threads;
  return c;
}

/* The DFTs of a piece, from in to out. */
static mfft_fft_spec dft_axes(const mfft_fft_spec *s, int nloops, const mfft_dim *loop /* [nloops] */) {
  mfft_fft_spec c = begin(s);
  c.type = s->type;
  for (int l = 0; l < nloops; l++) add_loop(&c, loop[l]);
  for (int a = 0; a < s->naxes; a++)
    if (s->kind[a] == MFFT_DFT)
      c.axis[c.naxes++] = s->axis[a];
    else
      add_loop(&c, s->axis[a]);
  return c;
}

/* Adds a loop over the parts of each element, which is merged with a loop over contiguous elements if there is one. */
static void add_parts(mfft_fft_spec *c, int parts) {
  if (parts == 1) return;
  for (int l = 0; l < c->nloops; l++)
    if (c->loop[l].is == parts && c->loop[l].os == parts) {
      c->loop[l] = (mfft_dim){parts * c->loop[l].n, 1, 1};
      return;
    }
  c->loop[c->nloops++] = (mfft_dim){parts, 1, 1};
}

/* The cosines and sines of a piece: in place in out, or, alone, from in to out. */
static mfft_fft_spec other_axes(const mfft_fft_spec *s, int alone, int nloops, const mfft_dim *loop /* [nloops] */) {
  const int parts = mfft_fft_parts(s->type, 1);
  mfft_fft_spec c = begin(s);
  c.type = MFFT_FFT_R2R;
  mfft_fft_set_scale(&c, s->scale, s->scale_rest);
  c.in_place = alone ? s->in_place : 1;
  for (int d = 0; d < nloops + s->naxes; d++) {
    const int a = d - nloops;
    mfft_dim dim = a < 0 ? loop[d] : s->axis[a];
    dim.is = parts * (alone ? dim.is : dim.os);
    dim.os *= parts;
    if (a >= 0 && s->kind[a] != MFFT_DFT) {
      c.kind[c.naxes] = s->kind[a];
      c.axis[c.naxes++] = dim;
      continue;
    }
    if (a >= 0) dim.n = mfft_fft_length(s, a, 1);
    add_loop(&c, dim);
  }
  add_parts(&c, parts);
  return c;
}

static mfft_status prepare(mfft_fftw_fft *f, mfft_fftw_part *p) {
  const mfft_fft_spec *s = &f->spec;
  mfft_dim loop[MFFT_MAX_LOOPS]; /* [nloops] loops of a piece */
  const int nloops = mfft_fftw_piece_loops(f, p, loop);
  const mfft_fft_spec dfts = dft_axes(s, nloops, loop);
  const mfft_fft_spec others = other_axes(s, dfts.naxes == 0, nloops, loop);
  if (dfts.naxes) MFFT_TRY(f->base.backend->fft_create(&dfts, &p->child[0]));
  MFFT_TRY(f->base.backend->fft_create(&others, &p->child[1]));
  for (int c = 0; c < 2; c++)
    if (p->child[c]) mfft_fftw_want_work(f, p->child[c]->work_bytes);
  return MFFT_SUCCESS;
}

static void run(const mfft_fftw_fft *f, const mfft_fftw_part *p, const void *in, void *out, void *work) {
  if (p->child[0]) f->base.backend->fft_execute(p->child[0], in, out, work, NULL);
  f->base.backend->fft_execute(p->child[1], p->child[0] ? out : in, out, work, NULL);
}

const mfft_fftw_mode mfft_fftw_mixed = {"mixed", 0, mfft_fftw_transform_bytes, wanted, prepare, run};
