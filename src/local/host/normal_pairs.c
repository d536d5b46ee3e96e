/* normal_pairs.c: see normal_pairs.h.  CMakeLists.txt sets the options by which the compiler vectorises the loops and does
 * not fuse products with sums, which would change bits. */
#include "local/host/normal_pairs.h"

#include "base/normal.h"
#include "base/vectors.h"

/* Each loop does one step of the computation for all pairs, since a single loop over all steps needs more registers than
 * there are. */
MFFT_VECTOR_LOOP void pairs_loop(uint64_t seed, uint32_t first, const uint32_t words[3], double *pair) {
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}; /* {low, high} */
  uint32_t random[4][MFFT_NORMAL_PAIRS];                            /* [word][pair] */
  double radius[MFFT_NORMAL_PAIRS], cosine[MFFT_NORMAL_PAIRS], sine[MFFT_NORMAL_PAIRS];
  for (int i = 0; i < MFFT_NORMAL_PAIRS; i++) {
    const uint32_t counter[4] = {first + (uint32_t)i, words[0], words[1], words[2]};
    uint32_t r[4]; /* [word] */
    mfft_normal_philox(counter, key, r);
    for (int j = 0; j < 4; j++) random[j][i] = r[j];
  }
  for (int i = 0; i < MFFT_NORMAL_PAIRS; i++) radius[i] = mfft_normal_radius(random[0][i], random[1][i]);
  for (int i = 0; i < MFFT_NORMAL_PAIRS; i++) mfft_normal_direction(random[2][i], random[3][i], &cosine[i], &sine[i]);
  for (int i = 0; i < MFFT_NORMAL_PAIRS; i++) {
    pair[2 * i] = mfft_n_mul(radius[i], cosine[i]);
    pair[2 * i + 1] = mfft_n_mul(radius[i], sine[i]);
  }
}

MFFT_VECTORS(void, pairs, (uint64_t seed, uint32_t first, const uint32_t words[3], double *pair), (seed, first, words, pair))

void mfft_normal_pairs(uint64_t seed, uint32_t first, const uint32_t words[3], double pair[2 * MFFT_NORMAL_PAIRS]) {
  pairs(seed, first, words, pair);
}
