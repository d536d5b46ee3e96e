/* radial.c: the product of a plan's spectrum and a function of |k|: checks, squares for whole axes, and the call of the
 * backend. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/box.h"
#include "base/versioned.h"
#include "mfft_spectrum.h"
#include "plan/array_calls.h"
#include "plan/plan.h"

static const mfft_versioned versions = {
    .name = "radial", .init = "mfft_radial_init", .size = sizeof(mfft_radial), .first = sizeof(mfft_radial)};

void mfft_radial_init_sized(mfft_radial *radial, size_t struct_size) {
  const mfft_radial none = {.count = 0};
  mfft_versioned_init(radial, struct_size, &none, sizeof none);
}

static mfft_status check(mfft_plan plan, const mfft_radial *r) {
  MFFT_TRY(mfft_versioned_check(&versions, r));
  if (r->count < 4 || !r->value)
    return mfft_fail(MFFT_ERR_ARG, "radial.count is %" PRId64 " with %s values; give at least four values", r->count,
                     r->value ? "its" : "no");
  for (int64_t i = 0; i < r->count; i++)
    if (!isfinite(r->value[i]))
      return mfft_fail(MFFT_ERR_ARG, "radial.value[%" PRId64 "] is %g; give a finite number", i, r->value[i]);
  if (!(r->lo > 0) || !(r->hi > r->lo) || !isfinite(r->hi / r->lo))
    return mfft_fail(MFFT_ERR_ARG, "radial.lo is %g and radial.hi %g; give 0 < lo < hi, with hi / lo below %g", r->lo, r->hi,
                     DBL_MAX);
  if (!isfinite(r->at_zero)) return mfft_fail(MFFT_ERR_ARG, "radial.at_zero is %g; give a finite number", r->at_zero);
  for (int a = 0; a < 3; a++) MFFT_TRY(mfft_plan_check_table(plan, "radial.radius", a, r->radius[a]));
  return mfft_check_threads("radial.threads", r->threads);
}

/* (r / lo)^2 of all indices of all axes; the square of a nonzero number is a normal number. */
static double *make_squares(mfft_plan plan, const mfft_radial *r, int64_t indices) {
  double *square = malloc((size_t)indices * sizeof *square); /* [indices] */
  int64_t at = 0;
  for (int a = 0; square && a < 3; a++)
    for (int64_t k = 0; k < mfft_plan_out_length(plan, a); k++, at++) {
      const double ratio = r->radius[a] ? r->radius[a][k] / r->lo : 0;
      square[at] = ratio == 0 ? 0 : fmin(fmax(ratio * ratio, DBL_MIN), DBL_MAX / 8);
    }
  return square;
}

mfft_status mfft_plan_multiply_radial(mfft_plan plan, const mfft_radial *radial, const void *in, void *out) {
  MFFT_TRY(mfft_plan_check_side(plan, MFFT_OUT));
  MFFT_TRY(check(plan, radial));
  MFFT_TRY(mfft_desc_refuse_trigonometric(&plan->desc, "a function of |k|"));
  if (plan->desc.scrambled)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "a function of |k| in one dimension in scrambled order; set scrambled = 0");
  mfft_radial_product product = {
      .shape = mfft_plan_out_shape(plan),
      .indices = mfft_plan_out_length(plan, 0) + mfft_plan_out_length(plan, 1) + mfft_plan_out_length(plan, 2),
      .value = radial->value,
      .count = radial->count,
      .per_log = 0.5 * (double)(radial->count - 1) / log(radial->hi / radial->lo),
      .at_zero = radial->at_zero,
      .threads = radial->threads ? radial->threads : plan->options.threads};
  double *square = make_squares(plan, radial, product.indices);
  if (!square) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the tables of %" PRId64 " indices", product.indices);
  product.square = square;
  mfft_device_guard guard;
  mfft_status status = mfft_plan_enter(plan, &guard);
  if (status == MFFT_SUCCESS) {
    status = mfft_plan_check_array(plan, MFFT_OUT, in, "in");
    if (status == MFFT_SUCCESS) status = mfft_plan_check_array(plan, MFFT_OUT, out, "out");
    if (status == MFFT_SUCCESS) status = mfft_plan_check_result(plan, MFFT_OUT, in, "in", out, "out");
    if (status == MFFT_SUCCESS && !mfft_box_empty(&plan->box[MFFT_OUT]))
      status = plan->backend->radial(plan->desc.precision, &product, in, out, plan->stream);
    mfft_plan_leave(plan, &guard);
  }
  free(square);
  return status;
}
