/* grid.h: the geometry of a particle mesh on one rank, and the cells of positions.  Pure functions, no MPI.
 *
 * A position becomes a coordinate g = x*n/length in [0, n), in cells, by operations on the position alone, so that every
 * rank computes the same for the same particle.  Its cell is floor(g).  The points of the window of a particle lie within
 * `low` cells below and `high` above its own: ghost cells if that is beyond the box. */
#ifndef MFFT_PARTICLES_GRID_H
#define MFFT_PARTICLES_GRID_H

#include "base/box.h"
#include "base/status.h"
#include "mfft_particles.h"

typedef struct mfft_pm_grid {
  int64_t n[3];      /* [axis] cells of the mesh */
  double cells[3];   /* [axis] n/length: cells in a unit of length */
  mfft_box own;      /* own cells of this rank, in any order of axes */
  int64_t stride[3]; /* [axis] strides of the plan's IN array, in elements */
  int order;         /* mfft_assignment */
  double shift;      /* position of mesh point 0 in cells: 0, or 1/2 if centered */
  int low, high;     /* ghost cells below and above the own cells */
} mfft_pm_grid;

/* The number of coordinates computed at a time. */
enum { MFFT_PM_BATCH = 64 };

/* Sets low and high from the order and the shift. */
void mfft_pm_grid_ghosts(mfft_pm_grid *grid);

/* The box of own cells with its ghost cells, not wrapped. */
mfft_box mfft_pm_grid_extended(const mfft_pm_grid *grid);

/* Computes coordinates g[axis][i] of the particles first to first + count - 1, count <= MFFT_PM_BATCH.  Returns the index of
 * the first position that is not finite, or -1. */
int64_t mfft_pm_locate(const mfft_pm_grid *grid, const mfft_particles *particles, int64_t first, int count,
                       double g[3][MFFT_PM_BATCH]);

/* Fails with MFFT_ERR_NONFINITE for the coordinate that is not finite of the particle at an index of the arrays, which the
 * caller knows as particle i. */
mfft_status mfft_pm_refuse_position(const mfft_particles *particles, int64_t at, int64_t i);

/* Fails with MFFT_ERR_ARG for particle i, which has coordinates outside of the own cells. */
mfft_status mfft_pm_refuse_foreign(const mfft_pm_grid *grid, int64_t i, const double g[3]);

/* The same for any particles on a rank without cells. */
mfft_status mfft_pm_refuse_all(const mfft_pm_grid *grid, const mfft_particles *particles);

/* Bytes of one coordinate. */
int mfft_pm_position_bytes(mfft_position_type type);

/* Checks a caller's particles and fills in defaults. */
mfft_status mfft_pm_take_particles(const mfft_particles *given, mfft_particles *particles);

#endif
