/* ghosts.h: the exchange of ghost cells with the ranks that own them.
 *
 * A ghost cell outside of the mesh is the cell of the periodic image.  A deposit folds: it adds the rims of all ranks to the
 * own cells of their owners.  A gather fills: it copies own cells to the rims of all ranks.  A rim may contain the same cell
 * more than once, if the window of mass assignment is wider than the mesh, and its cells may belong to several ranks, this
 * one included: each intersection of a rim of one rank with a periodic image of the box of another is one block. */
#ifndef MFFT_PARTICLES_GHOSTS_H
#define MFFT_PARTICLES_GHOSTS_H

#include <mpi.h>

#include "dist/dynamic.h"
#include "particles/parts.h"
#include "plan/particle_calls.h"

typedef struct mfft_pm_ghosts mfft_pm_ghosts;

/* box[ranks]: the own boxes.  Not collective. */
mfft_status mfft_pm_ghosts_create(MPI_Comm comm, int rank, int ranks, const mfft_box *box, const mfft_pm_grid *grid,
                                  const mfft_pm_parts *parts, mfft_pm_ghosts **ghosts);

/* From now on cells are in the memory of the plan's device, which is current in all calls.  dynamic: sends those that other
 * ranks own; NULL on a single rank. */
mfft_status mfft_pm_ghosts_on_device(mfft_pm_ghosts *ghosts, mfft_plan plan, mfft_dynamic *dynamic);

void mfft_pm_ghosts_destroy(mfft_pm_ghosts *ghosts); /* accepts NULL */

/* Bytes of packed cells and of lists of blocks. */
size_t mfft_pm_ghosts_bytes(const mfft_pm_ghosts *ghosts);

/* First half of a fold: sends the rims, of int64_t, to the owners of their cells, who keep what arrives until the next call.
 * Collective if there are several ranks. */
mfft_status mfft_pm_ghosts_collect(mfft_pm_ghosts *ghosts, void *rims);

/* Second half: adds what has arrived to the cells with indices [lo, hi) on an axis of an array of int64_t, which has the box
 * and the strides of `part` and may be a part of the own cells.  Not collective. */
mfft_status mfft_pm_ghosts_add(mfft_pm_ghosts *ghosts, const mfft_pm_part *part, void *cells, int axis, int64_t lo,
                               int64_t hi);

/* Copies own cells, of the precision of the mesh, to the rims of all ranks.  Collective if there are several ranks. */
mfft_status mfft_pm_ghosts_fill(mfft_pm_ghosts *ghosts, const mfft_pm_arrays *arrays, mfft_precision precision);

#endif
