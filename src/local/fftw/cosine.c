/* cosine.c: see cosine.h.
 *
 *     DCT-I    e = x and its mirror image, 2 m points; m odd: z[i] = e[2 i] + i e[m + 2 i], Z = DFT of z of m points;
 *              y[k] = Re Z[k] + (-1)^k Im Z[k], y[m - k] = Re Z[k] - (-1)^k Im Z[k].  m even: y[k] = Re of the DFT of e
 *     DST-I    the same with e[0] = e[m] = 0 and the negative image: y[k - 1] = (-1)^k Re Z[k] - Im Z[k],
 *              y[m - k - 1] = (-1)^k Re Z[k] + Im Z[k].  m even: y[k - 1] = -Im of the DFT of e
 *     DCT-II   v[m] = x[2 m], v[n - 1 - m] = x[2 m + 1];  V = DFT of v;  2 exp(-i pi k/(2 n)) V[k] = y[k] - i y[n - k]
 *     DCT-III  the same backward: V[k] = exp(i pi k/(2 n)) (x[k] - i x[n - k]), with x[n] = 0;  v = DFT of V;  x from v
 *     DST-II   the DCT-II of (-1)^j x[j], in reverse sequence
 *     DST-III  the DCT-III of x in reverse sequence, times (-1)^j */
#include "local/fftw/cosine.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"

static int is_second(mfft_axis_kind kind) { return kind == MFFT_DCT2 || kind == MFFT_DST2; }
static int is_sine(mfft_axis_kind kind) { return kind == MFFT_DST1 || kind == MFFT_DST2 || kind == MFFT_DST3; }

static int is_first(mfft_axis_kind kind) { return kind == MFFT_DCT1 || kind == MFFT_DST1; }

enum { SHORTEST = 40 }; /* FFTW is faster for 32 points and fewer, which are one or two codelets */

int mfft_fftw_cosine_suits(mfft_axis_kind kind, int64_t n) {
  return n >= SHORTEST && kind != MFFT_DCT4 && kind != MFFT_DST4 && kind != MFFT_DFT;
}

static mfft_status find_roots(mfft_fftw_cosine *cosine) {
  const int64_t n = cosine->n;
  const size_t bytes = 2 * (size_t)(n / 2 + 1) * cosine->api->real_bytes;
  cosine->roots = malloc(bytes);
  if (!cosine->roots) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the roots of a cosine transform (%zu bytes)", bytes);
  cosine->api->quarter_roots(n, is_second(cosine->kind) ? 2 : 1, is_sine(cosine->kind), cosine->roots);
  return MFFT_SUCCESS;
}

mfft_status mfft_fftw_cosine_create(const mfft_fftw_api *api, mfft_axis_kind kind, int64_t n, mfft_fftw_cosine *cosine) {
  const int64_t half = is_sine(kind) ? n + 1 : n - 1;
  *cosine = (mfft_fftw_cosine){.api = api, .kind = kind, .n = n, .half = half, .length = n};
  cosine->type = is_second(kind) ? MFFT_FFT_R2C : MFFT_FFT_C2R;
  if (!is_first(kind)) return find_roots(cosine);
  cosine->type = half % 2 ? MFFT_FFT_C2C : MFFT_FFT_R2C;
  cosine->length = half % 2 ? half : 2 * half;
  return MFFT_SUCCESS;
}

void mfft_fftw_cosine_free(mfft_fftw_cosine *cosine) {
  free(cosine->roots);
  memset(cosine, 0, sizeof *cosine);
}

mfft_fftw_problem mfft_fftw_cosine_problem(const mfft_fftw_cosine *cosine) {
  return (mfft_fftw_problem){.type = cosine->type,
                             .direction = cosine->type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD,
                             .destroy_input = 1,
                             .naxes = 1,
                             .axis = {{cosine->length, 1, 1}}};
}

/* Bytes of each part of the workspace: the complex numbers of a spectrum, which have space for its reals. */
static size_t part_bytes(const mfft_fftw_cosine *c) {
  const int64_t complexes = c->type == MFFT_FFT_C2C ? c->length : c->length / 2 + 1;
  return mfft_whole_lines(2 * (size_t)complexes * c->api->real_bytes);
}

size_t mfft_fftw_cosine_bytes(const mfft_fftw_cosine *cosine) { return 2 * part_bytes(cosine); }

void mfft_fftw_cosine_run(const mfft_fftw_cosine *c, const mfft_fftw_plan *dft, const void *in, void *out, void *work) {
  const int sine = is_sine(c->kind);
  void *spectrum = (char *)work + part_bytes(c);
  if (is_first(c->kind)) {
    c->api->mirror(c->half, sine, in, work);
    mfft_fftw_plan_run(dft, work, spectrum);
    c->api->line_of_mirrored(c->half, sine, spectrum, out);
  } else if (is_second(c->kind)) {
    c->api->fold(c->n, sine, in, work);
    mfft_fftw_plan_run(dft, work, spectrum);
    c->api->cosines_of_spectrum(c->n, sine, c->roots, spectrum, out);
  } else {
    c->api->spectrum_of_cosines(c->n, sine, c->roots, in, spectrum);
    mfft_fftw_plan_run(dft, spectrum, work);
    c->api->unfold(c->n, sine, work, out);
  }
}
