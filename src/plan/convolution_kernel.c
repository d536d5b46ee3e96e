/* convolution_kernel.c: the kernels of convolutions: checks, their values on the points of a plan, and their spectra. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "base/versioned.h"
#include "local/reals.h"
#include "plan/array_calls.h"
#include "plan/convolution.h"
#include "plan/convolve.h"

static const mfft_versioned versions = {.name = "kernel",
                                        .init = "mfft_convolution_kernel_init",
                                        .size = sizeof(mfft_convolution_kernel),
                                        .first = sizeof(mfft_convolution_kernel)};

void mfft_convolution_kernel_init_sized(mfft_convolution_kernel *kernel, size_t struct_size) {
  const mfft_convolution_kernel none = {.correlate = 0};
  mfft_versioned_init(kernel, struct_size, &none, sizeof none);
}

/* The forms in which a caller can give a kernel.  NONE: the caller has given none of them, or several; a rank without a part
 * of the spectrum may give NULL for it. */
typedef enum kernel_form { FORM_NONE = 0, FORM_ROW, FORM_VALUE, FORM_SPECTRUM, FORM_FILTER } kernel_form;

static kernel_form form_of(mfft_plan plan, const mfft_convolution_kernel *k) {
  const int given[] = {[FORM_ROW] = k->row != NULL,
                       [FORM_VALUE] = k->value != NULL,
                       [FORM_SPECTRUM] = k->spectrum != NULL,
                       [FORM_FILTER] = k->filter != NULL};
  kernel_form form = mfft_box_empty(&plan->box[MFFT_OUT]) ? FORM_SPECTRUM : FORM_NONE;
  int count = 0;
  for (int f = FORM_ROW; f <= FORM_FILTER; f++) {
    count += given[f];
    if (given[f]) form = (kernel_form)f;
  }
  return count > 1 ? FORM_NONE : form;
}

/* ---- Checks ---------------------------------------------------------------------------------------------------------- */

static mfft_status check_axis(const mfft_desc *d, int a, const mfft_convolution_kernel *k) {
  const int64_t n = d->n[a], lo = k->lo[a], hi = k->hi[a];
  if (hi <= lo)
    return mfft_fail(MFFT_ERR_ARG, "kernel.lo[%d] is %" PRId64 " and kernel.hi[%d] %" PRId64 "; give lo < hi", a, lo, a, hi);
  if (mfft_desc_pads_axis(d, a)) {
    const int64_t least = d->given[a] + mfft_convolution_reach(d->given[a], lo, hi);
    if (n >= least) return MFFT_SUCCESS;
    return mfft_fail(MFFT_ERR_ARG,
                     "kernel.lo[%d] is %" PRId64 " and kernel.hi[%d] %" PRId64 " for %" PRId64 " given of %" PRId64
                     " points, around whose ends it would reach; make the plan with n[%d] = %" PRId64
                     " or more "
                     "(mfft_convolution_length)",
                     a, lo, a, hi, d->given[a], n, a, least);
  }
  const int64_t first = d->axes >> a & 1 ? 1 - n : 0;
  if (lo >= first && hi <= n && hi - lo <= n) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG,
                   "kernel.lo[%d] is %" PRId64 " and kernel.hi[%d] %" PRId64 " for an axis of %" PRId64
                   " points; give at most so many offsets from %" PRId64 " to %" PRId64,
                   a, lo, a, hi, n, first, n - 1);
}

static mfft_status check_kernel(mfft_convolution c, const mfft_convolution_kernel *k) {
  mfft_plan plan = c->plan;
  MFFT_TRY(mfft_versioned_check(&versions, k));
  if (form_of(plan, k) == FORM_NONE)
    return mfft_fail(MFFT_ERR_ARG, "kernel has %s of row, value, spectrum and filter; set one of them",
                     k->row || k->value || k->spectrum || k->filter ? "several" : "none");
  if (k->correlate != 0 && k->correlate != 1)
    return mfft_fail(MFFT_ERR_ARG, "kernel.correlate is %d; use 0 or 1", k->correlate);
  if (k->correlate && k->filter)
    return mfft_fail(MFFT_ERR_ARG, "kernel.correlate is 1 with a filter; give the conjugate filter instead");
  for (int a = 0; (k->row || k->value) && a < plan->desc.rank; a++) MFFT_TRY(check_axis(&plan->desc, a, k));
  return k->spectrum && plan->backend->check ? plan->backend->check(k->spectrum, c->kernel_bytes, 0, "kernel.spectrum")
                                             : MFFT_SUCCESS;
}

