// TEST labels=apps
// Philox4x32-10 against the known answers published with it (Random123, kat_vectors), white noise that does not depend on
// how the array is cut, and its first moments.
#include "../apps/gen/philox.c"
#include "check.h"

static void known_answers(void) {
  static const uint32_t v[3][10] = {/* counter, key, result */
                                    {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                    {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
                                     0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
                                     0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; i++) {
    uint32_t random[4];
    mfft_philox(v[i], v[i] + 4, random);
    for (int j = 0; j < 4; j++)
      CHECK(random[j] == v[i][6 + j], "vector %d word %d: %08x, want %08x", i, j, random[j], v[i][6 + j]);
  }
}

/* Any part of a row holds what the whole row holds there. */
static void parts_of_rows(void) {
  enum { N = 11 };
  double whole[N], part[N];
  mfft_white_noise(7, 3, 5, 0, N, whole);
  for (int lo = 0; lo <= N; lo++)
    for (int hi = lo; hi <= N; hi++) {
      mfft_white_noise(7, 3, 5, lo, hi, part);
      CHECK(!memcmp(part, whole + lo, (size_t)(hi - lo) * sizeof *part), "cells %d to %d", lo, hi);
    }
  mfft_white_noise(7, 5, 3, 0, N, part);
  CHECK(memcmp(part, whole, sizeof part), "x and y changed places");
  mfft_white_noise(7 + (UINT64_C(1) << 32), 3, 5, 0, N, part);
  CHECK(memcmp(part, whole, sizeof part), "the high word of the seed has no effect");
}

/* Moments of 2^21 normal numbers within 5 standard errors: 0, 1, 0, 3; neighbours are not correlated. */
static void moments(void) {
  enum { ROWS = 128, LENGTH = 128 };
  static double row[LENGTH];
  double n = (double)ROWS * ROWS * LENGTH, m1 = 0, m2 = 0, m3 = 0, m4 = 0, pair = 0, largest = 0;
  for (int x = 0; x < ROWS; x++)
    for (int y = 0; y < ROWS; y++) {
      mfft_white_noise(1, x, y, 0, LENGTH, row);
      for (int z = 0; z < LENGTH; z++) {
        double v = row[z];
        m1 += v;
        m2 += v * v;
        m3 += v * v * v;
        m4 += v * v * v * v;
        pair += v * row[(z + 1) % LENGTH];
        largest = fmax(largest, fabs(v));
      }
    }
  double root = sqrt(n);
  CHECK(fabs(m1 / n) < 5 / root, "mean %g", m1 / n);
  CHECK(fabs(m2 / n - 1) < 5 * sqrt(2) / root, "variance %g", m2 / n);
  CHECK(fabs(m3 / n) < 5 * sqrt(15) / root, "skewness %g", m3 / n);
  CHECK(fabs(m4 / n - 3) < 5 * sqrt(96) / root, "fourth moment %g", m4 / n);
  CHECK(fabs(pair / n) < 5 / root, "correlation of neighbours %g", pair / n);
  CHECK(largest > 4.5 && largest < 7, "largest of 2^21: %g", largest);
}

int main(void) {
  known_answers();
  parts_of_rows();
  moments();
  return test_end();
}
