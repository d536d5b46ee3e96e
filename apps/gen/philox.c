/* philox.c: see philox.h. */
#include "gen/philox.h"

#include <math.h>

void mfft_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t random[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    uint64_t p0 = (uint64_t)0xD2511F53u * c0;
    uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)p1;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  random[0] = c0;
  random[1] = c1;
  random[2] = c2;
  random[3] = c3;
}

/* 53 of 64 bits as a number in (0, 1]: never 0, whose logarithm is not finite. */
static double unit(uint32_t high, uint32_t low) {
  uint64_t bits = ((uint64_t)high << 32 | low) >> 11;
  return ((double)bits + 1.0) * 0x1p-53;
}

void mfft_white_noise(uint64_t seed, int64_t x, int64_t y, int64_t lo, int64_t hi, double *row) {
  const double two_pi = 6.283185307179586476925;
  uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  for (int64_t pair = lo / 2; 2 * pair < hi; pair++) {
    uint32_t counter[4] = {(uint32_t)pair, (uint32_t)y, (uint32_t)x, 0};
    uint32_t r[4];
    mfft_philox(counter, key, r);
    double radius = sqrt(-2.0 * log(unit(r[0], r[1])));
    double angle = two_pi * unit(r[2], r[3]);
    if (2 * pair >= lo) row[2 * pair - lo] = radius * cos(angle);
    if (2 * pair + 1 >= lo && 2 * pair + 1 < hi) row[2 * pair + 1 - lo] = radius * sin(angle);
  }
}