/* All ranks give the same kind of kernel at the same offsets. */
static mfft_status compare(mfft_plan plan, const mfft_convolution_kernel *k) {
  static const char *const name[] = {"the kind of the kernel (1 row, 2 value, 3 spectrum, 4 filter)",
                                     "kernel.correlate",
                                     "kernel.lo[0]",
                                     "kernel.lo[1]",
                                     "kernel.lo[2]",
                                     "kernel.hi[0]",
                                     "kernel.hi[1]",
                                     "kernel.hi[2]"};
  const int64_t value[] = {
      (int64_t)form_of(plan, k), k->correlate, k->lo[0], k->lo[1], k->lo[2], k->hi[0], k->hi[1], k->hi[2]};
  if (!plan->dist) return MFFT_SUCCESS;
  return plan->dist_calls->compare(plan->dist, name, value, (int)(sizeof value / sizeof *value));
}

/* ---- Values ---------------------------------------------------------------------------------------------------------- */

/* The offsets of an axis that count, of n points: o >= 0 is index o, o < 0 index n + o. */
typedef struct offsets {
  int64_t lo, hi, n;
} offsets;

static offsets offsets_of(const mfft_desc *d, int a, const mfft_convolution_kernel *k) {
  offsets o = {k->lo[a], k->hi[a], d->n[a]};
  if (!mfft_desc_pads_axis(d, a)) return o;
  if (o.lo <= -d->given[a]) o.lo = 1 - d->given[a];
  if (o.hi > d->given[a]) o.hi = d->given[a];
  return o;
}

/* Whether an index has an offset of the kernel. */
static int find_offset(const offsets *o, int64_t index, int64_t *offset) {
  *offset = index >= o->lo && index < o->hi ? index : index - o->n;
  return *offset >= o->lo && *offset < o->hi;
}

typedef struct filling {
  const mfft_convolution_kernel *kernel;
  mfft_precision precision;
  int rank, parts; /* reals of a value */
  offsets axis[3]; /* [rank] */
  const mfft_box *box;
  long double factor;
  double *row; /* [parts * extent of the last axis] */
  char *array; /* of the box */
} filling;

static mfft_status call_row(const filling *f, const int64_t offset[3], int64_t count) {
  const mfft_status status = f->kernel->row(f->kernel->context, offset, count, f->row);
  if (status == MFFT_SUCCESS) return status;
  return mfft_fail(status,
                   "kernel.row returned %d for %" PRId64 " values from offset %" PRId64 ", %" PRId64 ", %" PRId64
                   "; it returns MFFT_SUCCESS when it has written them",
                   (int)status, count, offset[0], offset[1], offset[2]);
}

/* The whole kernel as rows. */
static mfft_status row_of_values(const filling *f, const int64_t offset[3], int64_t count) {
  const mfft_convolution_kernel *k = f->kernel;
  int64_t at = 0;
  if (k->row) return call_row(f, offset, count);
  for (int a = 0; a < f->rank; a++) at = at * (k->hi[a] - k->lo[a]) + offset[a] - k->lo[a];
  memcpy(f->row, k->value + f->parts * at, (size_t)(f->parts * count) * sizeof *f->row);
  return MFFT_SUCCESS;
}

/* Whether a value, times the factor with which it is stored, is a number of the plan's precision. */
static int is_in_range(const filling *f, double value) {
  static const long double most[] = {/* [precision] */ [MFFT_DOUBLE] = DBL_MAX,
                                     [MFFT_SINGLE] = FLT_MAX,
                                     [MFFT_HALF] = 65504,
                                     [MFFT_BFLOAT16] = 0x1.fep127,
                                     [MFFT_LONG_DOUBLE] = LDBL_MAX};
  return isfinite(value) && fabsl(value * f->factor) <= most[f->precision];
}

/* Stores the offsets [first, end) of a row that begins at element `at` with index box->lo of the last axis. */
static mfft_status fill_run(const filling *f, const int64_t row[3], int64_t at, int64_t first, int64_t end, int64_t shift) {
  const int last = f->rank - 1;
  int64_t offset[3] = {row[0], row[1], row[2]}; /* [axis] */
  if (first + shift < f->box->lo[last]) first = f->box->lo[last] - shift;
  if (end + shift > f->box->hi[last]) end = f->box->hi[last] - shift;
  if (first >= end) return MFFT_SUCCESS;
  offset[last] = first;
  const int64_t count = f->parts * (end - first);
  MFFT_TRY(row_of_values(f, offset, end - first));
  for (int64_t i = 0; i < count; i++)
    if (!is_in_range(f, f->row[i]))
      return mfft_fail(MFFT_ERR_ARG,
                       "the kernel is %g at offset %" PRId64 " in the row of %" PRId64 ", %" PRId64 ", %" PRId64
                       "; give finite numbers within the range of the plan's precision",
                       f->row[i], first + i / f->parts, offset[0], offset[1], offset[2]);
  const int64_t place = f->parts * (at + first + shift - f->box->lo[last]);
  mfft_reals_store(f->precision, f->array, place, count, f->row, f->factor);
  return MFFT_SUCCESS;
}

