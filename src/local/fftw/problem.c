/* problem.c: see problem.h. */
#include "local/fftw/problem.h"

/* Number of elements of axis `a` on one side. */
static int64_t side_length(const mfft_fftw_problem *p, int a, int output) {
  int halved = p->type == (output ? MFFT_FFT_R2C : MFFT_FFT_C2R) && a == p->naxes - 1;
  return halved ? p->axis[a].n / 2 + 1 : p->axis[a].n;
}

static size_t element_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *p, int output) {
  return (size_t)mfft_fft_parts(p->type, output) * api->real_bytes;
}

size_t mfft_fftw_problem_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *p, int output) {
  size_t bytes = element_bytes(api, p, output);
  for (int a = 0; a < p->naxes; a++) bytes *= (size_t)side_length(p, a, output);
  for (int l = 0; l < p->nloops; l++) bytes *= (size_t)p->loop[l].n;
  return bytes;
}

size_t mfft_fftw_problem_span(const mfft_fftw_api *api, const mfft_fftw_problem *p, int output) {
  int64_t last = 0;
  for (int a = 0; a < p->naxes; a++) last += (side_length(p, a, output) - 1) * (output ? p->axis[a].os : p->axis[a].is);
  for (int l = 0; l < p->nloops; l++) last += (p->loop[l].n - 1) * (output ? p->loop[l].os : p->loop[l].is);
  return (size_t)(last + 1) * element_bytes(api, p, output);
}
