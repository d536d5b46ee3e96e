/* hermite.h: cubic interpolation between two nodes. */
#ifndef MFFT_APPS_HERMITE_H
#define MFFT_APPS_HERMITE_H

/* The cubic with values v and slopes s (in units of the step) at u = 0 and 1. */
static inline double mfft_hermite(double u, double v0, double s0, double v1, double s1) {
  const double w = 1 - u;
  return w * w * ((1 + 2 * u) * v0 + u * s0) + u * u * ((1 + 2 * w) * v1 - w * s1);
}

#endif
