/* cut.c: see cut.h. */
#include "dist/cut.h"

/* First index of slice c of n.  Long slices begin at multiples of four, which lets a GPU divide their transforms into
 * equal batches that fit its cache; slices of 59 planes could not be. */
static int64_t slice_begin(int64_t n, int64_t c, int64_t slices) {
  const int64_t begin = mfft_part(n, c, slices), grain = n < 6 * slices ? 1 : n < 12 * slices ? 2 : 4;
  return c < slices ? begin - begin % grain : n;
}

/* Narrows the range of an axis, or of the batch, to slices [a, b) of `slices`. */
static void narrow(mfft_region *region, int axis, int64_t a, int64_t b, int64_t slices) {
  int64_t *lo = axis == MFFT_CUT_BATCH ? &region->batch_lo : &region->box.lo[axis];
  int64_t *hi = axis == MFFT_CUT_BATCH ? &region->batch_hi : &region->box.hi[axis];
  int64_t first = *lo, n = *hi > *lo ? *hi - *lo : 0;
  *lo = first + slice_begin(n, a, slices);
  *hi = first + slice_begin(n, b, slices);
}

mfft_region mfft_cut_before(const mfft_box *from, int64_t batch, const mfft_cut *cut, int c) {
  mfft_region region = {.box = *from, .batch_hi = batch};
  if (cut->early && c >= cut->early) return (mfft_region){0};
  narrow(&region, cut->axis, c, c + 1, cut->early ? cut->early : cut->chunks);
  return region;
}

mfft_region mfft_cut_after(const mfft_box *to, int64_t batch, const mfft_cut *cut, int c) {
  mfft_region region = {.box = *to, .batch_hi = batch};
  if (cut->early && c < cut->early - 1) return (mfft_region){0};
  if (!cut->early) {
    narrow(&region, cut->axis, c, c + 1, cut->chunks);
  } else if (c < cut->early) {
    narrow(&region, cut->late_axis, 0, cut->split, MFFT_SPLIT_PARTS);
  } else {
    narrow(&region, cut->late_axis, cut->split, MFFT_SPLIT_PARTS, MFFT_SPLIT_PARTS);
    narrow(&region, cut->late_axis, c - cut->early, c - cut->early + 1, cut->chunks - cut->early);
  }
  return region;
}

mfft_region mfft_cut_part(const mfft_box *from, const mfft_box *to, int64_t batch, const mfft_cut *cut, int c) {
  const int late = cut->early && c >= cut->early;
  mfft_region leaves = {.box = *from, .batch_hi = batch};
  mfft_box arrives = cut->target ? *from : *to;
  if (!late) leaves = mfft_cut_before(cut->target ? to : from, batch, cut, c);
  if (cut->early) arrives = mfft_cut_after(to, batch, cut, late ? c : cut->early - 1).box;
  leaves.box = mfft_box_intersect(&leaves.box, &arrives);
  return leaves;
}
