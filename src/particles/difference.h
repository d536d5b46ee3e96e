/* difference.h: forces -gradient(phi) at particles by four-point differences of the potential on the mesh.
 *
 * Along axis a, with h the width of a cell: -(8 (phi[i+1] - phi[i-1]) - (phi[i+2] - phi[i-2])) / (12 h), in double, rounded
 * once to the precision of the mesh.  Its symbol in k-space is that of MFFT_GREEN_GRADIENT_FD4.  Differences are taken as a
 * tile of the potential is loaded for the particles in it, so that no array holds a component of the force; ghost cells of
 * the potential reach two cells beyond those of the window (stencil.h).  The sequence of operations is the same for each
 * cell on every rank, on CPUs and GPUs, and none may be fused with a result that differs. */
#ifndef MFFT_PARTICLES_DIFFERENCE_H
#define MFFT_PARTICLES_DIFFERENCE_H

#include "particles/mesh.h"

/* Makes the geometry and the exchange of the ghost cells, if the mesh has none yet.  Not collective. */
mfft_status mfft_pm_difference_create(mfft_particle_mesh mesh);

/* The results that are computed from a potential as a gather loads it. */
typedef struct mfft_pm_slopes {
  mfft_particle_mesh mesh;
  mfft_pm_arrays potential; /* an IN array of the plan, and its ghost cells */
  int fields;               /* number of results */
  int axis[4];              /* [fields] 0 to 2: a component of the force; -1: the potential */
  double factor[4];         /* [fields] -1/(12 h) */
} mfft_pm_slopes;

/* Describes the results axis[fields], for a mesh whose work arrays are reserved. */
mfft_pm_slopes mfft_pm_slopes_make(mfft_particle_mesh mesh, void *potential, const int *axis, int fields);

/* Fills in the ghost cells of the potential.  Collective, between mfft_pm_enter and mfft_pm_leave. */
mfft_status mfft_pm_slopes_fetch(const mfft_pm_slopes *slopes);

/* Computes the results in a tile of the mesh's bins: buffer[fields][cells].  wide: memory for the potential in the tile with
 * the ghost cells of the stencil (mfft_pm_stencil_tile). */
void mfft_pm_slopes_load(const mfft_pm_slopes *slopes, const mfft_pm_tile *tile, double *buffer, int64_t cells,
                         double *wide);

#endif
