/* motion.h: the arithmetic of kicks and drifts of particles, and of the terms of their energies (mfft_motion.h).
 *
 * All operations round one by one, so that a particle moves in the same way on every CPU and on a GPU.  The file is compiled
 * as C11 and as CUDA C++. */
#ifndef MFFT_BASE_MOTION_H
#define MFFT_BASE_MOTION_H

#include "rounded.h"

/* Converts a position in units of the box side to 64-bit fixed point; any finite number is wrapped. */
MFFT_ROUNDED mfft_u64 mfft_fixed_of(double fraction) {
  const double wrapped = fraction - rint(fraction); /* -1/2 to 1/2, exact */
  return (mfft_u64)(long long)mfft_n_mul(wrapped, 0x1p62) << 2;
}

/* The part of LPT in a quantity of a particle: factor[0] s1 + factor[1] s2 of its two displacements. */
MFFT_ROUNDED double mfft_lpt_part(const double factor[2], double s1, double s2) {
  return mfft_n_add(mfft_n_mul(factor[0], s1), mfft_n_mul(factor[1], s2));
}

/* The acceleration g minus that of LPT. */
MFFT_ROUNDED double mfft_residual(double g, const double lpt_acceleration[2], double s1, double s2) {
  return mfft_n_add(mfft_n_add(g, -mfft_n_mul(lpt_acceleration[0], s1)), -mfft_n_mul(lpt_acceleration[1], s2));
}

/* The momentum after a kick. */
MFFT_ROUNDED double mfft_kicked(double p, double keep, double kick, double g) {
  return mfft_n_add(mfft_n_mul(keep, p), mfft_n_mul(kick, g));
}

/* The displacement of a drift, to which LPT adds a part of its own. */
MFFT_ROUNDED double mfft_drifted_beside(double drift, double p, const double growth[2], double s1, double s2) {
  return mfft_n_add(mfft_n_add(mfft_n_mul(drift, p), mfft_n_mul(growth[0], s1)), mfft_n_mul(growth[1], s2));
}

/* The square of a momentum. */
MFFT_ROUNDED double mfft_square_of(const double p[3]) {
  return mfft_n_add(mfft_n_add(mfft_n_mul(p[0], p[0]), mfft_n_mul(p[1], p[1])), mfft_n_mul(p[2], p[2]));
}

#endif
