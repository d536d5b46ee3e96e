/* decomp.h: the layouts of pencils, slabs and bricks: which box each rank holds.  Pure geometry without MPI calls, which
 * is tested in one process.
 *
 *     z-pencils  x divided by P, y by Q
 *     y-pencils  x divided by P, z by Q
 *     x-pencils  y divided by P, z by Q          on a process grid P x Q, rank = p*Q + q
 *                                                 or another order (grid_order.h)
 *
 * Pencils along one axis become pencils along the next by an exchange among the ranks that share p (z to y) or q (y to
 * x).  With Q = 1 the z-pencils and the y-pencils are the same slabs. */
#ifndef MFFT_DIST_DECOMP_H
#define MFFT_DIST_DECOMP_H

#include "base/box.h"

typedef struct mfft_layout {
  int ranks;
  mfft_box *box; /* [ranks] */
  int *owners;   /* how many layouts share the boxes, of one thread; NULL: this one alone */
} mfft_layout;

/* The layout of an array of size n in pencils along `axis`.  rank [P][Q]: the rank at each place of the grid; NULL: p*Q + q.
 */
mfft_status mfft_layout_pencils(const int64_t n[3], int axis, const int grid[2], const int *rank, mfft_layout *layout);
mfft_status mfft_layout_copy(const mfft_layout *from, mfft_layout *to);

/* Gives another layout the same boxes, 64 bytes for each rank, which neither may change any more.  The last of them that is
 * freed frees the boxes. */
mfft_status mfft_layout_share(mfft_layout *from, mfft_layout *to);
void mfft_layout_free(mfft_layout *layout); /* accepts a zeroed layout */

int mfft_layout_equal(const mfft_layout *a, const mfft_layout *b);

/* Whether every non-empty box holds the whole range of `axis`, of length n. */
int mfft_layout_holds(const mfft_layout *layout, int axis, int64_t n);

/* The largest number of indices along `axis` that any rank holds. */
int64_t mfft_layout_longest(const mfft_layout *layout, int axis);

/* The largest number of elements that any rank holds. */
int64_t mfft_layout_largest(const mfft_layout *layout);

/* The ranks whose boxes meet `box`, ascending, into rank[layout->ranks]; returns how many.  It compares every box: for the
 * boxes of many ranks see box_index.h. */
int mfft_layout_meeting(const mfft_layout *layout, const mfft_box *box, int *rank);

#endif
