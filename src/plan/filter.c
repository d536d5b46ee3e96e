/* filter.c: filters of a plan: their tables and their stages.
 *
 * A direction that may be filtered owns one piece of memory of the backend that holds the scale and two tables for each axis
 * of the OUT array, whole: they are small beside the array.  Programs point to it, so a new filter is one copy behind what
 * is queued on the stream, and a CUDA graph of the program sees it too.  Divisors and factors are brought to sizes around 1
 * by powers of two, which go to the scale, so that tables in single precision hold any unit of length. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "base/versioned.h"
#include "local/device.h"
#include "plan/plan.h"

static const mfft_versioned versions = {
    .name = "filter", .init = "mfft_filter_init", .size = sizeof(mfft_filter), .first = sizeof(mfft_filter)};

void mfft_filter_init_sized(mfft_filter *filter, size_t struct_size) {
  const mfft_filter one = {.scale = 1};
  mfft_versioned_init(filter, struct_size, &one, sizeof one);
}

int64_t mfft_plan_out_length(mfft_plan plan, int axis) {
  int64_t n = axis < plan->desc.rank ? plan->desc.n[axis] : 1;
  return axis == mfft_desc_halved_axis(&plan->desc) ? n / 2 + 1 : n;
}

mfft_status mfft_plan_check_table(mfft_plan plan, const char *name, int axis, const double *table) {
  const int64_t n = table ? mfft_plan_out_length(plan, axis) : 0;
  for (int64_t i = 0; i < n; i++)
    if (!isfinite(table[i]))
      return mfft_fail(MFFT_ERR_ARG, "%s[%d][%" PRId64 "] is %g; give a finite number", name, axis, i, table[i]);
  return MFFT_SUCCESS;
}

/* Where the table of an axis begins, in pairs; of axis 3: all of them. */
static int64_t table_start(mfft_plan plan, int axis) {
  int64_t start = 0;
  for (int a = 0; a < axis; a++) start += mfft_plan_out_length(plan, a);
  return start;
}

static int in_doubles(mfft_plan plan) { return plan->backend->host_memory || plan->desc.precision == MFFT_DOUBLE; }

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

/* The power of two above the largest of a table. */
static int exponent_of(const double *table, int64_t n, int so_far) {
  double largest = 0;
  int exponent = so_far;
  for (int64_t i = 0; table && i < n; i++) largest = fmax(largest, fabs(table[i]));
  if (largest > 0) frexp(largest, &exponent);
  return exponent > so_far ? exponent : so_far;
}

/* One of each pair, which: 0 the factors, 1 the divisors. */
static void write_table(mfft_plan plan, void *image, int axis, int which, const double *table, double instead,
                        int exponent) {
  double *pairs = (double *)image + MFFT_FILTER_HEAD;
  for (int64_t i = 0, at = 2 * table_start(plan, axis) + which; i < mfft_plan_out_length(plan, axis); i++, at += 2) {
    double value = table ? ldexp(table[i], -exponent) : instead;
    if (in_doubles(plan))
      pairs[at] = value;
    else
      ((float *)pairs)[at] = (float)value;
  }
}

/* A filter that has been checked, into the image on the host. */
static void write_image(mfft_plan plan, const mfft_filter *filter, void *image) {
  int divides = filter->divisor[0] || filter->divisor[1] || filter->divisor[2], below = -4096, above[3], power = 0;
  for (int a = 0; a < 3; a++) {
    int64_t n = mfft_plan_out_length(plan, a);
    above[a] = exponent_of(filter->factor[a], n, -4096);
    if (above[a] == -4096) above[a] = 0;
    power += above[a];
    below = exponent_of(filter->divisor[a], n, below);
  }
  if (below == -4096) below = 0;
  for (int a = 0; a < 3; a++) {
    write_table(plan, image, a, 0, filter->factor[a], 1, above[a]);
    write_table(plan, image, a, 1, filter->divisor[a], divides || a ? 0 : 1, below);
  }
  double *head = image;
  memset(head, 0, MFFT_FILTER_HEAD * sizeof *head);
  head[MFFT_FILTER_SCALE] = ldexp(filter->turns & 2 ? -filter->scale : filter->scale, power - below);
  head[MFFT_FILTER_SINGULAR] = ldexp(filter->singular, below - power);
  head[MFFT_FILTER_ODD] = filter->turns & 1;
}

