/* narrow.c: transforms of the 16-bit types, which are computed in single precision. */
#include <string.h>

#include "local/fftw/fft.h"

static int halves(const mfft_fft_spec *s) { return s->type == MFFT_FFT_R2C || s->type == MFFT_FFT_C2R; }

/* Real numbers in each unit of the strides of the workspace: elements of R2R, complex numbers otherwise. */
static size_t unit_of(const mfft_fft_spec *s) { return s->type == MFFT_FFT_R2R ? 1 : 2; }

/* Bytes of one transform in the workspace.  A piece holds transforms one after another, with axes in the order of the
 * caller's strides.  R2C and C2R have the last axis innermost, in rows with space for n real or n/2 + 1 complex numbers. */
static size_t bytes_of(const mfft_fftw_fft *f) {
  const mfft_fft_spec *s = &f->spec;
  size_t bytes = unit_of(s) * sizeof(float);
  for (int a = 0; a < s->naxes; a++) bytes *= (size_t)(halves(s) && a == s->naxes - 1 ? s->axis[a].n / 2 + 1 : s->axis[a].n);
  return bytes;
}

typedef struct packed_dim {
  const mfft_dim *from;
  mfft_dim *to;
} packed_dim;

static mfft_status prepare(mfft_fftw_fft *f, mfft_fftw_part *p) {
  const mfft_fft_spec *s = &f->spec;
  const int real_in = s->type == MFFT_FFT_R2C, real_out = s->type == MFFT_FFT_C2R, halved = halves(s);
  const int last = s->naxes - 1;
  mfft_dim loop[MFFT_MAX_LOOPS]; /* [loops of a piece] */
  const int nloops = mfft_fftw_piece_loops(f, p, loop);
  mfft_fftw_problem problem = {
      .type = s->type, .direction = s->direction, .in_place = 1, .naxes = s->naxes, .nloops = nloops};

  memcpy(problem.kind, s->kind, sizeof problem.kind);

  /* Dimensions in ascending order of input strides. */
  packed_dim order[3 + MFFT_MAX_LOOPS]; /* [axes and loops, fast to slow] */
  int dims = 0;
  for (int i = 0; i < s->naxes + nloops; i++) {
    const packed_dim d = i < s->naxes ? (packed_dim){&s->axis[i], &problem.axis[i]}
                                      : (packed_dim){&loop[i - s->naxes], &problem.loop[i - s->naxes]};
    if (halved && i == last) continue;
    int at = dims++;
    for (; at > 0 && order[at - 1].from->is > d.from->is; at--) order[at] = order[at - 1];
    order[at] = d;
  }
  int64_t stride = 1; /* units */
  if (halved) {
    problem.axis[last] = (mfft_dim){s->axis[last].n, 1, 1};
    stride = s->axis[last].n / 2 + 1;
  }
  for (int i = 0; i < dims; i++) {
    *order[i].to = (mfft_dim){order[i].from->n, real_in ? 2 * stride : stride, real_out ? 2 * stride : stride};
    stride *= order[i].from->n;
  }

  p->load.parts = mfft_fft_parts(s->type, 0);
  p->store.parts = mfft_fft_parts(s->type, 1);
  for (int a = 0; a < s->naxes; a++) {
    mfft_fftw_walk_add(&p->load, mfft_fft_length(s, a, 0), s->axis[a].is, problem.axis[a].is);
    mfft_fftw_walk_add(&p->store, mfft_fft_length(s, a, 1), s->axis[a].os, problem.axis[a].os);
  }
  for (int l = 0; l < nloops; l++) {
    mfft_fftw_walk_add(&p->load, loop[l].n, loop[l].is, problem.loop[l].is);
    mfft_fftw_walk_add(&p->store, loop[l].n, loop[l].os, problem.loop[l].os);
  }
  mfft_fftw_walk_finish(&p->load);
  mfft_fftw_walk_finish(&p->store);
  p->work_count = stride * (int64_t)unit_of(s);
  mfft_fftw_want_work(f, (size_t)p->work_count * sizeof(float));
  return mfft_fftw_step(f, &problem, &p->step[0]);
}

typedef struct narrow_context {
  const mfft_half_rows *half;
  int parts;
  float scale;
  uint16_t *stored;
  float *work;
} narrow_context;

static void load_row(const void *context, int64_t n, int64_t is, int64_t os, int64_t at_is, int64_t at_os) {
  const narrow_context *c = context;
  const int64_t r = c->parts;
  c->half->to_float(n, c->parts, c->stored + at_is * r, is * r, c->work + at_os * r, os * r);
}

static void store_row(const void *context, int64_t n, int64_t is, int64_t os, int64_t at_is, int64_t at_os) {
  const narrow_context *c = context;
  const int64_t r = c->parts;
  c->half->of_float(n, c->parts, c->scale, c->work + at_os * r, os * r, c->stored + at_is * r, is * r);
}

static void run(const mfft_fftw_fft *f, const mfft_fftw_part *p, const void *in, void *out, void *work) {
  if (mfft_fft_pads(&f->spec)) memset(work, 0, (size_t)p->work_count * sizeof(float));
  mfft_fftw_walk_run(&p->load, load_row, &(narrow_context){f->half, p->load.parts, 1, (uint16_t *)in, work});
  mfft_fftw_plan_run(&p->step[0], work, work);
  mfft_fftw_walk_run(&p->store, store_row, &(narrow_context){f->half, p->store.parts, (float)f->spec.scale, out, work});
}

const mfft_fftw_mode mfft_fftw_narrow = {"narrow", 1, bytes_of, mfft_fftw_cached_of_threads, prepare, run};
