/* normal_pairs.c: see normal_pairs.h.  The loops are compiled once for each kind of vector that x86-64 processors have, and
 * once for those that all have; on other processors that is all.  CMakeLists.txt has the options that let the compiler
 * vectorise them, and keep products and sums apart. */
#include "local/host/normal_pairs.h"

#include "base/normal.h"

/* Each loop does one thing to all pairs: a single loop over everything has more numbers than there are registers. */
MFFT_NORMAL void make_pairs(uint64_t seed, uint32_t first, const uint32_t words[3], double *pair) {
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t random[4][MFFT_NORMAL_PAIRS];
  double radius[MFFT_NORMAL_PAIRS], cosine[MFFT_NORMAL_PAIRS], sine[MFFT_NORMAL_PAIRS];
  for (int i = 0; i < MFFT_NORMAL_PAIRS; i++) {
    const uint32_t counter[4] = {first + (uint32_t)i, words[0], words[1], words[2]};
    uint32_t r[4];
    mfft_normal_philox(counter, key, r);
    for (int j = 0; j < 4; j++) random[j][i] = r[j];
  }
  for (int i = 0; i < MFFT_NORMAL_PAIRS; i++) radius[i] = mfft_normal_radius(random[0][i], random[1][i]);
  for (int i = 0; i < MFFT_NORMAL_PAIRS; i++) mfft_normal_turn(random[2][i], random[3][i], &cosine[i], &sine[i]);
  for (int i = 0; i < MFFT_NORMAL_PAIRS; i++) {
    pair[2 * i] = mfft_n_mul(radius[i], cosine[i]);
    pair[2 * i + 1] = mfft_n_mul(radius[i], sine[i]);
  }
}

static void pairs_plain(uint64_t seed, uint32_t first, const uint32_t words[3], double *pair) {
  make_pairs(seed, first, words, pair);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void pairs_avx2(uint64_t seed, uint32_t first, const uint32_t words[3],
                                                       double *pair) {
  make_pairs(seed, first, words, pair);
}
__attribute__((target("avx512f,avx512dq,avx512vl"))) static void pairs_avx512(uint64_t seed, uint32_t first,
                                                                              const uint32_t words[3], double *pair) {
  make_pairs(seed, first, words, pair);
}

void mfft_normal_pairs(uint64_t seed, uint32_t first, const uint32_t words[3], double pair[2 * MFFT_NORMAL_PAIRS]) {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    pairs_avx512(seed, first, words, pair);
  else if (__builtin_cpu_supports("avx2"))
    pairs_avx2(seed, first, words, pair);
  else
    pairs_plain(seed, first, words, pair);
}
#else
void mfft_normal_pairs(uint64_t seed, uint32_t first, const uint32_t words[3], double pair[2 * MFFT_NORMAL_PAIRS]) {
  pairs_plain(seed, first, words, pair);
}
#endif
