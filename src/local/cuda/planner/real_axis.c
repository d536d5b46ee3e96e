/* real_axis.c: see real_axis.h. */
#include "local/cuda/planner/real_axis.h"

#include "local/cuda/engines/table.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/radices.h"

/* An axis that carries the scale. */
static mfft_axis from_to(int axis, int64_t n, mfft_place_id src, mfft_place_id dst, mfft_form load, mfft_form store) {
  return (mfft_axis){.axis = axis, .n = n, .src = src, .dst = dst, .load = load, .store = store, .last = 1};
}

static mfft_status add_packing(mfft_builder *b, const mfft_axis *x) {
  const mfft_pass_geometry geometry = {
      .axis = x->axis, .n = x->n, .src = x->src, .dst = x->dst, .load = x->load, .store = x->store};
  return mfft_engines_add_packing(b, &geometry);
}

/* Whether an odd real axis is one pass, which then meets the half spectrum itself. */
static int odd_in_one(const mfft_builder *b, int axis, int64_t n, mfft_place_id src) {
  const mfft_axis x = from_to(axis, n, src, MFFT_AT_OUT, MFFT_FORM_REAL, MFFT_FORM_HALF_ODD);
  mfft_radices named;
  if (mfft_rest_of_length(n) > 1) return 1; /* Bluestein's algorithm meets the half spectrum itself */
  if (mfft_radices_read(b->spec->radices[axis], n, &named) != MFFT_SUCCESS) return 0;
  return named.passes ? named.passes == 1 : mfft_axis_fits_one_pass(b, &x, 1);
}

mfft_status mfft_axis_real_to_half(mfft_builder *b, int axis, int64_t n, mfft_place_id dst) {
  const mfft_place_id in = MFFT_AT_IN, out = MFFT_AT_OUT, work = MFFT_AT_WORK;
  if (n % 2 == 0) {
    const mfft_axis packs = from_to(axis, n / 2, in, out, MFFT_FORM_REAL_PAIR, MFFT_FORM_HALF_EVEN);
    const mfft_axis to_dst = from_to(axis, n / 2, in, dst, MFFT_FORM_REAL_PAIR, MFFT_FORM_HALF_EVEN);
    const mfft_axis plain = from_to(axis, n / 2, in, out, MFFT_FORM_REAL_PAIR, MFFT_FORM_COMPLEX);
    const mfft_axis packing = from_to(axis, n / 2, out, out, MFFT_FORM_COMPLEX, MFFT_FORM_HALF_EVEN);
    if (mfft_axis_packs(b, &packs)) return mfft_axis_add(b, &to_dst);
    MFFT_TRY(mfft_axis_add(b, &plain));
    return add_packing(b, &packing);
  }
  const mfft_axis whole = from_to(axis, n, in, out, MFFT_FORM_REAL, MFFT_FORM_HALF_ODD);
  const mfft_axis plain = from_to(axis, n, in, work, MFFT_FORM_REAL, MFFT_FORM_COMPLEX);
  const mfft_axis packing = from_to(axis, n, work, out, MFFT_FORM_COMPLEX, MFFT_FORM_HALF_ODD);
  if (odd_in_one(b, axis, n, in)) return mfft_axis_add(b, &whole);
  MFFT_TRY(mfft_axis_add(b, &plain));
  return add_packing(b, &packing);
}

static mfft_status add_even(mfft_builder *b, int axis, int64_t n, mfft_place_id src) {
  const int preserves = src == MFFT_AT_IN && !b->spec->destroy_input && !b->spec->in_place;
  const mfft_place_id out = MFFT_AT_OUT, packed = preserves ? MFFT_AT_WORK : src;
  const mfft_pair_request halves = {MFFT_PAIR_HALVES, axis, axis, src, out, 1};
  const mfft_axis packs = from_to(axis, n / 2, src, out, MFFT_FORM_HALF_EVEN, MFFT_FORM_REAL_PAIR);
  const mfft_axis packing = from_to(axis, n / 2, src, packed, MFFT_FORM_HALF_EVEN, MFFT_FORM_COMPLEX);
  const mfft_axis plain = from_to(axis, n / 2, packed, out, MFFT_FORM_COMPLEX, MFFT_FORM_REAL_PAIR);
  int added = 0;
  if (!b->spec->radices[axis] && !b->spec->ends && !mfft_builder_given(b, axis) && mfft_rest_of_length(n) == 1)
    MFFT_TRY(mfft_engines_try_pair(b, &halves, &added));
  if (added) return MFFT_SUCCESS;
  if (mfft_axis_packs(b, &packs)) return mfft_axis_add(b, &packs);
  MFFT_TRY(add_packing(b, &packing));
  return mfft_axis_add(b, &plain);
}

mfft_status mfft_axis_half_to_real(mfft_builder *b, int axis, int64_t n, mfft_place_id src) {
  const mfft_place_id out = MFFT_AT_OUT, work = MFFT_AT_WORK;
  if (n % 2 == 0) return add_even(b, axis, n, src);
  const mfft_axis whole = from_to(axis, n, src, out, MFFT_FORM_HALF_ODD, MFFT_FORM_REAL);
  const mfft_axis packing = from_to(axis, n, src, work, MFFT_FORM_HALF_ODD, MFFT_FORM_COMPLEX);
  const mfft_axis plain = from_to(axis, n, work, out, MFFT_FORM_COMPLEX, MFFT_FORM_REAL);
  if (odd_in_one(b, axis, n, src)) return mfft_axis_add(b, &whole);
  MFFT_TRY(add_packing(b, &packing));
  return mfft_axis_add(b, &plain);
}
