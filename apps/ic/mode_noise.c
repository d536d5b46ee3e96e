/* mode_noise.c: see mode_noise.h. */
#include "ic/mode_noise.h"

#include "base/normal.h"

void mfft_mode_noise(uint64_t seed, int64_t mx, int64_t my, int64_t mz, double *re, double *im) {
  const double root_half = 0.70710678118654752440;
  const int mirrored = mz < 0 || (mz == 0 && (mx < 0 || (mx == 0 && my < 0))); /* of m and -m only one is drawn */
  *re = *im = 0;
  if (mx == 0 && my == 0 && mz == 0) return;
  if (mirrored) mx = -mx, my = -my, mz = -mz;
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  const uint32_t counter[4] = {(uint32_t)mz, (uint32_t)my, (uint32_t)mx, 1}; /* the last word is 0 for noise of cells */
  uint32_t random[4];
  double pair[2];
  mfft_normal_philox(counter, key, random);
  mfft_normal_pair(random, pair);
  *re = root_half * pair[0];
  *im = mirrored ? -root_half * pair[1] : root_half * pair[1];
}
