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
  const mfft_box rows = padded ? mfft_box_padded(box, 2) : *box;
  mfft_box_strides(&rows, a.stride);
  a.dist = mfft_box_count(&rows);
  return a;
}

/* A loop over the indices of a region along one axis, and its length in the whole array. */
typedef struct loop {
  int64_t n, whole, stride;
} loop;

static void sort_by_stride(loop *l /* [count] */, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && l[j - 1].stride > l[j].stride; j--) {
      const loop held = l[j];
      l[j] = l[j - 1];
      l[j - 1] = held;
    }
}

mfft_extent mfft_array_extent(const mfft_array *a, const mfft_region *region) {
  mfft_extent e = {.offset_bytes = region->batch_lo * a->dist, .row_bytes = 1, .rows = 1};
  loop loops[4] = {{region->batch_hi - region->batch_lo, a->batch, a->dist}}; /* fast to slow, once sorted */
  int whole = 1;                                                              /* all faster loops are over the whole array */
  for (int axis = 0; axis < 3; axis++) {
    e.offset_bytes += (region->box.lo[axis] - a->box.lo[axis]) * a->stride[axis];
    loops[axis + 1] = (loop){mfft_box_extent(&region->box, axis), mfft_box_extent(&a->box, axis), a->stride[axis]};
  }
  sort_by_stride(loops, 4);
  for (int i = 0; i < 4; i++) {
    const loop *l = &loops[i];
    if (l->n < 1) return (mfft_extent){0};
    if (l->whole == 1) continue;
    if (e.rows == 1 && whole)
      e.row_bytes = l->n * l->stride; /* in elements, until the end */
    else if (e.rows == 1 && l->n > 1)
      e.rows = l->n, e.stride_bytes = l->stride;
    else if (l->n > 1 && l->stride == e.rows * e.stride_bytes)
      e.rows *= l->n;
    else if (l->n > 1)
      return (mfft_extent){0};
    whole &= l->n == l->whole;
  }
  e.offset_bytes = a->place.offset_bytes + e.offset_bytes * a->element_bytes;
  e.row_bytes *= a->element_bytes;
  e.stride_bytes *= a->element_bytes;
  return e;
}

int mfft_arrays_overlap(const mfft_array *a, const mfft_array *b) {
  const mfft_place *x = &a->place, *y = &b->place;
  return x->buffer == y->buffer && x->offset_bytes < y->offset_bytes + mfft_array_bytes(b) &&
         y->offset_bytes < x->offset_bytes + mfft_array_bytes(a);
}

int mfft_arrays_coincide(const mfft_array *a, const mfft_array *b) {
  return mfft_place_equal(a->place, b->place) && a->element_bytes == b->element_bytes && a->dist == b->dist &&
         memcmp(a->stride, b->stride, sizeof a->stride) == 0;
}
