/* staged.c: C2R of several axes that preserves its input, by a C2C to the workspace and a C2R from there. */
#include "local/fftw/fft.h"

/* An even number of complex numbers keeps every row aligned. */
static int64_t row_length(const mfft_fftw_fft *f) {
  int64_t row = f->spec.axis[f->spec.naxes - 1].n / 2 + 1;
  return row + row % 2;
}

static size_t bytes_of(const mfft_fftw_fft *f) {
  size_t bytes = (size_t)row_length(f) * f->in_element;
  for (int a = 0; a < f->spec.naxes - 1; a++) bytes *= (size_t)f->spec.axis[a].n;
  return bytes;
}

static mfft_status prepare(mfft_fftw_fft *f, mfft_fftw_part *p) {
  const mfft_fft_spec *s = &f->spec;
  const int last = s->naxes - 1;
  mfft_dim loop[MFFT_MAX_LOOPS]; /* [loops of a piece] */
  const int nloops = mfft_fftw_piece_loops(f, p, loop);
  mfft_fftw_problem first = {.type = MFFT_FFT_C2C, .direction = s->direction, .naxes = last};
  mfft_fftw_problem second = {.type = MFFT_FFT_C2R, .direction = s->direction, .destroy_input = 1, .naxes = 1};

  first.loop[first.nloops++] = (mfft_dim){s->axis[last].n / 2 + 1, s->axis[last].is, 1};
  second.axis[0] = (mfft_dim){s->axis[last].n, 1, s->axis[last].os};
  int64_t stride = row_length(f);
  for (int a = last - 1; a >= 0; a--) {
    first.axis[a] = (mfft_dim){s->axis[a].n, s->axis[a].is, stride};
    second.loop[second.nloops++] = (mfft_dim){s->axis[a].n, stride, s->axis[a].os};
    stride *= s->axis[a].n;
  }
  for (int l = 0; l < nloops; l++) {
    first.loop[first.nloops++] = (mfft_dim){loop[l].n, loop[l].is, stride};
    second.loop[second.nloops++] = (mfft_dim){loop[l].n, stride, loop[l].os};
    stride *= loop[l].n;
  }
  mfft_fftw_want_work(f, (size_t)stride * f->in_element);
  mfft_fftw_scale_prepare(f, p);
  MFFT_TRY(mfft_fftw_step(f, &first, &p->step[0]));
  return mfft_fftw_step(f, &second, &p->step[1]);
}

static void run(const mfft_fftw_fft *f, const mfft_fftw_part *p, const void *in, void *out, void *work) {
  mfft_fftw_plan_run(&p->step[0], in, work);
  mfft_fftw_plan_run(&p->step[1], work, out);
  mfft_fftw_scale_run(f, p, out);
}

const mfft_fftw_mode mfft_fftw_staged = {"staged", 0, bytes_of, mfft_fftw_cached_of_threads, prepare, run};
