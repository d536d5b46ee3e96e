/* array_calls.c: the calls of mfft_array.h: checks, the layout of an array's numbers, and the calls of the backend. */
#include <math.h>
#include <string.h>

#include "base/box.h"
#include "base/versioned.h"
#include "mfft_array.h"
#include "plan/array_calls.h"
#include "plan/distribution.h"

static const mfft_versioned normal_versions = {
    .name = "normal", .init = "mfft_normal_init", .size = sizeof(mfft_normal), .first = sizeof(mfft_normal)};
static const mfft_versioned sums_versions = {
    .name = "sums", .init = "mfft_sums_init", .size = sizeof(mfft_sums), .first = sizeof(mfft_sums)};

static const mfft_versioned rows_versions = {
    .name = "rows", .init = "mfft_rows_init", .size = sizeof(mfft_rows), .first = sizeof(mfft_rows)};

static const mfft_normal standard = {.struct_size = sizeof standard, .deviation = 1};

void mfft_normal_init_sized(mfft_normal *normal, size_t struct_size) {
  mfft_versioned_init(normal, struct_size, &standard, sizeof standard);
}

void mfft_sums_init_sized(mfft_sums *sums, size_t struct_size) {
  const mfft_sums none = {.squares = 0};
  mfft_versioned_init(sums, struct_size, &none, sizeof none);
}

void mfft_rows_init_sized(mfft_rows *rows, size_t struct_size) {
  const mfft_rows unchanged = {.factor = 1};
  mfft_versioned_init(rows, struct_size, &unchanged, sizeof unchanged);
}

/* The numbers of this process's part of an array. */
static mfft_reals reals_of(mfft_plan plan, mfft_side side) {
  const mfft_desc *desc = &plan->desc;
  const mfft_box *box = &plan->box[side];
  const int padded = plan->dist && side == MFFT_IN && plan->dist->padded;
  const mfft_box rows = padded ? mfft_box_padded(box, desc->rank - 1) : *box;
  mfft_reals r = {.components = mfft_desc_real(desc, side) ? 1 : 2, .last = desc->rank - 1};
  int64_t stride[3]; /* [axis] */
  mfft_box_strides(&rows, stride);
  r.n[0] = mfft_box_empty(box) ? 0 : desc->batch;
  r.stride[0] = plan->dist ? mfft_box_count(&rows) : side == MFFT_IN ? desc->in_dist : desc->out_dist;
  for (int a = 0; a < 3; a++) {
    r.n[a + 1] = mfft_box_extent(box, a);
    r.stride[a + 1] = plan->dist ? stride[a] : (side == MFFT_IN ? desc->in_stride : desc->out_stride)[a];
    r.lo[a] = box->lo[a];
  }
  return r;
}

