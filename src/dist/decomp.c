/* decomp.c: pencils, slabs and bricks. */
#include "dist/decomp.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* The axes that P and Q divide in pencils along `axis`. */
static const int cut[3][2] = {[0] = {1, 2}, [1] = {0, 2}, [2] = {0, 1}}; /* [axis][P, Q] */

static mfft_status layout_new(int ranks, mfft_layout *layout) {
  layout->ranks = ranks;
  layout->owners = NULL;
  layout->box = malloc((size_t)ranks * sizeof *layout->box);
  return layout->box ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for the boxes of %d ranks", ranks);
}

mfft_status mfft_layout_pencils(const int64_t n[3], int axis, const int grid[2], const int *rank, mfft_layout *layout) {
  const int a = cut[axis][0], b = cut[axis][1];
  mfft_box box = mfft_box_whole(n);
  MFFT_TRY(layout_new(grid[0] * grid[1], layout));
  for (int p = 0, place = 0; p < grid[0]; p++) {
    box.lo[a] = mfft_part(n[a], p, grid[0]);
    box.hi[a] = mfft_part(n[a], p + 1, grid[0]);
    box.hi[b] = 0;
    for (int q = 0; q < grid[1]; q++, place++) {
      box.lo[b] = box.hi[b]; /* the end of the range before */
      box.hi[b] = mfft_part(n[b], q + 1, grid[1]);
      layout->box[rank ? rank[place] : place] = box;
    }
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_layout_copy(const mfft_layout *from, mfft_layout *to) {
  MFFT_TRY(layout_new(from->ranks, to));
  memcpy(to->box, from->box, (size_t)from->ranks * sizeof *to->box);
  return MFFT_SUCCESS;
}

mfft_status mfft_layout_share(mfft_layout *from, mfft_layout *to) {
  if (!from->owners) {
    from->owners = malloc(sizeof *from->owners);
    if (!from->owners) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the boxes of %d ranks", from->ranks);
    *from->owners = 1;
  }
  ++*from->owners;
  *to = *from;
  return MFFT_SUCCESS;
}

void mfft_layout_free(mfft_layout *layout) {
  if (!layout->owners || --*layout->owners == 0) {
    free(layout->box);
    free(layout->owners);
  }
  layout->box = NULL;
  layout->owners = NULL;
}

int mfft_layout_equal(const mfft_layout *a, const mfft_layout *b) {
  for (int rank = 0; rank < a->ranks; rank++)
    if (!mfft_box_equal(&a->box[rank], &b->box[rank])) return 0;
  return 1;
}

int mfft_layout_holds(const mfft_layout *layout, int axis, int64_t n) {
  for (int rank = 0; rank < layout->ranks; rank++)
    if (!mfft_box_empty(&layout->box[rank]) && mfft_box_extent(&layout->box[rank], axis) != n) return 0;
  return 1;
}

int64_t mfft_layout_longest(const mfft_layout *layout, int axis) {
  int64_t longest = 0;
  for (int rank = 0; rank < layout->ranks; rank++) {
    int64_t n = mfft_box_extent(&layout->box[rank], axis);
    if (n > longest) longest = n;
  }
  return longest;
}

int64_t mfft_layout_largest(const mfft_layout *layout) {
  int64_t largest = 0;
  for (int rank = 0; rank < layout->ranks; rank++) {
    int64_t count = mfft_box_count(&layout->box[rank]);
    if (count > largest) largest = count;
  }
  return largest;
}

int mfft_layout_meeting(const mfft_layout *layout, const mfft_box *box, int *rank) {
  int count = 0;
  for (int r = 0; r < layout->ranks; r++)
    if (mfft_boxes_meet(&layout->box[r], box)) rank[count++] = r;
  return count;
}
