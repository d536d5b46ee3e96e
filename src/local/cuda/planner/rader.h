/* rader.h: lines of a prime number of elements by Rader's algorithm (C. M. Rader 1968).
 *
 * The powers g^0, g^1 ... g^(N-1) of a generator g modulo a prime n = N + 1 are all numbers from 1 to N.  With W = exp(s 2
 * pi i / n), s the sign of the exponent, a transform of n elements is a circular convolution of N elements:
 *
 *     X_(g^-m) = x_0 + sum over q of x_(g^q) b_(m-q),   b_m = W^(g^-m);   X_0 = sum over j of x_j
 *
 * The convolution is done by two transforms of N elements, which butterflies have if the prime factors of N are at most 31,
 * in one block (kernels/butterfly/rader.cu).  Bluestein's algorithm (bluestein.h) has two transforms of at least 2 n - 1. */
#ifndef MFFT_CUDA_RADER_H
#define MFFT_CUDA_RADER_H

#include "local/cuda/planner/pass.h"
#include "local/cuda/planner/roots.h"

/* Whether n is a prime for which there is no butterfly, and N has butterflies. */
int mfft_rader_suits(int64_t n);

/* Makes the tables of the indices g^q, q < N, and of the spectrum of b divided by N.  The spectrum is computed in extended
 * precision and rounded once.  If the radices of the chain are coprime, both are in the order of the prime-factor algorithm
 * (Good, Thomas): q has the place of its remainders by the radices, so that the transforms are of as many dimensions as the
 * chain has merges, and have no twiddles. */
mfft_status mfft_table_rader(const mfft_pass *pass, mfft_table table[MFFT_TABLES]);

#endif
