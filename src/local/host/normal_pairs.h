/* normal_pairs.h: computes many pairs of normal numbers (base/normal.h) at a time, by vector instructions. */
#ifndef MFFT_LOCAL_HOST_NORMAL_PAIRS_H
#define MFFT_LOCAL_HOST_NORMAL_PAIRS_H

#include <stdint.h>

enum { MFFT_NORMAL_PAIRS = 64 };

/* Fills in the pairs of the counters (first + i, words[0], words[1], words[2]), with the same bits on every processor. */
void mfft_normal_pairs(uint64_t seed, uint32_t first, const uint32_t words[3], double pair[2 * MFFT_NORMAL_PAIRS]);

#endif
