/* stencil.h: the ghost cells around the own cells of a rank that differences of four points need (difference.h): two layers
 * beyond those that the window of mass assignment needs. */
#ifndef MFFT_PARTICLES_STENCIL_H
#define MFFT_PARTICLES_STENCIL_H

#include "particles/ghosts.h"
#include "plan/particle_calls.h"

enum { MFFT_PM_REACH = 2 }; /* cells on either side that a difference reads */

typedef struct mfft_pm_stencil {
  mfft_pm_grid grid;         /* that of the mesh, but with the ghost cells of the stencil */
  mfft_pm_parts parts;       /* own cells and rims */
  mfft_pm_ghosts *ghosts;    /* the exchange of the ghost cells */
  mfft_particle_space space; /* the geometry for the calls of a device, if the mesh is on one */
} mfft_pm_stencil;

/* The number of cells of all rims. */
int64_t mfft_pm_stencil_rims(const mfft_pm_grid *grid);

/* The number of cells of the largest tile with these ghost cells. */
size_t mfft_pm_stencil_tile(const mfft_pm_grid *grid);

/* grid: that of the mesh.  box[ranks]: the own boxes of all ranks.  Not collective. */
mfft_status mfft_pm_stencil_create(MPI_Comm comm, int rank, int ranks, const mfft_box *box, const mfft_pm_grid *grid,
                                   mfft_pm_stencil **stencil);
void mfft_pm_stencil_destroy(mfft_pm_stencil *stencil); /* accepts NULL */

/* Bytes of the exchange of the ghost cells; 0 for NULL. */
size_t mfft_pm_stencil_bytes(const mfft_pm_stencil *stencil);

#endif
