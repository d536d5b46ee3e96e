/* mfft_kind.h: the kinds of transforms: of a whole plan, and of each of its axes.  Part of mfft.h, which includes it.
 *
 * The kind of a plan says which numbers its arrays hold, the kind of an axis what is computed along it: the discrete Fourier
 * transform (DFT) of mfft.h, or a sum over cosines (DCT) or sines (DST), which maps real numbers to real numbers.  The
 * definitions, names and scales are those of FFTW's r2r kinds (REDFT00 to RODFT11).  With x of length n:
 *
 *     DCT1  X[k] = x[0] + (-1)^k x[n-1] + 2 sum over j = 1 .. n-2 of x[j] cos(pi j k / (n-1))      N = 2 (n-1)   n >= 2
 *     DCT2  X[k] = 2 sum over j of x[j] cos(pi (j + 1/2) k / n)                                    N = 2 n
 *     DCT3  X[k] = x[0] + 2 sum over j >= 1 of x[j] cos(pi j (k + 1/2) / n)                        N = 2 n
 *     DCT4  X[k] = 2 sum over j of x[j] cos(pi (j + 1/2) (k + 1/2) / n)                            N = 2 n
 *     DST1  X[k] = 2 sum over j of x[j] sin(pi (j + 1) (k + 1) / (n+1))                            N = 2 (n+1)
 *     DST2  X[k] = 2 sum over j of x[j] sin(pi (j + 1/2) (k + 1) / n)                              N = 2 n
 *     DST3  X[k] = (-1)^k x[n-1] + 2 sum over j < n-1 of x[j] sin(pi (j + 1) (k + 1/2) / n)        N = 2 n
 *     DST4  X[k] = 2 sum over j of x[j] sin(pi (j + 1/2) (k + 1/2) / n)                            N = 2 n
 *
 * The backward direction computes the inverse kind: DCT3 for DCT2 and DCT2 for DCT3, likewise DST2 and DST3; types I and IV
 * are their own.  Forward then backward multiplies by N, the length of the DFT whose symmetric input the sum is; scales of a
 * plan (mfft_scale) are powers of the product of these N and of the lengths of its DFT axes.
 *
 * All backends compute all kinds.  On a GPU an axis of cosines or sines is one pass without workspace where a thread block
 * holds its DFT, which has the same length, half of it (type IV, even lengths) or twice as much (type I).  Other lengths
 * take workspace (mfft_plan_workspace_bytes) for a part of the array that stays in the L2 cache, or for one line if that is
 * more. In 16-bit types an axis of cosines beside other axes rounds its result once more.
 *
 * As boundaries: a DCT continues a function evenly and a DST oddly; both ends lie on mesh points in type I (a DST1 leaves
 * out the ends, where the function is 0) and half a mesh width beyond the first and last point in type II. */
#ifndef MFFT_KIND_H
#define MFFT_KIND_H

/* C2C: complex to complex in both directions.  R2C: forward is real to complex, backward is complex to real (C2R).  R2R:
 * real to real in both directions, where every transformed axis has a DCT or a DST. */
typedef enum mfft_kind { MFFT_C2C = 0, MFFT_R2C = 1, MFFT_R2R = 2 } mfft_kind;

/* The transform along an axis, forward.  DFT axes need a plan of C2C or R2C, the others can be in any plan: of complex
 * numbers they transform real and imaginary parts alike.  R2C halves the highest transformed DFT axis, and needs one. */
typedef enum mfft_axis_kind {
  MFFT_DFT = 0,
  MFFT_DCT1 = 1, /* FFTW_REDFT00 */
  MFFT_DCT2 = 2, /* FFTW_REDFT10, "the" DCT */
  MFFT_DCT3 = 3, /* FFTW_REDFT01, "the" inverse DCT */
  MFFT_DCT4 = 4, /* FFTW_REDFT11 */
  MFFT_DST1 = 5, /* FFTW_RODFT00 */
  MFFT_DST2 = 6, /* FFTW_RODFT10 */
  MFFT_DST3 = 7, /* FFTW_RODFT01 */
  MFFT_DST4 = 8  /* FFTW_RODFT11 */
} mfft_axis_kind;

#endif
