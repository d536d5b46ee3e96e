/* extent.h: rows of bytes at equal distances, as a two-dimensional copy moves them.  Pure functions. */
#ifndef MFFT_BASE_EXTENT_H
#define MFFT_BASE_EXTENT_H

#include <stdint.h>

/* Rows of an array, counted from its begin.  rows is 0 where the bytes are not known, or are no such rows. */
typedef struct mfft_extent {
  int64_t offset_bytes, row_bytes;
  int64_t rows, stride_bytes; /* bytes from one row to the next; unused for one row */
} mfft_extent;

static inline int64_t mfft_extent_bytes(const mfft_extent *e) { return e->rows * e->row_bytes; }

/* The first byte after the last row. */
int64_t mfft_extent_end(const mfft_extent *e);

/* Whether two extents have no byte in common, and whether all bytes of a are in b.  Both return 0 if neither rows at the
 * same distance nor the ranges that the extents span prove it. */
int mfft_extents_disjoint(const mfft_extent *a, const mfft_extent *b);
int mfft_extent_within(const mfft_extent *a, const mfft_extent *b);

#endif
