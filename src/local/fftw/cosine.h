/* cosine.h: cosines and sines of the second and third kind of contiguous lines, each by a real DFT of the same length
 * (Makhoul, A fast cosine transform in one and two dimensions, 1980).
 *
 * FFTW 3.3.10 has the same algorithm with a half-complex DFT, of which no part uses SIMD instructions; its R2C and C2R do.
 * With theirs a line of 256 points takes half the time. */
#ifndef MFFT_LOCAL_FFTW_COSINE_H
#define MFFT_LOCAL_FFTW_COSINE_H

#include "base/status.h"
#include "local/fftw/plan.h"

typedef struct mfft_fftw_cosine {
  const mfft_fftw_api *api;
  mfft_axis_kind kind;
  int64_t n;
  void *roots; /* [2][n/2 + 1] reals of `api`: cosines of pi k/(2 n), then sines; for sines the other way round */
} mfft_fftw_cosine;

/* Whether an axis of cosines or sines has the second or third kind and is long enough to gain. */
int mfft_fftw_cosine_suits(mfft_axis_kind kind, int64_t n);

mfft_status mfft_fftw_cosine_create(const mfft_fftw_api *api, mfft_axis_kind kind, int64_t n, mfft_fftw_cosine *cosine);
void mfft_fftw_cosine_free(mfft_fftw_cosine *cosine); /* accepts a zeroed one */

/* The DFT of one line, from one half of the workspace to the other. */
mfft_fftw_problem mfft_fftw_cosine_problem(const mfft_fftw_cosine *cosine);

/* Bytes of the workspace, which must be aligned for SIMD. */
size_t mfft_fftw_cosine_bytes(const mfft_fftw_api *api, int64_t n);

/* Transforms a contiguous line of n real numbers; `in` and `out` may be the same.  dft: a plan of the problem above. */
void mfft_fftw_cosine_run(const mfft_fftw_cosine *cosine, const mfft_fftw_plan *dft, const void *in, void *out, void *work);

#endif
