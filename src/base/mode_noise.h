/* mode_noise.h: Gaussian random modes that are a function of the seed and the wave number alone (mfft_plan_fill_modes).
 *
 * A mode has the same numbers on a mesh of any size and on any number of ranks, so that a simulation of higher resolution
 * has all waves of a coarser one with the same seed.  White noise drawn cell by cell (mfft_plan_fill_normal) does not have
 * this property: another mesh is another realisation.  The file is compiled as C11 and as CUDA C++. */
#ifndef MFFT_BASE_MODE_NOISE_H
#define MFFT_BASE_MODE_NOISE_H

#include "normal.h"

/* Draws number[0] + i number[1], whose squares have the mean 1/2.  The value at -m is the conjugate, as for a real field,
 * and that at 0 is 0.  |m| < 2^31. */
MFFT_NORMAL void mfft_mode_noise_draw(const mfft_normal_word key[2], const long long m[3], double number[2]) {
  const double root_half = 0.70710678118654752440;
  /* The numbers are drawn for one of m and -m, and those of the other follow. */
  const long long mirror = m[2] < 0 || (m[2] == 0 && (m[0] < 0 || (m[0] == 0 && m[1] < 0))) ? -1 : 1;
  const mfft_normal_word counter[4] = {(mfft_normal_word)(mirror * m[2]), (mfft_normal_word)(mirror * m[1]),
                                       (mfft_normal_word)(mirror * m[0]), 1}; /* the last word is 0 for noise of cells */
  mfft_normal_word random[4];
  mfft_normal_philox(counter, key, random);
  mfft_normal_pair(random, number);
  const double size = m[0] || m[1] || m[2] ? root_half : 0;
  number[0] = mfft_n_mul(size, number[0]);
  number[1] = mfft_n_mul((double)mirror * size, number[1]);
}

/* The mode at these indices of the OUT array of an R2C plan of n[axis] points, times its rms by m.m: deviation[squares].  0
 * at n/2 of an even n and where m.m is not in the table. */
MFFT_NORMAL void mfft_mode_noise_at(const mfft_normal_word key[2], const long long n[3], const long long index[3],
                                    const double *deviation, long long squares, double number[2]) {
  long long m[3], square = 0;
  int edge = 0;
  for (int a = 0; a < 3; a++) {
    m[a] = 2 * index[a] > n[a] ? index[a] - n[a] : index[a];
    edge |= 2 * index[a] == n[a];
    square += m[a] * m[a];
  }
  const double size = edge || square >= squares ? 0 : deviation[square];
  mfft_mode_noise_draw(key, m, number);
  number[0] = mfft_n_mul(number[0], size);
  number[1] = mfft_n_mul(number[1], size);
}

#endif
