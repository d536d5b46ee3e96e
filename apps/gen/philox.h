/* philox.h: random numbers that are a function of a counter and a key, so that any rank can make the number of any cell.
 *
 * Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3": ten rounds turn a
 * 128-bit counter and a 64-bit key into 128 random bits. */
#ifndef MFFT_APPS_PHILOX_H
#define MFFT_APPS_PHILOX_H

#include <stdint.h>

void mfft_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t random[4]);

/* White noise of a global array: independent numbers of mean 0 and variance 1 with a normal distribution for the cells
 * (x, y, z) with lo <= z < hi.  A cell's number depends on the seed and its three indices only.  Two neighbours along z
 * share one counter, the cosine and the sine of one Box-Muller pair. */
void mfft_white_noise(uint64_t seed, int64_t x, int64_t y, int64_t lo, int64_t hi, double *row /* [hi - lo] */);

#endif
