/* box.h: geometry of boxes.  Pure functions, no MPI: everything spatial in mergefft is an intersection of boxes. */
#ifndef MFFT_BASE_BOX_H
#define MFFT_BASE_BOX_H

#include "base/block.h"
#include "mfft.h"

/* The box [0, n) of a whole array in C order. */
mfft_box mfft_box_whole(const int64_t n[3]);

/* Part p of P of the range [0, n): [p*n/P, (p+1)*n/P). */
int64_t mfft_part(int64_t n, int64_t p, int64_t parts);

int mfft_box_empty(const mfft_box *box);
int64_t mfft_box_extent(const mfft_box *box, int axis); /* 0 where empty */
int64_t mfft_box_count(const mfft_box *box);
int mfft_box_equal(const mfft_box *a, const mfft_box *b);          /* same set of elements in the same memory order */
mfft_box mfft_box_intersect(const mfft_box *a, const mfft_box *b); /* memory order of a */

/* Distance in the local array of `box` between neighbours along each axis: stride[axis], axes by number. */
void mfft_box_strides(const mfft_box *box, int64_t stride[3]);

/* Offset in the local array of `box` of global index i. */
int64_t mfft_box_offset(const mfft_box *box, const int64_t i[3]);

/* The copy of `part` (inside both boxes) from the array of `from` to the array of `to`, `batch` arrays of each, loops
 * ordered so that the innermost is contiguous in `to`, and neighbouring loops merged where both arrays allow it. */
mfft_block mfft_box_copy(const mfft_box *part, const mfft_box *from, const mfft_box *to, int64_t batch);

/* MFFT_ERR_ARG where the memory order is no permutation of 0, 1, 2; {0,0,0} becomes C order.  The ranges of an empty box
 * become [0,0), since differences of a caller's bounds may overflow. */
mfft_status mfft_box_check(mfft_box *box, const char *what);

/* MFFT_ERR_ARG where the box holds more than `most` elements; for boxes that no array length bounds. */
mfft_status mfft_box_check_count(const mfft_box *box, int64_t most, const char *what);

/* Whether boxes [count] tile the whole [0, n) exactly once.  On failure the text names the boxes that meet or the number of
 * elements that are missing. */
mfft_status mfft_boxes_tile(const mfft_box *boxes, int count, const int64_t n[3], const char *what);

#endif
