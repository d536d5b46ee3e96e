/* stepping.c: see stepping.h. */
#include "nbody/stepping.h"

#include <math.h>

/* a^3 E = p / (dx/da). */
static double inertia(const mfft_background *b, double a) { return a * a * a * mfft_background_hubble(b, a); }

void mfft_lpt_momentum(const mfft_background *b, double a, double factor[2]) {
  const mfft_growth_factors d = mfft_background_growth(b, a);
  const double per_log_a = inertia(b, a) / a;
  factor[0] = per_log_a * d.f1 * d.d1;
  factor[1] = per_log_a * d.f2 * d.d2;
}

void mfft_lpt_acceleration(const mfft_background *b, double a, double factor[2]) {
  const mfft_growth_factors d = mfft_background_growth(b, a);
  factor[0] = 1.5 * b->omega_m * d.d1;
  factor[1] = 1.5 * b->omega_m * (d.d2 - d.d1 * d.d1);
}

/* The integral of a^power / (a^3 E) from a0 to a1, in ln a, by Gauss-Legendre quadrature with 5 points in each part. */
static double integral(const mfft_background *b, double a0, double a1, double power) {
  enum { PARTS = 32 };
  static const double node[5] = {0, 0.53846931010568309104, -0.53846931010568309104, 0.90617984593866399280,
                                 -0.90617984593866399280};
  static const double weight[5] = {0.56888888888888888889, 0.47862867049936646804, 0.47862867049936646804,
                                   0.23692688505618908751, 0.23692688505618908751};
  const double half = log(a1 / a0) / (2 * PARTS);
  double sum = 0;
  for (int part = 0; part < PARTS; part++)
    for (int i = 0; i < 5; i++) {
      const double a = a0 * exp(half * (2 * part + 1 + node[i]));
      sum += weight[i] * pow(a, power + 1) / inertia(b, a);
    }
  return half * sum;
}

/* ---- The rows of the table ------------------------------------------------------------------------------------------- */

static double leapfrog_drift(const mfft_background *b, double a0, double a1, double ar) {
  (void)ar;
  return integral(b, a0, a1, 0);
}

static double leapfrog_kick(const mfft_background *b, double a0, double a1, double ar, double *keep) {
  (void)ar;
  *keep = 1;
  return integral(b, a0, a1, 1);
}

static double fastpm_drift(const mfft_background *b, double a0, double a1, double ar) {
  double lpt_momentum[2]; /* [order - 1] */
  mfft_lpt_momentum(b, ar, lpt_momentum);
  return (mfft_background_growth(b, a1).d1 - mfft_background_growth(b, a0).d1) / lpt_momentum[0];
}

static double fastpm_kick(const mfft_background *b, double a0, double a1, double ar, double *keep) {
  double before[2], after[2], lpt_acceleration[2]; /* [order - 1] */
  *keep = 1;
  mfft_lpt_momentum(b, a0, before);
  mfft_lpt_momentum(b, a1, after);
  mfft_lpt_acceleration(b, ar, lpt_acceleration);
  return (after[0] - before[0]) / lpt_acceleration[0];
}

static const double cola_power = -2.5;

static double cola_drift(const mfft_background *b, double a0, double a1, double ar) {
  return integral(b, a0, a1, cola_power) / pow(ar, cola_power);
}

static double cola_kick(const mfft_background *b, double a0, double a1, double ar, double *keep) {
  *keep = 1;
  return (pow(a1, cola_power) - pow(a0, cola_power)) * ar / inertia(b, ar) / (cola_power * pow(ar, cola_power - 1));
}

/* In LPT dx/dD1 = s1 + E' s2 with E' = dD2/dD1, and g / (3/2 Om D1) at the position after half a drift is s1 + F s2.  A kick
 * is a weighted mean of the two, with the weight that changes E' of a0 to E' of a1. */
static double bullfrog_kick(const mfft_background *b, double a0, double a1, double ar, double *keep) {
  double before[2], after[2]; /* [order - 1] */
  const mfft_growth_factors d0 = mfft_background_growth(b, a0);
  const double d_middle = mfft_background_growth(b, ar).d1;
  mfft_lpt_momentum(b, a0, before);
  mfft_lpt_momentum(b, a1, after);
  const double e0 = before[1] / before[0], e1 = after[1] / after[0];
  const double f = (d0.d2 + e0 * (d_middle - d0.d1)) / d_middle - d_middle, alpha = (e1 - f) / (e0 - f);
  *keep = alpha * after[0] / before[0];
  return (1 - alpha) * after[0] / (1.5 * b->omega_m * d_middle);
}

const mfft_stepping mfft_steppings[MFFT_STEPPINGS] = {{"leapfrog", leapfrog_drift, leapfrog_kick, 0, 0},
                                                      {"fastpm", fastpm_drift, fastpm_kick, 0, 0},
                                                      {"cola", cola_drift, cola_kick, 1, 0},
                                                      {"bullfrog", fastpm_drift, bullfrog_kick, 0, 1}};

double mfft_stepping_middle(const mfft_background *b, double a0, double a1) {
  const double wanted = 0.5 * (mfft_background_growth(b, a0).d1 + mfft_background_growth(b, a1).d1);
  double a = 0.5 * (a0 + a1);
  for (int i = 0; i < 50; i++) { /* Newton's method; D1 is nearly linear in a */
    const mfft_growth_factors d = mfft_background_growth(b, a);
    const double change = (wanted - d.d1) * a / (d.f1 * d.d1);
    a += change;
    if (fabs(change) < 1e-15 * a) break;
  }
  return a;
}
