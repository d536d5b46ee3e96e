/* arrays.c: see arrays.h. */
#include "plan/arrays.h"

#include <string.h>

int64_t mfft_element_bytes(mfft_precision precision, int real) {
  int64_t bytes = (int64_t)mfft_real_bytes(precision);
  return real ? bytes : 2 * bytes;
}

int64_t mfft_array_bytes(const mfft_array *a) { return a->batch * a->dist * a->element_bytes; }

mfft_array mfft_array_of(mfft_precision precision, const mfft_box *box, int64_t batch, int real, int padded) {
  mfft_array a = {.box = *box, .batch = batch, .real = real, .element_bytes = mfft_element_bytes(precision, real)};
  mfft_box rows = *box;
  if (padded) rows.hi[2] = rows.lo[2] + 2 * (mfft_box_extent(box, 2) / 2 + 1);
  mfft_box_strides(&rows, a.stride);
  a.dist = mfft_box_count(&rows);
  return a;
}

int mfft_arrays_overlap(const mfft_array *a, const mfft_array *b) {
  const mfft_place *x = &a->place, *y = &b->place;
  return x->buffer == y->buffer && x->offset_bytes < y->offset_bytes + mfft_array_bytes(b) &&
         y->offset_bytes < x->offset_bytes + mfft_array_bytes(a);
}

int mfft_arrays_coincide(const mfft_array *a, const mfft_array *b) {
  return a->place.buffer == b->place.buffer && a->place.offset_bytes == b->place.offset_bytes &&
         a->element_bytes == b->element_bytes && a->dist == b->dist && memcmp(a->stride, b->stride, sizeof a->stride) == 0;
}