mfft_filter_shape mfft_plan_out_shape(mfft_plan plan) {
  const mfft_box *box = &plan->box[MFFT_OUT];
  int64_t stride[3]; /* [axis] */
  mfft_box_strides(box, stride);
  if (plan->dist) return mfft_plan_filter_shape(plan, box, stride, plan->desc.batch, mfft_box_count(box));
  return mfft_plan_filter_shape(plan, box, plan->desc.out_stride, plan->desc.batch, plan->desc.out_dist);
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

mfft_status mfft_plan_check_result(mfft_plan plan, mfft_side side, const void *from, const char *from_name, const void *to,
                                   const char *to_name) {
  const size_t bytes = plan->bytes[side];
  if (from == to || !mfft_memory_overlaps(from, bytes, to, bytes)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s and %s overlap; pass one array twice, or two that are apart", from_name, to_name);
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

/* ---- Noise by wave number, products ---------------------------------------------------------------------------------- */

static const mfft_versioned mode_versions = {
    .name = "noise", .init = "mfft_mode_noise_init", .size = sizeof(mfft_mode_noise), .first = sizeof(mfft_mode_noise)};

void mfft_mode_noise_init_sized(mfft_mode_noise *noise, size_t struct_size) {
  const mfft_mode_noise none = {.seed = 0};
  mfft_versioned_init(noise, struct_size, &none, sizeof none);
}

mfft_status mfft_plan_fill_modes(mfft_plan plan, const mfft_mode_noise *noise, void *array) {
  MFFT_TRY(mfft_plan_check_side(plan, MFFT_OUT));
  MFFT_TRY(mfft_versioned_check(&mode_versions, noise));
  MFFT_TRY(mfft_check_threads("noise.threads", noise->threads));
  const mfft_desc *d = &plan->desc;
  MFFT_TRY(mfft_desc_require_field(d, "the plan", "modes"));
  if (noise->squares < 0 || (noise->squares && !noise->deviation))
    return mfft_fail(MFFT_ERR_ARG, "noise.deviation is %p with %lld squares; give a table", (const void *)noise->deviation,
                     (long long)noise->squares);
  for (int64_t i = 0; i < noise->squares; i++) MFFT_TRY(check_number("noise.deviation[]", noise->deviation[i]));
  mfft_modes_fill fill = {.reals = reals_of(plan, MFFT_OUT),
                          .seed = noise->seed,
                          .deviation = noise->deviation,
                          .squares = noise->squares,
                          .threads = noise->threads ? noise->threads : plan->options.threads};
  memcpy(fill.n, d->n, sizeof fill.n);
  mfft_device_guard guard;
  MFFT_TRY(mfft_plan_enter(plan, &guard));
  mfft_status status = mfft_plan_check_array(plan, MFFT_OUT, array, "array");
  if (status == MFFT_SUCCESS && mfft_reals_count(&fill.reals))
    status = plan->backend->modes(d->precision, &fill, array, plan->stream);
  mfft_plan_leave(plan, &guard);
  return status;
}

mfft_status mfft_plan_multiply_add(mfft_plan plan, mfft_side side, double alpha, const void *a, const void *b, double beta,
                                   void *c) {
  MFFT_TRY(mfft_plan_check_side(plan, side));
  MFFT_TRY(check_number("alpha", alpha));
  MFFT_TRY(check_number("beta", beta));
  const mfft_reals_product what = {
      .reals = reals_of(plan, side), .alpha = alpha, .beta = beta, .threads = plan->options.threads};
  mfft_device_guard guard;
  MFFT_TRY(mfft_plan_enter(plan, &guard));
  mfft_status status = mfft_plan_check_array(plan, side, a, "a");
  if (status == MFFT_SUCCESS) status = mfft_plan_check_array(plan, side, b, "b");
  if (status == MFFT_SUCCESS) status = mfft_plan_check_array(plan, side, c, "c");
  if (status == MFFT_SUCCESS) status = mfft_plan_check_result(plan, side, a, "a", c, "c");
  if (status == MFFT_SUCCESS) status = mfft_plan_check_result(plan, side, b, "b", c, "c");
  if (status == MFFT_SUCCESS && mfft_reals_count(&what.reals))
    status = plan->backend->product(plan->desc.precision, &what, a, b, c, plan->stream);
  mfft_plan_leave(plan, &guard);
  return status;
}

/* ---- Sums and rows --------------------------------------------------------------------------------------------------- */

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

/* Checks the fields that need no plan. */
static mfft_status check_rows(const mfft_rows *rows) {
  MFFT_TRY(mfft_versioned_check(&rows_versions, rows));
  MFFT_TRY(check_number("rows.shift[0]", rows->shift[0]));
  MFFT_TRY(check_number("rows.shift[1]", rows->shift[1]));
  MFFT_TRY(check_number("rows.factor", rows->factor));
  MFFT_TRY(mfft_check_threads("rows.threads", rows->threads));
  MFFT_TRY(mfft_check_range("rows.vectors", rows->vectors, 0, MFFT_ROWS_VECTORS, "make more calls for more vectors"));
  if (rows->vectors && !rows->vector) return mfft_fail(MFFT_ERR_ARG, "rows.vector is NULL; give %d vectors", rows->vectors);
  for (int v = 0; v < rows->vectors; v++)
    if (!rows->vector[v]) return mfft_fail(MFFT_ERR_ARG, "rows.vector[%d] is NULL; give %d vectors", v, rows->vectors);
  if (rows->count && !rows->result)
    return mfft_fail(MFFT_ERR_ARG, "rows.result is NULL; give memory for %d numbers of each row", rows->vectors + 2);
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_rows(mfft_plan plan, mfft_side side, void *array, const mfft_rows *rows) {
  MFFT_TRY(mfft_plan_check_side(plan, side));
  MFFT_TRY(check_rows(rows));
  mfft_reals_rows what = {.reals = reals_of(plan, side),
                          .first = rows->first,
                          .count = rows->count,
                          .shift = {rows->shift[0], rows->shift[1]},
                          .factor = rows->factor,
                          .store = rows->store != 0,
                          .vectors = rows->vectors,
                          .threads = rows->threads ? rows->threads : plan->options.threads,
                          .result = rows->result,
                          .checksum = rows->checksum};
  memcpy(what.whole, plan->desc.given, sizeof what.whole);
  if (what.reals.components != 1)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "the array of this side is complex; rows are those of real arrays");
  if (rows->checksum && plan->desc.precision == MFFT_LONG_DOUBLE)
    return mfft_fail(
        MFFT_ERR_UNSUPPORTED,
        "rows.checksum is given for a plan of MFFT_LONG_DOUBLE, whose numbers no file of fields has; leave it NULL");
  const int64_t all = mfft_reals_row_count(&what.reals);
  if (rows->first < 0 || rows->count < 0 || rows->first > all || rows->count > all - rows->first)
    return mfft_fail(MFFT_ERR_ARG, "rows.first is %lld and rows.count %lld; this process has %lld rows",
                     (long long)rows->first, (long long)rows->count, (long long)all);
  for (int v = 0; v < rows->vectors; v++) what.vector[v] = rows->vector[v] + what.reals.lo[what.reals.last];
  mfft_device_guard guard;
  MFFT_TRY(mfft_plan_enter(plan, &guard));
  mfft_status status = mfft_plan_check_array(plan, side, array, "array");
  if (status == MFFT_SUCCESS && what.count) status = plan->backend->rows(plan->desc.precision, &what, array, plan->stream);
  mfft_plan_leave(plan, &guard);
  return status;
}
