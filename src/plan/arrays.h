/* arrays.h: the arrays of a distributed transform and their memory layout. */
#ifndef MFFT_PLAN_ARRAYS_H
#define MFFT_PLAN_ARRAYS_H

#include "base/box.h"
#include "dist/route.h"
#include "plan/program.h"

/* The elements of a box in a buffer; the batch is the slowest index. */
typedef struct mfft_array {
  mfft_place place;
  mfft_box box;
  int64_t batch;
  int64_t stride[3], dist; /* [axis] */
  int64_t element_bytes;
  int real;
} mfft_array;

int64_t mfft_element_bytes(mfft_precision precision, int real);

/* The array of a box at offset 0 of SRC.  padded: each row of real numbers has space for its half spectrum (n/2 + 1
 * complex numbers). */
mfft_array mfft_array_of(mfft_precision precision, const mfft_box *box, int64_t batch, int real, int padded);

int64_t mfft_array_bytes(const mfft_array *a);

/* The bytes of a region of an array, from the begin of its buffer.  Padding after a row that is whole counts as part of it.
 * rows is 0 for a region that is empty, or has more levels than rows at equal distances. */
mfft_extent mfft_array_extent(const mfft_array *a, const mfft_region *region);

/* overlap: the two arrays share memory.  coincide: every element has the same address in both. */
int mfft_arrays_overlap(const mfft_array *a, const mfft_array *b);
int mfft_arrays_coincide(const mfft_array *a, const mfft_array *b);

#endif
