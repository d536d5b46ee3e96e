/* filter.c: filters of a plan: the call that sets one, and their stages. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/box.h"
#include "base/versioned.h"
#include "local/device.h"
#include "mfft_spectrum.h"
#include "plan/plan.h"

static const mfft_versioned versions = {
    .name = "filter", .init = "mfft_filter_init", .size = sizeof(mfft_filter), .first = sizeof(mfft_filter)};

void mfft_filter_init_sized(mfft_filter *filter, size_t struct_size) {
  const mfft_filter one = {.scale = 1};
  mfft_versioned_init(filter, struct_size, &one, sizeof one);
}

mfft_status mfft_plan_check_table(mfft_plan plan, const char *name, int axis, const double *table) {
  const int64_t n = table ? mfft_plan_out_length(plan, axis) : 0;
  for (int64_t i = 0; i < n; i++)
    if (!isfinite(table[i]))
      return mfft_fail(MFFT_ERR_ARG, "%s[%d][%" PRId64 "] is %g; give a finite number", name, axis, i, table[i]);
  return MFFT_SUCCESS;
}

/* ---- The call -------------------------------------------------------------------------------------------------------- */

static mfft_status check_number(double value, const char *name) {
  if (isfinite(value)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "filter.%s is %g; give a finite number", name, value);
}

static mfft_status check_filter(mfft_plan plan, const mfft_filter *filter) {
  MFFT_TRY(mfft_versioned_check(&versions, filter));
  if (filter->quarter_turns < 0 || filter->quarter_turns > 3)
    return mfft_fail(MFFT_ERR_ARG, "filter.quarter_turns is %d; use 0 to 3 for 1, i, -1, -i", filter->quarter_turns);
  if (filter->quarter_turns & 1 && mfft_desc_real(&plan->desc, MFFT_OUT))
    return mfft_fail(MFFT_ERR_ARG, "filter.quarter_turns is %d in a plan of MFFT_R2R, whose numbers are real; use 0 or 2",
                     filter->quarter_turns);
  MFFT_TRY(check_number(filter->scale, "scale"));
  MFFT_TRY(check_number(filter->singular, "singular"));
  for (int a = 0; a < 3; a++) {
    MFFT_TRY(mfft_plan_check_table(plan, "filter.factor", a, filter->factor[a]));
    MFFT_TRY(mfft_plan_check_table(plan, "filter.divisor", a, filter->divisor[a]));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_set_filter(mfft_plan plan, mfft_direction direction, const mfft_filter *filter) {
  static const char *const name[] = {[MFFT_FORWARD] = "MFFT_FORWARD", [MFFT_BACKWARD] = "MFFT_BACKWARD"};
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
  if (direction != MFFT_FORWARD && direction != MFFT_BACKWARD)
    return mfft_fail(MFFT_ERR_ARG, "direction is %d; use MFFT_FORWARD or MFFT_BACKWARD", (int)direction);
  if (!mfft_desc_filters(&plan->desc, direction))
    return mfft_fail(MFFT_ERR_STATE, "the plan was made without a filter for %s; set desc.filtered = 1 << %s",
                     name[direction], name[direction]);
  if (filter) MFFT_TRY(check_filter(plan, filter));
  if (atomic_flag_test_and_set(&plan->busy))
    return mfft_fail(MFFT_ERR_STATE, "the plan is running in another thread; make one plan a thread");
  plan->program[direction].filter_idle = !filter;
  if (direction == MFFT_BACKWARD) plan->filter_of = filter ? plan : NULL;
  mfft_filter_tables_write(&plan->filter[direction], filter);
  mfft_device_guard guard;
  mfft_status status = mfft_device_guard_enter(&plan->context, &guard);
  if (status == MFFT_SUCCESS && !plan->backend->host_memory)
    status = plan->backend->device->copy_bytes(plan->filter[direction].tables, plan->filter[direction].image,
                                               plan->filter[direction].bytes, plan->stream);
  mfft_device_guard_leave(&guard);
  atomic_flag_clear(&plan->busy);
  return status;
}

/* ---- Stages ---------------------------------------------------------------------------------------------------------- */

mfft_filter_shape mfft_plan_filter_shape(mfft_plan plan, const mfft_box *box, const int64_t stride[3], int64_t batch,
                                         int64_t dist) {
  mfft_filter_shape shape;
  memset(&shape, 0, sizeof shape); /* the shape becomes part of specs, which are compared byte by byte */
  shape.n[0] = batch;
  shape.real = mfft_desc_real(&plan->desc, MFFT_OUT);
  shape.stride[0] = dist;
  int64_t start = 0; /* of the table of axis a */
  for (int a = 0; a < 3; a++) {
    shape.n[a + 1] = mfft_box_extent(box, a);
    shape.stride[a + 1] = stride[a];
    shape.table[a] = start + box->lo[a];
    start += mfft_plan_out_length(plan, a);
  }
  return shape;
}

mfft_status mfft_plan_add_filter(mfft_plan plan, mfft_direction direction, const int64_t stride[3], int64_t dist,
                                 mfft_place from, mfft_place to) {
  const mfft_box *box = &plan->box[MFFT_OUT];
  if (mfft_box_empty(box)) return MFFT_SUCCESS;
  mfft_stage *stage = mfft_program_add(&plan->program[direction], MFFT_STAGE_FILTER, "filter");
  if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for stage %d", plan->program[direction].count);
  stage->in = from;
  stage->out = to;
  stage->filter = mfft_plan_filter_shape(plan, box, stride, plan->desc.batch, dist);
  return MFFT_SUCCESS;
}
