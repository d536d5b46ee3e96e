/* owner.h: the rank that owns a cell, for boxes of any kind that tile the mesh.
 *
 * The cells of dist/box_index.h are a coarse mesh, each cell of which has one owner: one for each rank for slabs, pencils
 * and bricks, and more for boxes whose edges are not aligned. */
#ifndef MFFT_PARTICLES_OWNER_H
#define MFFT_PARTICLES_OWNER_H

#include "base/box.h"
#include "base/status.h"

typedef struct mfft_pm_owner mfft_pm_owner;

/* The boxes box[ranks] tile the mesh, and must exist as long as the owner.  Fails with MFFT_ERR_MEMORY. */
mfft_status mfft_pm_owner_create(const mfft_box *box, int ranks, mfft_pm_owner **owner);
void mfft_pm_owner_destroy(mfft_pm_owner *owner); /* accepts NULL */

/* The rank that owns a cell of the mesh.  guess: the rank whose box is tried first, which saves the search if it is right.
 */
int mfft_pm_owner_of(const mfft_pm_owner *owner, const int64_t cell[3], int guess);

/* ---- The coarse mesh as tables, for a device -------------------------------------------------------------------------- */

/* The edges of the coarse cells on an axis. */
typedef struct mfft_pm_owner_table {
  const int64_t *edge; /* [count] ascending, from 0 to the cells of the mesh */
  int64_t count;
} mfft_pm_owner_table;
mfft_pm_owner_table mfft_pm_owner_table_of(const mfft_pm_owner *owner, int axis);

/* The ranks that own the coarse cells, [cells] in C order; NULL if there are too many of these for a table. */
const int32_t *mfft_pm_owner_ranks(const mfft_pm_owner *owner);

/* The number of coarse cells, and the bytes of all tables. */
size_t mfft_pm_owner_cells(const mfft_pm_owner *owner);
size_t mfft_pm_owner_bytes(const mfft_pm_owner *owner);

#endif
