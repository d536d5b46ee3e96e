/* cosine.c: see cosine.h.
 *
 *     DCT-II   v[m] = x[2 m], v[n - 1 - m] = x[2 m + 1];  V = DFT of v;  2 exp(-i pi k/(2 n)) V[k] = y[k] - i y[n - k]
 *     DCT-III  the same backward: V[k] = exp(i pi k/(2 n)) (x[k] - i x[n - k]), with x[n] = 0;  v = DFT of V;  x from v
 *     DST-II   the DCT-II of (-1)^j x[j], in reverse sequence
 *     DST-III  the DCT-III of x in reverse sequence, times (-1)^j */
#include "local/fftw/cosine.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"

static int is_second(mfft_axis_kind kind) { return kind == MFFT_DCT2 || kind == MFFT_DST2; }
static int is_sine(mfft_axis_kind kind) { return kind == MFFT_DST2 || kind == MFFT_DST3; }

enum { SHORTEST = 40 }; /* FFTW is faster for 32 points and fewer, which are one or two codelets */

int mfft_fftw_cosine_suits(mfft_axis_kind kind, int64_t n) {
  return n >= SHORTEST && (is_second(kind) || kind == MFFT_DCT3 || kind == MFFT_DST3);
}

mfft_status mfft_fftw_cosine_create(const mfft_fftw_api *api, mfft_axis_kind kind, int64_t n, mfft_fftw_cosine *cosine) {
  const size_t bytes = 2 * (size_t)(n / 2 + 1) * api->real_bytes;
  *cosine = (mfft_fftw_cosine){.api = api, .kind = kind, .n = n, .roots = malloc(bytes)};
  if (!cosine->roots) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the roots of a cosine transform (%zu bytes)", bytes);
  api->quarter_roots(n, is_second(kind) ? 2 : 1, is_sine(kind), cosine->roots);
  return MFFT_SUCCESS;
}

void mfft_fftw_cosine_free(mfft_fftw_cosine *cosine) {
  free(cosine->roots);
  memset(cosine, 0, sizeof *cosine);
}

mfft_fftw_problem mfft_fftw_cosine_problem(const mfft_fftw_cosine *cosine) {
  const int forward = is_second(cosine->kind);
  return (mfft_fftw_problem){.type = forward ? MFFT_FFT_R2C : MFFT_FFT_C2R,
                             .direction = forward ? MFFT_FORWARD : MFFT_BACKWARD,
                             .destroy_input = 1,
                             .naxes = 1,
                             .axis = {{cosine->n, 1, 1}}};
}

/* Bytes of a half of the workspace: n/2 + 1 complex numbers. */
static size_t half_bytes(const mfft_fftw_api *api, int64_t n) {
  return mfft_whole_lines(2 * (size_t)(n / 2 + 1) * api->real_bytes);
}

size_t mfft_fftw_cosine_bytes(const mfft_fftw_api *api, int64_t n) { return 2 * half_bytes(api, n); }

void mfft_fftw_cosine_run(const mfft_fftw_cosine *c, const mfft_fftw_plan *dft, const void *in, void *out, void *work) {
  const int sine = is_sine(c->kind);
  void *spectrum = (char *)work + half_bytes(c->api, c->n);
  if (is_second(c->kind)) {
    c->api->fold(c->n, sine, in, work);
    mfft_fftw_plan_run(dft, work, spectrum);
    c->api->cosines_of_spectrum(c->n, sine, c->roots, spectrum, out);
  } else {
    c->api->spectrum_of_cosines(c->n, sine, c->roots, in, spectrum);
    mfft_fftw_plan_run(dft, spectrum, work);
    c->api->unfold(c->n, sine, work, out);
  }
}