/* Fills the box, whose rows are contiguous, with the kernel. */
static mfft_status fill(const filling *f) {
  const int last = f->rank - 1;
  const offsets *o = &f->axis[last];
  mfft_box rows = *f->box;
  int64_t i[3], offset[3] = {0}, stride[3]; /* [axis] */
  if (mfft_box_empty(f->box)) return MFFT_SUCCESS;
  mfft_box_strides(f->box, stride);
  rows.hi[last] = rows.lo[last] + 1;
  for (i[0] = rows.lo[0]; i[0] < rows.hi[0]; i[0]++)
    for (i[1] = rows.lo[1]; i[1] < rows.hi[1]; i[1]++)
      for (i[2] = rows.lo[2]; i[2] < rows.hi[2]; i[2]++) {
        int within = 1;
        int64_t at = 0;
        for (int a = 0; a < 3; a++) at += (i[a] - rows.lo[a]) * stride[a];
        for (int a = 0; a < last; a++) within &= find_offset(&f->axis[a], i[a], &offset[a]);
        if (!within) continue;
        MFFT_TRY(fill_run(f, offset, at, o->lo > 0 ? o->lo : 0, o->hi, 0));
        MFFT_TRY(fill_run(f, offset, at, o->lo, o->hi < 0 ? o->hi : 0, o->n));
      }
  return MFFT_SUCCESS;
}

/* ---- Spectra --------------------------------------------------------------------------------------------------------- */

/* The factor of a kernel that makes y the sum in mfft_convolution.h: it cancels both scales of the plan, and the number of
 * points. */
static long double factor_of(const mfft_desc *d) {
  mfft_desc full = *d;
  full.scale[MFFT_FORWARD] = MFFT_SCALE_FULL;
  return mfft_desc_long_scale(&full, MFFT_FORWARD) /
         (mfft_desc_long_scale(d, MFFT_FORWARD) * mfft_desc_long_scale(d, MFFT_BACKWARD));
}

/* A plan for one array of the whole length, whose OUT array is that of the plan. */
static mfft_status create_plan(mfft_plan plan, mfft_plan *whole) {
  mfft_desc d = plan->desc;
  mfft_options o = plan->options;
  memset(d.given, 0, sizeof d.given);
  memset(d.in_stride, 0, sizeof d.in_stride);
  memset(d.scale, 0, sizeof d.scale);
  d.in_dist = d.filtered = d.padded = 0;
  d.batch = 1;
  d.placement = MFFT_OUT_OF_PLACE;
  d.allow_destroy_input = 1;
  o.effort = MFFT_ESTIMATE;
  o.compute = MFFT_COMPUTE_AUTO; /* tensor cores may have no axis of the whole length */
  o.wire = MFFT_WIRE_FULL;
  o.tolerance = 0;
  o.user_workspace = 0;
  if (!plan->dist) return mfft_plan_create(&d, &o, whole);
  const mfft_box box = plan->box[MFFT_OUT];
  if (!plan->four_step[0]) d.out_box = &box; /* else rank 1, whose blocks are always the same */
  return plan->dist_calls->create(plan->dist, &d, &o, whole);
}

/* Memory of the backend for a spectrum; the caller has entered the device of the plan. */
static mfft_status allocate(mfft_plan plan, size_t bytes, void **memory) {
  return plan->backend->alloc(bytes ? bytes : 64, memory);
}

/* The kernel on the points of `whole`, in the memory of the plan. */
static mfft_status make_points(mfft_plan plan, mfft_plan whole, const mfft_convolution_kernel *k, void **points) {
  const mfft_desc *d = &plan->desc;
  const size_t bytes = whole->bytes[MFFT_IN];
  const int parts = d->kind == MFFT_R2C ? 1 : 2, last = d->rank - 1;
  const mfft_box *box = &whole->box[MFFT_IN];
  filling f = {.kernel = k, .precision = d->precision, .rank = d->rank, .parts = parts, .box = box, .factor = factor_of(d)};
  mfft_status status = MFFT_SUCCESS;
  void *array = NULL;
  for (int a = 0; a < d->rank; a++) f.axis[a] = offsets_of(d, a, k);
  f.array = calloc(1, bytes + 1);
  f.row = malloc((size_t)(parts * (mfft_box_extent(box, last) + 1)) * sizeof *f.row);
  status = f.array && f.row ? fill(&f) : mfft_fail(MFFT_ERR_MEMORY, "no memory for a kernel of %zu bytes", bytes);
  if (status == MFFT_SUCCESS) status = allocate(plan, bytes, &array);
  if (status == MFFT_SUCCESS) status = plan->backend->upload(array, f.array, bytes);
  free(f.array);
  free(f.row);
  *points = array;
  return status;
}

