/* difference.h: the force -gradient(phi) as a four-point difference on the mesh of the potential.
 *
 * Along axis a, with h the width of a cell: -(8 (phi[i+1] - phi[i-1]) - (phi[i+2] - phi[i-2])) / (12 h), in double, rounded
 * once to the precision of the mesh.  Its symbol in k-space is that of MFFT_GREEN_GRADIENT_FD4.  The cells beyond this
 * rank's are fetched as two layers of ghost cells, whatever the window of the mesh has.  The sequence of operations is the
 * same for each cell on every rank, on CPUs and GPUs, and none may be fused with a result that differs. */
#ifndef MFFT_PARTICLES_DIFFERENCE_H
#define MFFT_PARTICLES_DIFFERENCE_H

#include "particles/mesh.h"

/* Makes the geometry and the exchange of the ghost cells, if the mesh has none yet.  Not collective. */
mfft_status mfft_pm_difference_create(mfft_particle_mesh mesh);

/* fetch: the ghost cells of the potential, an IN array of the plan.  take: its difference along an axis, in another IN
 * array. Both are called between mfft_pm_enter and mfft_pm_leave, on arrays of a mesh whose work arrays are reserved.  fetch
 * is collective. */
mfft_status mfft_pm_difference_fetch(mfft_particle_mesh mesh, void *potential);
mfft_status mfft_pm_difference_take(mfft_particle_mesh mesh, void *potential, int axis, void *force);

#endif
