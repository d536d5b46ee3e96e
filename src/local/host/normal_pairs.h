/* normal_pairs.h: many pairs of normal numbers at a time (base/normal.h), on vectors of the processor. */
#ifndef MFFT_LOCAL_HOST_NORMAL_PAIRS_H
#define MFFT_LOCAL_HOST_NORMAL_PAIRS_H

#include <stdint.h>

enum { MFFT_NORMAL_PAIRS = 64 };

/* The pairs of the counters (first + i, words[0], words[1], words[2]).  The same bits on every processor. */
void mfft_normal_pairs(uint64_t seed, uint32_t first, const uint32_t words[3], double pair[2 * MFFT_NORMAL_PAIRS]);

#endif
