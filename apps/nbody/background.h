/* background.h: expansion and linear growth of a universe of matter, radiation, curvature and a cosmological constant.
 *
 * a is the scale factor, 1 today; H0 = 1.  E(a) = H(a)/H0 with E^2 = Om/a^3 + Or/a^4 + Ok/a^2 + OL and Ok = 1 - Om - Or -
 * OL.
 *
 * Growth factors are those of Lagrangian perturbation theory, where a particle is displaced by D1 s1 + D2 s2.  With ' for
 * d/d ln a they are the growing solutions of
 *
 *     D1'' + (2 + E'/E) D1' = 3/2 Om(a) D1            Om(a) = Om / (a^3 E^2): matter alone clusters
 *     D2'' + (2 + E'/E) D2' = 3/2 Om(a) (D2 - D1^2)   (Bouchet et al. 1995, eq. 23 and 24; D2 = -3/7 D1^2 for Om = 1)
 *
 * D1(1) = 1 and so D2(1) is near -3/7.  They are tabulated once by the Runge-Kutta method of fourth order in ln a, from deep
 * in the radiation era (D1 = 1 + 3/2 a Om/Or, Meszaros 1974), or in the matter era without radiation, and interpolated by
 * cubic Hermite polynomials: relative errors are below 1e-9 (t608). */
#ifndef MFFT_APPS_BACKGROUND_H
#define MFFT_APPS_BACKGROUND_H

#include "gen/cosmology.h"

#define MFFT_BACKGROUND_A_MIN 1e-5 /* smallest tabulated a, at redshift 1e5 */
#define MFFT_BACKGROUND_A_MAX 4.0  /* largest tabulated a */

enum { MFFT_BACKGROUND_STEPS = 8192 }; /* steps of the table from the first a of the integration to a = 1 */

typedef struct mfft_background {
  double omega_m, omega_r, omega_k, omega_lambda;
  double step;  /* step of the table in ln a */
  int count;    /* nodes; node MFFT_BACKGROUND_STEPS is a = 1 */
  double *node; /* [count][4] D1, D1', D2, D2' with ' for d/d ln a */
} mfft_background;

/* Makes the table.  Returns 0, or -1 if memory is exhausted or if E^2 is negative at some a from 0 to MFFT_BACKGROUND_A_MAX
 * (a universe without a big bang, or one that collapses); `background` must then not be used.  free accepts a zeroed object
 * and one whose creation failed. */
int mfft_background_create(const mfft_cosmology *cosmology, double omega_r, mfft_background *background);
void mfft_background_free(mfft_background *background);

double mfft_background_hubble(const mfft_background *background, double a);       /* E(a) */
double mfft_background_matter(const mfft_background *background, double a);       /* Om(a) */
double mfft_background_hubble_slope(const mfft_background *background, double a); /* d ln E / d ln a */

/* Growth at a, from MFFT_BACKGROUND_A_MIN to MFFT_BACKGROUND_A_MAX; f = d ln D / d ln a. */
typedef struct mfft_growth_factors {
  double d1, d2, f1, f2;
} mfft_growth_factors;
mfft_growth_factors mfft_background_growth(const mfft_background *background, double a);

#endif
