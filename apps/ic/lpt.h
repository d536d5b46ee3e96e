/* lpt.h: displacements of Lagrangian perturbation theory from the modes of a linear density contrast.
 *
 * A particle at the lattice point q is at x = q + psi1 + psi2 (Bouchet et al. 1995; Scoccimarro 1998, appendix D):
 *
 *     psi1 = -grad phi1           laplacian(phi1) = delta
 *     psi2 = r grad phi2          laplacian(phi2) = sum over i < j of (phi1,ii phi1,jj - phi1,ij^2)
 *
 * with delta and r = D2 / D1^2, about -3/7, at the redshift of the initial conditions.  Derivatives are spectral, by filters
 * of the backward transforms: i k, and 0 at the wave number n/2 of an even n.  The products of psi2 are computed on a mesh
 * of 3/2 the side (mfft_plan_copy_modes), so that psi2 is free of aliases; the modes of delta at n/2 do not contribute.
 * There are 1 + 6 + 1 + 3 transforms.  All arrays are in the memory of the plan: on a GPU nothing of this is done on the
 * host. */
#ifndef MFFT_APPS_LPT_H
#define MFFT_APPS_LPT_H

#include "mesh/mesh.h"

typedef struct mfft_lpt {
  const mfft_mesh *mesh;
  mfft_mesh_plan *plan; /* filtered plan of the mesh (mfft_mesh_filtered_create); plan->modes: delta, unscaled, unchanged */
  void *second;         /* OUT array of the plan: modes of the source of phi2 times `ratio`; NULL until mfft_lpt_second */
  double ratio;         /* cells of the finer mesh to those of the mesh */
} mfft_lpt;

/* Computes the source of phi2 from delta.  Collective. */
mfft_status mfft_lpt_second(mfft_lpt *lpt, const mfft_plan_options *options, const mfft_sweep_options *sweep);

/* Computes component `axis` of psi1 (order 1) or of psi2 / r (order 2) in lpt->plan->real; order 0: delta.  Collective. */
mfft_status mfft_lpt_displacement(mfft_lpt *lpt, int order, int axis);

/* The side of the finer mesh: at least 3n/2, and with the prime factors of 3n/2. */
int64_t mfft_lpt_fine_side(int64_t n);

/* Arrays of the finer mesh's IN side that mfft_lpt_second has beside its plan. */
enum { MFFT_LPT_FIELDS = 3 };

void mfft_lpt_free(mfft_lpt *lpt);

#endif
