/* ewald.h: accelerations of some particles by a direct Ewald sum over all particles, as a reference for those by a mesh.
 *
 * The force of a periodic lattice of point masses is split at a scale 1/alpha (Ewald 1921; Hernquist, Bouchet and Suto
 * 1991):
 *
 *     near    -G m d/r^3 (erfc(alpha r) + 2 alpha r/sqrt(pi) exp(-alpha^2 r^2)), over images with alpha r < 6
 *     far     -G (4 pi/V) sum over k of k/k^2 exp(-k^2/(4 alpha^2)) Im(exp(i k.x) S(k)), S(k) = sum of m exp(-i k.x)
 *
 * with alpha = 5/L, L the shortest side, and k up to 9 times 2 pi/L: the truncation error is below 1e-12 of the force of a
 * particle at a distance of L.  The work is the number of targets times the number of particles, divided over the ranks. */
#ifndef MFFT_APPS_EWALD_H
#define MFFT_APPS_EWALD_H

#include "mfft.h"

typedef struct mfft_ewald {
  double length[3];       /* [axis] sides of the box */
  int64_t count;          /* number of particles of this rank */
  const double *position; /* [count][3] */
  const double *mass;     /* [count]; NULL: all masses are 1 */
} mfft_ewald;

/* Computes the accelerations for G = 1 at the positions `at` of targets, which are among the particles and the same on all
 * ranks; so are the results.  Collective. */
mfft_status mfft_ewald_forces(const mfft_ewald *particles, int64_t targets, const double *at /* [targets][3] */,
                              double *force /* [targets][3] */);

#endif
