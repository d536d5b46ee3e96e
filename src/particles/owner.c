/* owner.c: see owner.h. */
#include "particles/owner.h"

#include <stdlib.h>

#include "dist/box_index.h"

struct mfft_pm_owner {
  mfft_layout layout; /* of the caller's boxes */
  mfft_box_index index;
};

mfft_status mfft_pm_owner_create(const mfft_box *box, int ranks, mfft_pm_owner **owner) {
  enum { MOST_CELLS = 1 << 24 };
  mfft_pm_owner *o = calloc(1, sizeof *o);
  if (!o) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the owners of cells");
  o->layout = (mfft_layout){.ranks = ranks, .box = (mfft_box *)box}; /* the index only reads the boxes */
  const mfft_status status = mfft_box_index_make_within(&o->layout, MOST_CELLS, &o->index);
  if (status == MFFT_SUCCESS)
    *owner = o;
  else
    free(o);
  return status;
}

void mfft_pm_owner_destroy(mfft_pm_owner *o) {
  if (!o) return;
  mfft_box_index_free(&o->index);
  free(o);
}

/* Whether a cell is in a box. */
static int holds(const mfft_box *box, const int64_t cell[3]) {
  for (int a = 0; a < 3; a++)
    if (cell[a] < box->lo[a] || cell[a] >= box->hi[a]) return 0;
  return 1;
}

int mfft_pm_owner_of(const mfft_pm_owner *o, const int64_t cell[3], int guess) {
  const mfft_layout *layout = &o->layout;
  if (holds(&layout->box[guess], cell)) return guess;
  if (o->index.cell) return mfft_box_index_at(&o->index, cell);
  int rank = 0;
  while (rank < layout->ranks - 1 && !holds(&layout->box[rank], cell)) rank++;
  return rank;
}

mfft_pm_owner_table mfft_pm_owner_table_of(const mfft_pm_owner *o, int axis) {
  return (mfft_pm_owner_table){o->index.bound[axis], o->index.bounds[axis]};
}

const int32_t *mfft_pm_owner_ranks(const mfft_pm_owner *o) { return o->index.cell; }

size_t mfft_pm_owner_cells(const mfft_pm_owner *o) {
  const int64_t *bounds = o->index.bounds;
  return (size_t)((bounds[0] - 1) * (bounds[1] - 1) * (bounds[2] - 1));
}

size_t mfft_pm_owner_bytes(const mfft_pm_owner *o) {
  const int64_t *bounds = o->index.bounds;
  return (size_t)(bounds[0] + bounds[1] + bounds[2]) * sizeof(int64_t) + mfft_pm_owner_cells(o) * sizeof(int32_t);
}