static const mfft_filter *unity(void) {
  static const mfft_filter one = {.struct_size = sizeof one, .scale = 1};
  return &one;
}

mfft_status mfft_plan_make_filters(mfft_plan plan) {
  for (int d = 0; d < 2; d++) {
    if (!mfft_desc_filters(&plan->desc, (mfft_direction)d)) continue;
    size_t bytes = MFFT_FILTER_HEAD * sizeof(double) +
                   2 * (size_t)table_start(plan, 3) * (in_doubles(plan) ? sizeof(double) : sizeof(float));
    plan->filter[d].bytes = bytes;
    plan->filter[d].image = malloc(bytes);
    if (!plan->filter[d].image) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the tables of a filter, %zu bytes", bytes);
    write_image(plan, unity(), plan->filter[d].image);
    plan->filter[d].tables = plan->filter[d].image;
    if (!plan->backend->host_memory) {
      plan->filter[d].tables = NULL;
      MFFT_TRY(plan->backend->alloc(bytes, &plan->filter[d].tables));
      MFFT_TRY(plan->backend->upload(plan->filter[d].tables, plan->filter[d].image, bytes));
    }
    plan->program[d].filter_tables = plan->filter[d].tables;
    plan->program[d].filter_idle = 1;
  }
  for (int i = 0; i < plan->nffts; i++) {
    mfft_direction direction = plan->spec[i].filtered == MFFT_FILTER_INPUT ? MFFT_BACKWARD : MFFT_FORWARD;
    if (plan->spec[i].filtered) plan->fft[i]->filter_tables = plan->filter[direction].tables;
  }
  return MFFT_SUCCESS;
}

void mfft_plan_free_filters(mfft_plan plan) {
  for (int d = 0; d < 2; d++) {
    if (plan->filter[d].tables && plan->filter[d].tables != plan->filter[d].image)
      plan->backend->free(plan->filter[d].tables);
    free(plan->filter[d].image);
  }
}

/* ---- The call -------------------------------------------------------------------------------------------------------- */

static mfft_status check_number(double value, const char *name) {
  if (isfinite(value)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "filter.%s is %g; give a finite number", name, value);
}

static mfft_status check_filter(mfft_plan plan, const mfft_filter *filter) {
  MFFT_TRY(mfft_versioned_check(&versions, filter));
  if (filter->turns < 0 || filter->turns > 3)
    return mfft_fail(MFFT_ERR_ARG, "filter.turns is %d; use 0 to 3 for 1, i, -1, -i", filter->turns);
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
  write_image(plan, filter ? filter : unity(), plan->filter[direction].image);
  mfft_visit visit;
  mfft_status status = mfft_home_enter(&plan->home, &visit);
  if (status == MFFT_SUCCESS && !plan->backend->host_memory)
    status = plan->backend->device->copy_bytes(plan->filter[direction].tables, plan->filter[direction].image,
                                               plan->filter[direction].bytes, plan->stream);
  mfft_home_leave(&visit);
  atomic_flag_clear(&plan->busy);
  return status;
}

/* ---- Stages ---------------------------------------------------------------------------------------------------------- */

mfft_filter_shape mfft_plan_filter_shape(mfft_plan plan, const mfft_box *box, const int64_t stride[3], int64_t batch,
                                         int64_t dist) {
  mfft_filter_shape shape;
  memset(&shape, 0, sizeof shape); /* it becomes part of specs, which are compared byte by byte */
  shape.n[0] = batch;
  shape.stride[0] = dist;
  for (int a = 0; a < 3; a++) {
    shape.n[a + 1] = mfft_box_extent(box, a);
    shape.stride[a + 1] = stride[a];
    shape.table[a] = table_start(plan, a) + box->lo[a];
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
