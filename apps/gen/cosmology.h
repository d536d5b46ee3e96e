/* cosmology.h: the linear power spectrum of a LambdaCDM universe.
 *
 * Lengths in Mpc/h and wave numbers in h/Mpc.  P(k) = A k^ns T(k)^2 D(z)^2 / D(0)^2 with the transfer function of Eisenstein
 * and Hu (1998), baryon wiggles included, and A such that the density in spheres of 8 Mpc/h at z = 0 has the standard
 * deviation sigma8.  Or P(k) is a table (spectrum_table.h), scaled by D(z)^2 and, where it is asked for, to sigma8. */
#ifndef MFFT_APPS_COSMOLOGY_H
#define MFFT_APPS_COSMOLOGY_H

#include "gen/spectrum_table.h"

typedef struct mfft_cosmology {
  double omega_m;      /* matter, baryons included, in units of the critical density today */
  double omega_b;      /* baryons, > 0 */
  double omega_lambda; /* cosmological constant; the remainder to 1 is curvature */
  double h;            /* H0 / (100 km/s/Mpc) */
  double ns;           /* spectral index */
  double sigma8;
  double t_cmb; /* K */
} mfft_cosmology;

/* The quantities of a cosmology that the transfer function needs: Eisenstein and Hu's section 3, names as there. */
typedef struct mfft_transfer {
  double h, f_baryon, k_equality, sound_horizon, k_silk; /* 1/Mpc and Mpc, without h */
  double alpha_c, beta_c, alpha_b, beta_b, beta_node;
} mfft_transfer;

void mfft_transfer_init(mfft_transfer *transfer, const mfft_cosmology *cosmology);
double mfft_transfer_value(const mfft_transfer *transfer, double k); /* T(k), 1 at k = 0 */

/* D(z) / D(0) = g(a) / g(1) with g(a) = H(a) times the integral of da / (a H)^3 from 0 to a (Heath 1977): matter, curvature
 * and a cosmological constant, no radiation. */
double mfft_growth(const mfft_cosmology *cosmology, double redshift);

/* 3 H0^2 / (8 pi G) in 1e10 solar masses/h for a (Mpc/h)^3, with G of the constants that GADGET-4 has for these units. */
double mfft_critical_density(void);

typedef struct mfft_spectrum {
  mfft_transfer transfer;
  double ns, amplitude;      /* P(k) = amplitude * k^ns * T(k)^2, or the amplitude times the value of the table */
  mfft_spectrum_table table; /* empty: the formula; belongs to whoever made it */
} mfft_spectrum;

/* The spectrum at a redshift, by the formula. */
void mfft_spectrum_init(mfft_spectrum *spectrum, const mfft_cosmology *cosmology, double redshift);

/* The same by a table of the spectrum at redshift `made`.  A sigma8 of NAN leaves its amplitude. */
void mfft_spectrum_init_table(mfft_spectrum *spectrum, const mfft_spectrum_table *table, double made,
                              const mfft_cosmology *cosmology, double redshift);

double mfft_spectrum_value(const mfft_spectrum *spectrum, double k); /* P(k) in (Mpc/h)^3; 0 at k = 0 */

/* The standard deviation of the density in spheres of a radius, by Simpson's rule in ln k, over the waves of the table if
 * there is one. */
double mfft_spectrum_sigma(const mfft_spectrum *spectrum, double radius);

#endif