/* The spectrum of a kernel that is given by its values.  Collective. */
static mfft_status transform_kernel(mfft_plan plan, const mfft_convolution_kernel *k, void **spectrum) {
  mfft_device_guard guard;
  mfft_plan whole = NULL;
  void *points = NULL;
  mfft_status status;
  MFFT_TRY(create_plan(plan, &whole));
  status = mfft_device_guard_enter(&plan->context, &guard);
  if (status == MFFT_SUCCESS) status = make_points(plan, whole, k, &points);
  if (status == MFFT_SUCCESS) status = allocate(plan, whole->bytes[MFFT_OUT], spectrum);
  status = mfft_convolution_agree(plan, status);
  if (status == MFFT_SUCCESS) {
    status = mfft_execute(whole, MFFT_FORWARD, points, *spectrum);
    if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(whole);
    status = mfft_convolution_agree(plan, status);
  }
  plan->backend->free(points);
  mfft_device_guard_leave(&guard);
  mfft_plan_destroy(whole);
  return status;
}

static mfft_status copy_spectrum(mfft_convolution c, const void *given, void **spectrum) {
  mfft_device_guard guard;
  mfft_status status = mfft_device_guard_enter(&c->plan->context, &guard);
  if (status == MFFT_SUCCESS) status = allocate(c->plan, c->kernel_bytes, spectrum);
  if (status == MFFT_SUCCESS && c->kernel_bytes) status = c->plan->backend->move(*spectrum, given, c->kernel_bytes);
  mfft_device_guard_leave(&guard);
  return mfft_convolution_agree(c->plan, status);
}

/* Replaces the spectrum of the kernel by a new one, which belongs to the convolution then, or frees the new one.  The
 * spectrum that is freed may still be read by work on the stream, hence the synchronization. */
static void replace_kernel(mfft_convolution c, void *spectrum, int replaces) {
  mfft_device_guard guard;
  void *unused = replaces ? c->kernel : spectrum;
  if (replaces) c->kernel = spectrum;
  if (mfft_device_guard_enter(&c->plan->context, &guard) != MFFT_SUCCESS) return;
  (void)c->plan->backend->synchronize(c->plan->stream);
  c->plan->backend->free(unused);
  mfft_device_guard_leave(&guard);
}

/* Makes the program that convolves in one execute, if there is one. */
static mfft_status make_program(mfft_plan plan, mfft_convolved by) {
  mfft_device_guard guard;
  MFFT_TRY(mfft_plan_enter(plan, &guard));
  const mfft_status status = mfft_plan_convolve_make(plan, by);
  mfft_plan_leave(plan, &guard);
  return status;
}

mfft_status mfft_convolution_set_kernel(mfft_convolution c, const mfft_convolution_kernel *kernel) {
  if (!c) return mfft_fail(MFFT_ERR_ARG, "the convolution is NULL; make one with mfft_convolution_create");
  mfft_plan plan = c->plan;
  void *spectrum = NULL;
  c->by = MFFT_CONVOLVED_NOT;
  MFFT_TRY(mfft_convolution_agree(plan, check_kernel(c, kernel)));
  MFFT_TRY(compare(plan, kernel));
  if (kernel->filter || mfft_desc_filters(&plan->desc, MFFT_BACKWARD)) /* NULL removes the filter of an earlier kernel */
    MFFT_TRY(mfft_convolution_agree(plan, mfft_plan_set_filter(plan, MFFT_BACKWARD, kernel->filter)));
  if (kernel->filter) plan->filter_of = c;
  if (!kernel->filter) {
    const mfft_status status = form_of(plan, kernel) == FORM_SPECTRUM ? copy_spectrum(c, kernel->spectrum, &spectrum)
                                                                      : transform_kernel(plan, kernel, &spectrum);
    replace_kernel(c, spectrum, status == MFFT_SUCCESS);
    MFFT_TRY(status);
  }
  const mfft_convolved by = kernel->filter      ? MFFT_CONVOLVED_BY_FILTER
                            : kernel->correlate ? MFFT_CONVOLVED_BY_CONJUGATE
                                                : MFFT_CONVOLVED_BY_ARRAY;
  MFFT_TRY(mfft_convolution_agree(plan, make_program(plan, by)));
  c->by = by;
  return MFFT_SUCCESS;
}
