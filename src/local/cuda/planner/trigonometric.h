/* trigonometric.h: the DFTs by which cosines and sines (mfft_kind.h) are computed, and their roots.
 *
 * A line x of n numbers becomes the input of a DFT with exp(-2 pi i j k / N), whose results are real parts of X[k]:
 *
 *     DCT1, DST1      a real line of N = 2 (n-1), or 2 (n+1): x continued evenly, or oddly, to a period
 *     DCT2            a real line v of N = n: the even elements of x upwards, then the odd ones downwards (Makhoul 1980);
 *                     X[k] = 2 Re(w V[k]), X[n-k] = -2 Im(w V[k]), w = exp(-i pi k / 2n)
 *     DCT3            the same backwards: V[k] = conj(w) (x[k] - i x[n-k]) is the half spectrum of the real line
 *     DCT4, odd n     a real line of N = n: element i is x continued to m = (n-1)/2 + 4 i (Chan and Ho 1992);
 *                     X[k] = 2 Re(exp(-i pi (2k+1) / 4) V[(2k+1) mod n])
 *     DCT4, even n    N = n/2 complexes: t[j] = (x[2j] + i x[n-1-2j]) u[j], u[j] = exp(-i pi (8j+1) / 8n);
 *                     X[2k] = 2 Re(u[k] T[k]), X[n-1-2k] = -2 Im(u[k] T[k])
 *
 * A DST of x is the DCT of its type with the signs of odd elements changed and the results in reverse order (II), or the
 * reverse of that (III), or the reversed line with the signs of odd results changed (IV).  No kind loses accuracy as those
 * do that divide by sines. */
#ifndef MFFT_CUDA_PLANNER_TRIGONOMETRIC_H
#define MFFT_CUDA_PLANNER_TRIGONOMETRIC_H

#include "local/backend.h"
#include "local/cuda/planner/roots.h"

/* The DFT of a kind.  Root j of `roots` is exp(-2 pi i (first + j step) / order). */
typedef struct mfft_trigonometric_dft {
  mfft_fft_type type;
  int64_t length;
  int64_t in, out; /* elements of a line before and behind it: reals, or complexes of half spectra */
  int64_t roots, order, step, first;
} mfft_trigonometric_dft;

mfft_trigonometric_dft mfft_trigonometric_dft_of(mfft_axis_kind kind, int64_t n);

/* Whether two lines of a kind can be the real and imaginary parts of one DFT of n complexes, with the roots of its DFT
 * (kernels/butterfly/line_pair.cuh): II and III, of any length. */
int mfft_trigonometric_pairs(mfft_axis_kind kind);

/* The tables of roots for a precision: one that has all roots, or two levels, root j being coarse[j >> shift] fine[j &
 * (2^shift - 1)]. */
mfft_status mfft_trigonometric_roots(mfft_precision precision, const mfft_trigonometric_dft *dft, mfft_table *fine,
                                     mfft_table *coarse, unsigned *shift);

/* The table of roots that a fused pass reads. */
mfft_status mfft_trigonometric_table(const mfft_kernel *kernel, mfft_table *table);

#endif
