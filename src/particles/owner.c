/* owner.c: see owner.h. */
#include "particles/owner.h"

#include <stdlib.h>
#include <string.h>

struct mfft_pm_owner {
  const mfft_box *box; /* [ranks] not owned */
  int ranks;
  int64_t edges[3]; /* [axis] number of edges */
  int64_t *edge[3]; /* [edges[axis]] ascending, from 0; the last is n */
  int32_t *rank;    /* [edges[0] - 1][edges[1] - 1][edges[2] - 1]; NULL: too many cells, all boxes are searched */
};

static int ascending(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The index of the interval that contains a coordinate. */
static int64_t interval(const int64_t *edge, int64_t edges, int64_t at) {
  int64_t low = 0, high = edges - 1;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (edge[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static mfft_status find_edges(mfft_pm_owner *o, int axis, int64_t n) {
  int64_t *edge = malloc((2 * (size_t)o->ranks + 2) * sizeof *edge), count = 0, distinct = 0;
  o->edge[axis] = edge;
  if (!edge) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the edges of %d boxes", o->ranks);
  edge[count++] = 0;
  edge[count++] = n;
  for (int r = 0; r < o->ranks; r++) {
    if (mfft_box_empty(&o->box[r])) continue;
    edge[count++] = o->box[r].lo[axis];
    edge[count++] = o->box[r].hi[axis];
  }
  qsort(edge, (size_t)count, sizeof *edge, ascending);
  for (int64_t i = 0; i < count; i++)
    if (!distinct || edge[i] != edge[distinct - 1]) edge[distinct++] = edge[i];
  o->edges[axis] = distinct;
  return MFFT_SUCCESS;
}

/* Writes the rank into the coarse cells of its box. */
static void mark(mfft_pm_owner *o, int rank) {
  int64_t lo[3], hi[3];
  for (int a = 0; a < 3; a++) {
    lo[a] = interval(o->edge[a], o->edges[a], o->box[rank].lo[a]);
    hi[a] = interval(o->edge[a], o->edges[a], o->box[rank].hi[a] - 1) + 1;
  }
  for (int64_t x = lo[0]; x < hi[0]; x++)
    for (int64_t y = lo[1]; y < hi[1]; y++)
      for (int64_t z = lo[2]; z < hi[2]; z++) o->rank[(x * (o->edges[1] - 1) + y) * (o->edges[2] - 1) + z] = rank;
}

mfft_status mfft_pm_owner_create(const mfft_box *box, int ranks, const int64_t n[3], mfft_pm_owner **owner) {
  enum { MOST = 1 << 24 };
  mfft_status status = MFFT_SUCCESS;
  mfft_pm_owner *o = calloc(1, sizeof *o);
  if (!o) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the owners of cells");
  o->box = box;
  o->ranks = ranks;
  double cells = 1;
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    status = find_edges(o, a, n[a]);
    cells *= (double)o->edges[a] - 1;
  }
  if (status == MFFT_SUCCESS && cells <= MOST) {
    o->rank = calloc((size_t)cells + 1, sizeof *o->rank);
    if (!o->rank) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the owners of %.0f blocks of cells", cells);
  }
  for (int r = 0; r < ranks && o->rank; r++)
    if (!mfft_box_empty(&box[r])) mark(o, r);
  if (status == MFFT_SUCCESS)
    *owner = o;
  else
    mfft_pm_owner_destroy(o);
  return status;
}

void mfft_pm_owner_destroy(mfft_pm_owner *o) {
  if (!o) return;
  for (int a = 0; a < 3; a++) free(o->edge[a]);
  free(o->rank);
  free(o);
}

static int holds(const mfft_box *box, const int64_t cell[3]) {
  for (int a = 0; a < 3; a++)
    if (cell[a] < box->lo[a] || cell[a] >= box->hi[a]) return 0;
  return 1;
}

int mfft_pm_owner_of(const mfft_pm_owner *o, const int64_t cell[3], int guess) {
  if (holds(&o->box[guess], cell)) return guess;
  if (o->rank) {
    int64_t at = 0;
    for (int a = 0; a < 3; a++) at = at * (o->edges[a] - 1) + interval(o->edge[a], o->edges[a], cell[a]);
    return o->rank[at];
  }
  int rank = 0;
  while (rank < o->ranks - 1 && !holds(&o->box[rank], cell)) rank++;
  return rank;
}

mfft_pm_owner_table mfft_pm_owner_table_of(const mfft_pm_owner *o, int axis) {
  return (mfft_pm_owner_table){o->edge[axis], o->edges[axis]};
}

const int32_t *mfft_pm_owner_ranks(const mfft_pm_owner *o) { return o->rank; }

size_t mfft_pm_owner_cells(const mfft_pm_owner *o) {
  return (size_t)((o->edges[0] - 1) * (o->edges[1] - 1) * (o->edges[2] - 1));
}

size_t mfft_pm_owner_bytes(const mfft_pm_owner *o) {
  return (size_t)(o->edges[0] + o->edges[1] + o->edges[2]) * sizeof(int64_t) + mfft_pm_owner_cells(o) * sizeof(int32_t);
}
