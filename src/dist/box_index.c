/* box_index.c: see box_index.h. */
#include "dist/box_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "base/status.h"

enum { MOST_CELLS_A_RANK = 4 };

static int compare_ranks(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* The distinct bounds of all boxes on an axis. */
static mfft_status find_bounds(const mfft_layout *layout, int axis, mfft_box_index *index) {
  int64_t *bound = malloc((2 * (size_t)layout->ranks + 1) * sizeof *bound), count = 0, distinct = 0; /* [2 * ranks] */
  if (!bound) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the bounds of %d boxes", layout->ranks);
  for (int r = 0; r < layout->ranks; r++) {
    if (mfft_box_empty(&layout->box[r])) continue;
    bound[count++] = layout->box[r].lo[axis];
    bound[count++] = layout->box[r].hi[axis];
  }
  qsort(bound, (size_t)count, sizeof *bound, mfft_ascending_int64);
  for (int64_t i = 0; i < count; i++)
    if (!distinct || bound[distinct - 1] != bound[i]) bound[distinct++] = bound[i];
  int64_t *fitting = realloc(bound, ((size_t)distinct + 1) * sizeof *bound);
  index->bound[axis] = fitting ? fitting : bound;
  index->bounds[axis] = distinct;
  return MFFT_SUCCESS;
}

/* The first cell of an axis whose upper bound is above x; the number of cells if there is none. */
static int64_t cell_of(const mfft_box_index *index, int axis, int64_t x) {
  int64_t low = 0, high = index->bounds[axis] - 1; /* of the cells */
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (index->bound[axis][middle + 1] > x)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The cells that a box meets: [first, end) on each axis, which is empty if the box lies before or beyond all of them. */
static void cells_of(const mfft_box_index *index, const mfft_box *box, int64_t first[3], int64_t end[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const int64_t cells = index->bounds[axis] - 1, last = cell_of(index, axis, box->hi[axis] - 1);
    const int before = box->hi[axis] <= index->bound[axis][0];
    first[axis] = cell_of(index, axis, box->lo[axis]);
    end[axis] = before ? first[axis] : last < cells ? last + 1 : cells;
  }
}

static int64_t cell_at(const mfft_box_index *index, const int64_t i[3]) {
  return (i[0] * (index->bounds[1] - 1) + i[1]) * (index->bounds[2] - 1) + i[2];
}

/* Gives a rank the cells of its box; 0: one of them has an owner. */
static int take_cells(mfft_box_index *index, int rank) {
  int64_t first[3], end[3], i[3]; /* [axis] */
  cells_of(index, &index->layout->box[rank], first, end);
  for (i[0] = first[0]; i[0] < end[0]; i[0]++)
    for (i[1] = first[1]; i[1] < end[1]; i[1]++)
      for (i[2] = first[2]; i[2] < end[2]; i[2]++) {
        int32_t *owner = &index->cell[cell_at(index, i)];
        if (*owner >= 0) return 0;
        *owner = rank;
      }
  return 1;
}

mfft_status mfft_box_index_make(const mfft_layout *layout, mfft_box_index *index) {
  return mfft_box_index_make_within(layout, (int64_t)MOST_CELLS_A_RANK * layout->ranks, index);
}

mfft_status mfft_box_index_make_within(const mfft_layout *layout, int64_t most_cells, mfft_box_index *index) {
  mfft_status status = MFFT_SUCCESS;
  *index = (mfft_box_index){.layout = layout};
  for (int axis = 0; axis < 3; axis++) MFFT_GOTO(fail, find_bounds(layout, axis, index));
  double cells = 1;
  for (int axis = 0; axis < 3; axis++) cells *= (double)(index->bounds[axis] - 1);
  if (cells < 1 || cells > (double)most_cells) return MFFT_SUCCESS;
  index->cell = malloc((size_t)cells * sizeof *index->cell);
  if (!index->cell) MFFT_GOTO(fail, mfft_fail(MFFT_ERR_MEMORY, "no memory for an index of %d boxes", layout->ranks));
  for (int64_t i = 0; i < (int64_t)cells; i++) index->cell[i] = -1;
  int alone = 1;
  for (int r = 0; alone && r < layout->ranks; r++)
    if (!mfft_box_empty(&layout->box[r])) alone = take_cells(index, r);
  if (!alone) {
    free(index->cell);
    index->cell = NULL;
  }
  return MFFT_SUCCESS;
fail:
  mfft_box_index_free(index);
  return status;
}

void mfft_box_index_free(mfft_box_index *index) {
  for (int axis = 0; axis < 3; axis++) free(index->bound[axis]);
  free(index->cell);
  *index = (mfft_box_index){0};
}

int mfft_box_index_cells(const mfft_box_index *index, const mfft_box *box, int64_t first[3], int64_t end[3]) {
  if (!index->cell || mfft_box_empty(box)) return 0;
  cells_of(index, box, first, end);
  return 1;
}

int mfft_box_index_at(const mfft_box_index *index, const int64_t i[3]) {
  int64_t cell[3]; /* [axis] */
  for (int axis = 0; axis < 3; axis++) cell[axis] = cell_of(index, axis, i[axis]);
  return index->cell[cell_at(index, cell)];
}

int mfft_box_index_find(const mfft_box_index *index, const mfft_box *box, int *rank) {
  int64_t first[3], end[3], i[3]; /* [axis] */
  int count = 0, distinct = 0;
  if (mfft_box_empty(box)) return 0;
  if (!index->cell) return mfft_layout_meeting(index->layout, box, rank);
  cells_of(index, box, first, end);
  double cells = 1;
  for (int axis = 0; axis < 3; axis++) cells *= (double)(end[axis] - first[axis]);
  if (cells > index->layout->ranks)
    return mfft_layout_meeting(index->layout, box, rank); /* a box of several cells would fill the list */
  for (i[0] = first[0]; i[0] < end[0]; i[0]++)
    for (i[1] = first[1]; i[1] < end[1]; i[1]++)
      for (i[2] = first[2]; i[2] < end[2]; i[2]++) {
        const int owner = index->cell[cell_at(index, i)];
        if (owner >= 0 && mfft_boxes_meet(&index->layout->box[owner], box)) rank[count++] = owner;
      }
  qsort(rank, (size_t)count, sizeof *rank, compare_ranks);
  for (int k = 0; k < count; k++)
    if (!distinct || rank[distinct - 1] != rank[k]) rank[distinct++] = rank[k];
  return distinct;
}
