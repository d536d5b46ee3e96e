/* stencil.c: see stencil.h. */
#include "particles/stencil.h"

#include <stdlib.h>

#include "particles/bins.h"

static void make_geometry(const mfft_pm_grid *of, mfft_pm_grid *grid, mfft_pm_parts *parts) {
  *grid = *of;
  grid->low += MFFT_PM_REACH;
  grid->high += MFFT_PM_REACH;
  mfft_pm_parts_make(grid, parts);
}

int64_t mfft_pm_stencil_rims(const mfft_pm_grid *of) {
  mfft_pm_grid grid;
  mfft_pm_parts parts;
  make_geometry(of, &grid, &parts);
  return parts.rim_count;
}

size_t mfft_pm_stencil_tile(const mfft_pm_grid *grid) {
  size_t cells = 1;
  for (int a = 0; a < 3; a++)
    cells *= ((size_t)1 << mfft_pm_tile_log[a]) + (size_t)(grid->low + grid->high) + 2 * MFFT_PM_REACH;
  return cells;
}

mfft_status mfft_pm_stencil_create(MPI_Comm comm, int rank, int ranks, const mfft_box *box, const mfft_pm_grid *grid,
                                   mfft_pm_stencil **stencil) {
  mfft_pm_stencil *s = calloc(1, sizeof *s);
  if (!s) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the differences of a potential");
  make_geometry(grid, &s->grid, &s->parts);
  const mfft_status status = mfft_pm_ghosts_create(comm, rank, ranks, box, &s->grid, &s->parts, &s->ghosts);
  if (status == MFFT_SUCCESS)
    *stencil = s;
  else
    free(s);
  return status;
}

void mfft_pm_stencil_destroy(mfft_pm_stencil *stencil) {
  if (!stencil) return;
  mfft_pm_ghosts_destroy(stencil->ghosts);
  free(stencil);
}

size_t mfft_pm_stencil_bytes(const mfft_pm_stencil *stencil) { return stencil ? mfft_pm_ghosts_bytes(stencil->ghosts) : 0; }
