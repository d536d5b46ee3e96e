/* decomp.h: which box each rank holds.  Pure geometry: no MPI call is made here, so all of it is tested on one core.
 *
 *     z-pencils  x cut into P, y into Q
 *     y-pencils  x cut into P, z into Q
 *     x-pencils  y cut into P, z into Q          on a grid P x Q, rank = p*Q + q
 *
 * A pencil of one kind becomes the next by an exchange among the ranks that share p (z to y) or q (y to x).  With Q = 1 the
 * first two are the same slabs. */
#ifndef MFFT_DIST_DECOMP_H
#define MFFT_DIST_DECOMP_H

#include "base/box.h"

typedef struct mfft_layout {
  int ranks;
  mfft_box *box; /* [ranks] */
} mfft_layout;

/* Pencils of an array of n that hold `axis` whole. */
mfft_status mfft_layout_pencils(const int64_t n[3], int axis, const int grid[2], mfft_layout *layout);
mfft_status mfft_layout_copy(const mfft_layout *from, mfft_layout *to);
void mfft_layout_free(mfft_layout *layout); /* accepts a zeroed layout */

int mfft_layout_equal(const mfft_layout *a, const mfft_layout *b);

/* Whether every box that holds anything holds all of `axis`, of length n. */
int mfft_layout_holds(const mfft_layout *layout, int axis, int64_t n);

/* The longest range of an axis that a rank holds. */
int64_t mfft_layout_longest(const mfft_layout *layout, int axis);

/* The largest number of elements that a rank holds. */
int64_t mfft_layout_largest(const mfft_layout *layout);

/* Groups the ranks that an exchange between the layouts connects, directly or through others: color[rank] is the lowest rank
 * of its group.  O(ranks^2). */
void mfft_layout_groups(const mfft_layout *from, const mfft_layout *to, int *color);

#endif
