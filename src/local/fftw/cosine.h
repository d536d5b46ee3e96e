/* cosine.h: cosines and sines of the first three kinds of contiguous lines, each by one DFT.
 *
 * The second and third kind take a real DFT of the same length (Makhoul, A fast cosine transform in one and two dimensions,
 * 1980).  The first kind is a DFT of 2 m points, m = n - 1 for cosines and n + 1 for sines, of the line and its mirror
 * image. If m is odd, elements at even positions and those m behind them are two lines of m points of the same symmetry, of
 * which one complex DFT makes both spectra, without a multiplication beside (the prime factor algorithm with 2 and m: Good,
 * The interaction algorithm and practical Fourier analysis, 1958).  Otherwise a real DFT of 2 m points serves.
 *
 * FFTW 3.3.10 has half-complex DFTs for all of these, of which no part uses SIMD instructions; its R2C, C2R and C2C do. With
 * theirs a line of 256 points takes half the time in the second and third kind and a third in the first kind of sines. */
#ifndef MFFT_LOCAL_FFTW_COSINE_H
#define MFFT_LOCAL_FFTW_COSINE_H

#include "base/status.h"
#include "local/fftw/plan.h"

typedef struct mfft_fftw_cosine {
  const mfft_fftw_api *api;
  mfft_axis_kind kind;
  int64_t n;
  mfft_fft_type type; /* of the DFT */
  int64_t length;     /* points of the DFT */
  int64_t half;       /* m above, of the first kind */
  void *roots;        /* second and third kind: [2][n/2 + 1] reals of `api`: cosines of pi k/(2 n), then sines; for sines the
                       * other way round */
} mfft_fftw_cosine;

/* Whether an axis of cosines or sines has one of the first three kinds and is long enough to gain. */
int mfft_fftw_cosine_suits(mfft_axis_kind kind, int64_t n);

mfft_status mfft_fftw_cosine_create(const mfft_fftw_api *api, mfft_axis_kind kind, int64_t n, mfft_fftw_cosine *cosine);
void mfft_fftw_cosine_free(mfft_fftw_cosine *cosine); /* accepts a zeroed one */

/* The DFT of one line, from one part of the workspace to the other. */
mfft_fftw_problem mfft_fftw_cosine_problem(const mfft_fftw_cosine *cosine);

/* Bytes of the workspace, which must be aligned for SIMD. */
size_t mfft_fftw_cosine_bytes(const mfft_fftw_cosine *cosine);

/* Transforms a contiguous line of n real numbers; `in` and `out` may be the same.  dft: a plan of the problem above. */
void mfft_fftw_cosine_run(const mfft_fftw_cosine *cosine, const mfft_fftw_plan *dft, const void *in, void *out, void *work);

#endif
