/* array_calls.c: the calls of mfft_array.h: checks, the layout of an array's numbers, and the calls of the backend. */
#include <math.h>
#include <string.h>

#include "base/box.h"
#include "base/versioned.h"
#include "mfft_array.h"
#include "plan/array_calls.h"

static const mfft_versioned normal_versions = {
    .name = "normal", .init = "mfft_normal_init", .size = sizeof(mfft_normal), .first = sizeof(mfft_normal)};
static const mfft_versioned sums_versions = {
    .name = "sums", .init = "mfft_sums_init", .size = sizeof(mfft_sums), .first = sizeof(mfft_sums)};

static const mfft_normal standard = {.struct_size = sizeof standard, .deviation = 1};

void mfft_normal_init_sized(mfft_normal *normal, size_t struct_size) {
  mfft_versioned_init(normal, struct_size, &standard, sizeof standard);
}

void mfft_sums_init_sized(mfft_sums *sums, size_t struct_size) {
  const mfft_sums none = {.squares = 0};
  mfft_versioned_init(sums, struct_size, &none, sizeof none);
}

/* The numbers of this process's part of an array. */
static mfft_reals reals_of(mfft_plan plan, mfft_side side) {
  const mfft_desc *desc = &plan->desc;
  const mfft_box *box = &plan->box[side];
  mfft_reals r = {.components = mfft_desc_real(desc, side) ? 1 : 2, .last = desc->rank - 1};
  int64_t stride[3];
  mfft_box_strides(box, stride);
  r.n[0] = mfft_box_empty(box) ? 0 : desc->batch;
  r.stride[0] = plan->dist ? mfft_box_count(box) : side == MFFT_IN ? desc->in_dist : desc->out_dist;
  for (int a = 0; a < 3; a++) {
    r.n[a + 1] = mfft_box_extent(box, a);
    r.stride[a + 1] = plan->dist ? stride[a] : (side == MFFT_IN ? desc->in_stride : desc->out_stride)[a];
    r.lo[a] = box->lo[a];
  }
  return r;
}

mfft_status mfft_check_threads(const char *field, int threads) {
  return mfft_check_range(field, threads, 0, 4096, "use 1 to 4096, or 0 for those of the plan");
}

static mfft_status check_number(const char *name, double value) {
  if (isfinite(value)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s is %g; give a finite number", name, value);
}

mfft_status mfft_plan_check_side(mfft_plan plan, mfft_side side) {
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
  if (side == MFFT_IN || side == MFFT_OUT) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "side is %d; use MFFT_IN or MFFT_OUT", (int)side);
}

mfft_status mfft_plan_enter(mfft_plan plan, mfft_device_guard *guard) {
  if (atomic_flag_test_and_set(&plan->busy))
    return mfft_fail(MFFT_ERR_STATE, "the plan is running in another thread; make one plan a thread");
  const mfft_status status = mfft_device_guard_enter(&plan->context, guard);
  if (status == MFFT_SUCCESS) return status;
  mfft_device_guard_leave(guard);
  atomic_flag_clear(&plan->busy);
  return status;
}

void mfft_plan_leave(mfft_plan plan, mfft_device_guard *guard) {
  mfft_device_guard_leave(guard);
  atomic_flag_clear(&plan->busy);
}

mfft_status mfft_plan_fill_normal(mfft_plan plan, mfft_side side, const mfft_normal *normal, void *array) {
  const mfft_normal *n = normal ? normal : &standard;
  MFFT_TRY(mfft_plan_check_side(plan, side));
  MFFT_TRY(mfft_versioned_check(&normal_versions, n));
  MFFT_TRY(check_number("normal.deviation", n->deviation));
  MFFT_TRY(mfft_check_threads("normal.threads", n->threads));
  for (int a = 0; a < plan->desc.rank; a++)
    if (plan->desc.n[a] > INT64_C(1) << 32)
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "noise along an axis of %lld elements; Philox counts 2^32 of an axis",
                       (long long)plan->desc.n[a]);
  const mfft_normal_fill fill = {.reals = reals_of(plan, side),
                                 .seed = n->seed,
                                 .deviation = n->deviation,
                                 .threads = n->threads ? n->threads : plan->options.threads};
  mfft_device_guard guard;
  MFFT_TRY(mfft_plan_enter(plan, &guard));
  mfft_status status = mfft_plan_check_array(plan, side, array, "array");
  if (status == MFFT_SUCCESS && mfft_reals_count(&fill.reals))
    status = plan->backend->normal(plan->desc.precision, &fill, array, plan->stream);
  mfft_plan_leave(plan, &guard);
  return status;
}

mfft_status mfft_plan_sums(mfft_plan plan, mfft_side side, const void *array, mfft_sums *sums) {
  MFFT_TRY(mfft_plan_check_side(plan, side));
  MFFT_TRY(mfft_versioned_check(&sums_versions, sums));
  MFFT_TRY(check_number("sums.centre", sums->centre));
  MFFT_TRY(check_number("sums.centre_rest", sums->centre_rest));
  MFFT_TRY(mfft_check_threads("sums.threads", sums->threads));
  mfft_sums found = *sums;
  memset(&found.sum, 0, sizeof found.sum);
  found.min = INFINITY;
  found.max = -INFINITY;
  found.nonfinite = 0;
  for (int i = 0; i < 4; i++) found.first[i] = -1;
  const mfft_reals_sums what = {.reals = reals_of(plan, side),
                                .squares = sums->squares != 0,
                                .centre = sums->centre,
                                .centre_rest = sums->centre_rest,
                                .threads = sums->threads ? sums->threads : plan->options.threads,
                                .found = &found};
  found.count = mfft_reals_count(&what.reals);
  mfft_device_guard guard;
  MFFT_TRY(mfft_plan_enter(plan, &guard));
  mfft_status status = mfft_plan_check_array(plan, side, array, "array");
  if (status == MFFT_SUCCESS && found.count) status = plan->backend->sums(plan->desc.precision, &what, array, plan->stream);
  mfft_plan_leave(plan, &guard);
  if (status != MFFT_SUCCESS) return status;
  if (found.nonfinite) mfft_reals_indices(&what.reals, found.first[0], found.first);
  *sums = found;
  return MFFT_SUCCESS;
}
