/* sums.h: checksums of slabs that any distribution can add up.
 *
 * Slab s is the planes [s*depth, (s+1)*depth) of the first axis.  Its sum is that of base/checksum.h over its elements, by
 * their indices in the whole dataset.  The result does not depend on the order of additions: ranks add up their parts alone,
 * and one reduction makes the whole. */
#ifndef MFFT_FIELD_SUMS_H
#define MFFT_FIELD_SUMS_H

#include "base/box.h"
#include "base/status.h"

enum {
  MFFT_SUMS_VERSION = 1,          /* of the formula, stored with the sums */
  MFFT_SLAB_LEAST_ELEMENTS = 256, /* the least number of elements of a slab, so that sums take little space */
  MFFT_SLAB_MOST = 65536          /* slabs of a dataset */
};

/* The division of a dataset into slabs. */
typedef struct mfft_slabs {
  int64_t depth;    /* planes of one slab, the last may have fewer */
  int64_t count;    /* 0: there are no checksums */
  int64_t plane;    /* elements of one plane */
  int64_t elements; /* of the dataset */
} mfft_slabs;

/* The division of new files: the least power of two of planes within the two limits above. */
mfft_slabs mfft_slabs_choose(const int64_t n[3]);

/* The division with a given depth. */
mfft_slabs mfft_slabs_of(const int64_t n[3], int64_t depth);

int64_t mfft_slab_elements(const mfft_slabs *slabs, int64_t slab);

/* The sum of the checksums of all slabs, [slabs->count]. */
uint64_t mfft_sums_whole(const mfft_slabs *slabs, const uint64_t *sums);

/* Adds the elements [first, first + count) of the array, stored at `bits` as 4- or 8-byte numbers of this machine's byte
 * order, to the sums of their slabs.  Threads may add to the same sums at once. */
void mfft_sums_add(const mfft_slabs *slabs, uint64_t *sums, const void *bits, int element_bytes, int64_t first,
                   int64_t count);

/* The same for rows [first, first + count) of a box, counted in C order of its two slow axes, by their checksums;
 * MFFT_ERR_ARG for rows that the box does not have. */
mfft_status mfft_sums_add_rows(const mfft_slabs *slabs, uint64_t *sums, const mfft_box *box, int64_t first, int64_t count,
                               const uint64_t *checksum /* [count] */);

#endif
