/* box.h: geometry of boxes.  Pure functions, no MPI: everything spatial in mergefft is an intersection of boxes. */
#ifndef MFFT_BASE_BOX_H
#define MFFT_BASE_BOX_H

#include "base/block.h"
#include "mfft.h"

/* The box [0, n) of a whole array, in C order. */
mfft_box mfft_box_whole(const int64_t n[3]);

/* Range p of P nearly equal ranges of [0, n): it begins at p*n/P. */
int64_t mfft_part(int64_t n, int64_t p, int64_t parts);

int mfft_box_empty(const mfft_box *box);
int64_t mfft_box_extent(const mfft_box *box, int axis); /* number of indices along `axis`; 0 for an empty box */
int64_t mfft_box_count(const mfft_box *box);

/* Whether two boxes hold the same elements in the same memory order. */
int mfft_box_equal(const mfft_box *a, const mfft_box *b);

/* The elements that both boxes hold, in the memory order of a; an empty box where they do not meet. */
mfft_box mfft_box_intersect(const mfft_box *a, const mfft_box *b);
int mfft_boxes_meet(const mfft_box *a, const mfft_box *b); /* whether that is not empty */

/* The box with rows along `axis` that have space for the half spectrum of their n real numbers: 2 (n/2 + 1) of them. */
mfft_box mfft_box_padded(const mfft_box *box, int axis);

/* Strides of the local array of `box`, in elements, indexed by axis number. */
void mfft_box_strides(const mfft_box *box, int64_t stride[3]);

/* Offset of global index i in the local array of `box`, in elements. */
int64_t mfft_box_offset(const mfft_box *box, const int64_t i[3]);

/* The block that copies `part` (a box inside both others) from the local array of `from` to that of `to`, for `batch`
 * arrays each.  The innermost loop is contiguous in `to`, and neighbouring loops are merged where both arrays allow it. */
mfft_block mfft_box_copy(const mfft_box *part, const mfft_box *from, const mfft_box *to, int64_t batch);

/* Completes a caller's box; `what` names it in the error message.  MFFT_ERR_ARG: the memory order is not a permutation of
 * 0, 1, 2; {0,0,0} becomes C order.  The bounds of an empty box become [0,0), since differences of a caller's bounds may
 * overflow. */
mfft_status mfft_box_check(mfft_box *box, const char *what);

/* MFFT_ERR_ARG if the box holds more than `most` elements; needed for boxes that no array length bounds. */
mfft_status mfft_box_check_count(const mfft_box *box, int64_t most, const char *what);

/* Checks that boxes [count] tile [0, n) exactly once.  The error message names two boxes that overlap, or the number of
 * elements that no box holds. */
mfft_status mfft_boxes_tile(const mfft_box *boxes, int count, const int64_t n[3], const char *what);

#endif
