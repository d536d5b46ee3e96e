/* convolution.c: convolutions by a plan (mfft_convolution.h): the object, and its execution.  The spectra of kernels are
 * made in convolution_kernel.c. */
#include "plan/convolution.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/box.h"
#include "plan/array_calls.h"
#include "plan/plan.h"

int64_t mfft_convolution_length(int64_t given, int64_t lo, int64_t hi) {
  const int64_t most = INT64_C(1) << 62;
  if (given < 1 || hi <= lo || given > most) return -1; /* so that the sum below is a number */
  const int64_t reach = mfft_convolution_reach(given, lo, hi);
  return mfft_next_fast_length(given + (reach > 1 ? reach : 1)); /* more than given: else the axis would be circular */
}

int64_t mfft_convolution_reach(int64_t given, int64_t lo, int64_t hi) {
  const int64_t after = hi - 1 < given - 1 ? hi - 1 : given - 1, before = lo > -given ? lo : 1 - given;
  const int64_t reach = after > -before ? after : -before;
  return reach > 0 ? reach : 0;
}

mfft_status mfft_convolution_agree(mfft_plan plan, mfft_status mine) {
  return plan->dist ? plan->dist_calls->agree(plan->dist, mine) : mine;
}

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

static mfft_status check_plan(mfft_plan plan, mfft_convolution *convolution) {
  MFFT_TRY(mfft_plan_check_side(plan, MFFT_OUT));
  if (!convolution) return mfft_fail(MFFT_ERR_ARG, "convolution is NULL; pass the address of a variable for the result");
  if (plan->desc.kind == MFFT_R2R)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "a convolution by a plan of MFFT_R2R; use MFFT_R2C with MFFT_DFT axes");
  MFFT_TRY(mfft_options_refuse_host_arrays(&plan->options, plan->backend, "a convolution"));
  return mfft_desc_refuse_trigonometric(&plan->desc, "a convolution");
}

/* Elements of one OUT array, without batch, from the first to the last. */
static int64_t span_of(const mfft_filter_shape *shape) {
  int64_t last = 0;
  for (int a = 1; a < 4; a++) {
    if (shape->n[a] == 0) return 0;
    last += (shape->n[a] - 1) * shape->stride[a];
  }
  return last + 1;
}

static mfft_status create(mfft_plan plan, mfft_convolution c) {
  c->plan = plan;
  c->shape = mfft_plan_out_shape(plan);
  c->kernel_bytes = (size_t)(span_of(&c->shape) * plan->element_bytes);
  const mfft_filter_shape nothing = {.n = {0}}; /* loads what a device needs for the product */
  const int separate = plan->desc.placement == MFFT_OUT_OF_PLACE && plan->bytes[MFFT_OUT];
  mfft_device_guard guard;
  MFFT_TRY(mfft_plan_enter(plan, &guard));
  mfft_status status = plan->backend->multiply(plan->desc.precision, &nothing, 0, NULL, NULL, plan->stream);
  if (status == MFFT_SUCCESS && separate) status = plan->backend->alloc(plan->bytes[MFFT_OUT], &c->spectrum);
  mfft_plan_leave(plan, &guard);
  return status;
}

mfft_status mfft_convolution_create(mfft_plan plan, mfft_convolution *convolution) {
  MFFT_TRY(check_plan(plan, convolution));
  mfft_convolution made = calloc(1, sizeof *made);
  const mfft_status status =
      made ? create(plan, made) : mfft_fail(MFFT_ERR_MEMORY, "no memory for a convolution (%zu bytes)", sizeof *made);
  const mfft_status all = mfft_convolution_agree(plan, status);
  if (all == MFFT_SUCCESS)
    *convolution = made;
  else
    mfft_convolution_destroy(made);
  return all;
}

void mfft_convolution_destroy(mfft_convolution c) {
  mfft_device_guard guard;
  if (!c) return;
  if (c->plan && mfft_device_guard_enter(&c->plan->context, &guard) == MFFT_SUCCESS) {
    (void)c->plan->backend->synchronize(c->plan->stream);
    c->plan->backend->free(c->spectrum);
    c->plan->backend->free(c->kernel);
    mfft_device_guard_leave(&guard);
  }
  free(c);
}

/* ---- Execution ------------------------------------------------------------------------------------------------------- */

mfft_status mfft_convolution_execute(mfft_convolution c, const void *in, void *out) {
  if (!c) return mfft_fail(MFFT_ERR_ARG, "the convolution is NULL; make one with mfft_convolution_create");
  if (!c->by) /* on all ranks */
    return mfft_fail(MFFT_ERR_STATE, "the convolution has no kernel; set one with mfft_convolution_set_kernel");
  mfft_plan plan = c->plan;
  const int filters = c->by == MFFT_CONVOLVED_BY_FILTER;
  if (plan->filter_of != (filters ? c : NULL)) /* on all ranks, which set the same filters */
    return mfft_fail(
        MFFT_ERR_STATE,
        "the plan's filter for MFFT_BACKWARD is not that of this convolution, since its kernel was set; set the "
        "kernel again");
  const mfft_factors factors = {c->by, filters ? NULL : c->kernel, &c->shape};
  return mfft_plan_convolve(plan, &factors, in, plan->desc.placement == MFFT_IN_PLACE ? out : c->spectrum, out);
}
