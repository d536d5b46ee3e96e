/* box_index.h: finds the boxes of a layout that meet a given box, without comparing all of them.  Pure geometry.
 *
 * The bounds of all boxes on each axis cut the array into cells; a cell belongs to the rank whose box it lies in.  Pencils,
 * slabs and bricks on a grid have one cell a rank, so looking up a box costs a binary search an axis and the cells that it
 * meets.  Where boxes lie so irregularly that there would be far more cells than ranks, or overlap, every box is
 * compared instead. */
#ifndef MFFT_DIST_BOX_INDEX_H
#define MFFT_DIST_BOX_INDEX_H

#include "dist/decomp.h"

typedef struct mfft_box_index {
  const mfft_layout *layout; /* must live as long as the index */
  int64_t *bound[3];         /* [axis][bounds[axis]] ascending */
  int64_t bounds[3];         /* [axis] */
  int32_t *cell;             /* [bounds[0] - 1][bounds[1] - 1][bounds[2] - 1] rank, -1: none; NULL: every box is compared */
} mfft_box_index;

/* make: cells only where there are no more than a few for each rank; make_within: no more than most_cells.
 * MFFT_ERR_MEMORY.  Not collective. */
mfft_status mfft_box_index_make(const mfft_layout *layout, mfft_box_index *index);
mfft_status mfft_box_index_make_within(const mfft_layout *layout, int64_t most_cells, mfft_box_index *index);
void mfft_box_index_free(mfft_box_index *index); /* accepts a zeroed one */

/* The cells that a box meets: first[axis] to before end[axis].  Returns 0 where the index has no cells, or the box is empty.
 */
int mfft_box_index_cells(const mfft_box_index *index, const mfft_box *box, int64_t first[3], int64_t end[3]);

/* The rank whose box holds an element, of an index that has cells and a layout that tiles the array. */
int mfft_box_index_at(const mfft_box_index *index, const int64_t i[3]);

/* The ranks whose boxes meet `box`, ascending, into rank[layout->ranks]; returns how many. */
int mfft_box_index_find(const mfft_box_index *index, const mfft_box *box, int *rank);

#endif
