/* stencil.h: the ghost cells around the own cells of a rank that differences of four points need (difference.h): two layers
 * beyond those of the window of the mesh. */
#ifndef MFFT_PARTICLES_STENCIL_H
#define MFFT_PARTICLES_STENCIL_H

#include "particles/ghosts.h"
#include "plan/particle_calls.h"

enum { MFFT_PM_REACH = 2 }; /* cells on either side that a difference reads */

typedef struct mfft_pm_stencil {
  mfft_pm_grid grid; /* of the mesh, with the ghost cells of the stencil */
  mfft_pm_parts parts;
  mfft_pm_ghosts *ghosts;
  mfft_particle_space space; /* on a device */
} mfft_pm_stencil;

/* Cells of all rims; and of the largest tile with these ghost cells. */
int64_t mfft_pm_stencil_rims(const mfft_pm_grid *grid);
size_t mfft_pm_stencil_tile(const mfft_pm_grid *grid);

/* grid: that of the mesh; box[ranks]: the own boxes.  Not collective.  destroy accepts NULL; bytes: 0 for NULL. */
mfft_status mfft_pm_stencil_create(MPI_Comm comm, int rank, int ranks, const mfft_box *box, const mfft_pm_grid *grid,
                                   mfft_pm_stencil **stencil);
void mfft_pm_stencil_destroy(mfft_pm_stencil *stencil);
size_t mfft_pm_stencil_bytes(const mfft_pm_stencil *stencil);

#endif
