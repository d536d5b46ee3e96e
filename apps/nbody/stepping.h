/* stepping.h: kick and drift factors of particle-mesh integrators, as one table.
 *
 * Lengths are comoving and H0 = 1.  A particle has its position x and the momentum p = a^2 dx/dt = a^3 E dx/da, which GADGET
 * stores as p / a^(3/2) (a "velocity" of dx/dt sqrt(a)).  g = -grad phi with laplacian(phi) = 3/2 Om delta does not depend
 * on the units of mass: dp/da = g / (a^2 E).  Every integrator moves
 *
 *     drift from a0 to a1:   x += drift(a0, a1, ar) p       with p at the time ar
 *     kick from a0 to a1:    p  = keep p + kick g           with g at the time ar; keep = 1 except for bullfrog
 *
 * leapfrog:  the integrals of da/(a^3 E) and da/(a^2 E), exact for constant p and g
 *            (Quinn, Katz, Stadel, Lake 1997, astro-ph/9710043)
 * fastpm:    p proportional to D1', and g to D1, within a step: exact for the Zel'dovich approximation
 *            (Feng, Chu, Seljak, McDonald 2016, eq. 18-25, arXiv:1603.00476)
 * cola:      factors of the residual beyond 2LPT, which is assumed proportional to a^-2.5
 *            (Tassev, Zaldarriaga, Eisenstein 2013, eq. A.15, arXiv:1301.0322)
 * bullfrog:  keep and kick for which 2LPT is exact up to the first order in s2
 *            (Rampf, List, Hahn 2025, arXiv:2409.19049)
 *
 * bullfrog is a drift-kick-drift method: its ar is the time between the two drifts, at which D1 is the mean of D1(a0) and
 * D1(a1) (mfft_stepping_middle).  The first half drift goes from a0 to ar with p at a0, the second from ar to a1 with p at
 * a1.
 *
 * COLA: x = LPT position + residual, and p is the momentum of the residual.  A kick uses g - mfft_lpt_acceleration, a drift
 * adds the difference of the LPT displacements D1 s1 + D2 s2 at the two times. */
#ifndef MFFT_APPS_STEPPING_H
#define MFFT_APPS_STEPPING_H

#include "nbody/background.h"

typedef struct mfft_stepping {
  const char *name;
  double (*drift)(const mfft_background *background, double a0, double a1, double ar);
  double (*kick)(const mfft_background *background, double a0, double a1, double ar, double *keep);
  int with_lpt;   /* 1: COLA */
  int drift_kick; /* 1: drift-kick-drift; 0: kick-drift-kick */
} mfft_stepping;

enum { MFFT_STEPPINGS = 4 };
extern const mfft_stepping mfft_steppings[MFFT_STEPPINGS]; /* in the order above */
#define MFFT_STEPPING_NAMES "leapfrog|fastpm|cola|bullfrog"

/* The a at which D1 is the mean of D1(a0) and D1(a1). */
double mfft_stepping_middle(const mfft_background *background, double a0, double a1);

/* Factors of the displacements s1 and s2: g of LPT at a is factor[0] s1 + factor[1] s2, and likewise p of LPT. */
void mfft_lpt_acceleration(const mfft_background *background, double a, double factor[2]);
void mfft_lpt_momentum(const mfft_background *background, double a, double factor[2]);

#endif
