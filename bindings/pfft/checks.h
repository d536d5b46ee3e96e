/* checks.h: numbers that depend on the index alone, by which programs that test PFFT check a transform and its inverse. */
#ifndef MFFT_PFFT_CHECKS_H
#define MFFT_PFFT_CHECKS_H

#include <stddef.h>

enum { MFFT_PFFT_COMPLEX, MFFT_PFFT_HERMITIAN, MFFT_PFFT_REAL };

/* The number at position `at` of a local array of lengths local_n that begins at local_start, in C order: of magnitude 1 or
 * less, periodic in n, and of HERMITIAN the same as the conjugate of that of the opposite index.  REAL has no second part.
 * Returns 0 for padding of a row of reals, where the value is 0. */
int mfft_pfft_value(int which, int rank, const ptrdiff_t *n, const ptrdiff_t *local_n, const ptrdiff_t *local_start,
                    ptrdiff_t at, double value[2]);

#endif
