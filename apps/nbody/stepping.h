/* stepping.h: kick and drift factors of particle-mesh integrators, as one table.
 *
 * Lengths are comoving and H0 = 1.  A particle has its position x and the momentum p = a^2 dx/dt = a^3 E dx/da, which GADGET
 * stores as p / a^(3/2) (a "velocity" of dx/dt sqrt(a)).  g = -grad phi with laplacian(phi) = 3/2 Om delta does not depend
 * on the units of mass: dp/da = g / (a^2 E).  Every integrator moves
 *
 *     drift from a0 to a1:   x += drift(a0, a1, ar) p       with p as it is at ar
 *     kick from a0 to a1:    p  = keep p + kick g           with g as it is at ar; keep = 1 but for BullFrog
 *
 * | name     | factors                                                                            | source |
 * |----------|------------------------------------------------------------------------------------|--------|
 * | leapfrog | the integrals of da/(a^3 E) and da/(a^2 E): exact for constant p and g             | Quinn, Katz, Stadel,
 * Lake 1997, astro-ph/9710043 | | fastpm   | p as D1' and g as D1 between the times: exact for the Zel'dovich approximation
 * | Feng, Chu, Seljak, McDonald 2016, eq. 18-25, arXiv:1603.00476 | | cola     | of what remains beyond 2LPT, which is taken
 * to go as a^-2.5                        | Tassev, Zaldarriaga, Eisenstein 2013, eq. A.15, arXiv:1301.0322 | | bullfrog |
 * keep and kick such that 2LPT is exact up to the first order in s2                  | Rampf, List, Hahn 2025,
 * arXiv:2409.19049 |
 *
 * bullfrog is a drift-kick-drift method: its ar is the time between the two drifts, at which D1 is the mean of those at a0
 * and a1 (mfft_stepping_middle); half a drift goes from a0 to ar with p at a0, the other from ar to a1 with p at a1.
 *
 * COLA: x = (LPT part) + (rest), and p is the momentum of the rest.  A kick takes g - mfft_cola_pull, a drift adds the
 * difference of the LPT displacements D1 s1 + D2 s2 at the two times. */
#ifndef MFFT_APPS_STEPPING_H
#define MFFT_APPS_STEPPING_H

#include "nbody/background.h"

typedef struct mfft_stepping {
  const char *name;
  double (*drift)(const mfft_background *background, double a0, double a1, double ar);
  double (*kick)(const mfft_background *background, double a0, double a1, double ar, double *keep);
  int with_lpt;   /* 1: COLA */
  int drift_kick; /* 1: drift-kick-drift is the only sequence */
} mfft_stepping;

enum { MFFT_STEPPINGS = 4 };
extern const mfft_stepping mfft_steppings[MFFT_STEPPINGS]; /* in the sequence of the table above */
#define MFFT_STEPPING_NAMES "leapfrog|fastpm|cola|bullfrog"

/* The a at which D1 is the mean of those at a0 and a1. */
double mfft_stepping_middle(const mfft_background *background, double a0, double a1);

/* g of LPT at a is pull[0] s1 + pull[1] s2, and p of LPT push[0] s1 + push[1] s2. */
void mfft_cola_pull(const mfft_background *background, double a, double pull[2]);
void mfft_lpt_momentum(const mfft_background *background, double a, double push[2]);

#endif
