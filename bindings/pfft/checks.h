/* checks.h: numbers that depend only on the index of a point, by which programs that test PFFT check a transform followed by
 * its inverse. */
#ifndef MFFT_PFFT_CHECKS_H
#define MFFT_PFFT_CHECKS_H

#include <stddef.h>

enum { MFFT_PFFT_COMPLEX, MFFT_PFFT_HERMITIAN, MFFT_PFFT_REAL };

/* Computes the number at position `at` of a local array of lengths local_n that begins at local_start, in C order.  Its
 * magnitude is at most 1, and it is periodic in n.  For HERMITIAN it is the conjugate of the number at the opposite index;
 * for REAL it has no second part.  Returns 0 for the padding of a row of reals, where the number is 0. */
int mfft_pfft_value(int kind, int rank, const ptrdiff_t *n, const ptrdiff_t *local_n, const ptrdiff_t *local_start,
                    ptrdiff_t at, double value[2]);

#endif
