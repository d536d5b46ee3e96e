/* desc.c: the descriptor: defaults, versions, and the checks that local and distributed plans share. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/versioned.h"
#include "plan/plan.h"

#define END(field) MFFT_FIELD_END(mfft_desc, field)
static const size_t ends[] = {END(compute), END(filtered),  END(wire),      END(radices),
                              END(front),   END(tolerance), END(time_limit)}; /* of the fields behind `tune` */
static const mfft_versioned versions = {"desc", "mfft_desc_init",          sizeof(mfft_desc), END(tune),
                                        ends,   sizeof ends / sizeof *ends};
_Static_assert(END(time_limit) == sizeof(mfft_desc), "the list above has every field");

void mfft_desc_init_sized(mfft_desc *desc, size_t struct_size) {
  const mfft_desc defaults = {.rank = 3, .batch = 1, .threads = 1, .n = {1, 1, 1}};
  mfft_versioned_init(desc, struct_size, &defaults, sizeof defaults);
}

/* Fields with a smallest and a largest value; 0 stands for `fallback`. */
static mfft_status check_range(const char *field, int64_t value, int64_t min, int64_t max, const char *remedy) {
  if (value >= min && value <= max) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s is %" PRId64 "; %s", field, value, remedy);
}

static mfft_status check_choices(const mfft_desc *d) {
  const struct {
    const char *field;
    int64_t value, max;
    const char *remedy;
  } choice[] = {
      {"kind", d->kind, MFFT_R2C, "use MFFT_C2C or MFFT_R2C"},
      {"precision", d->precision, MFFT_BFLOAT16, "use MFFT_DOUBLE, MFFT_SINGLE, MFFT_HALF or MFFT_BFLOAT16"},
      {"scale[MFFT_FORWARD]", d->scale[0], MFFT_SCALE_FULL, "use MFFT_SCALE_NONE, MFFT_SCALE_SQRT or MFFT_SCALE_FULL"},
      {"scale[MFFT_BACKWARD]", d->scale[1], MFFT_SCALE_FULL, "use MFFT_SCALE_NONE, MFFT_SCALE_SQRT or MFFT_SCALE_FULL"},
      {"placement", d->placement, MFFT_IN_PLACE, "use MFFT_OUT_OF_PLACE or MFFT_IN_PLACE"},
      {"effort", d->effort, MFFT_PATIENT, "use MFFT_ESTIMATE, MFFT_MEASURE or MFFT_PATIENT"},
      {"compute", d->compute, MFFT_COMPUTE_TENSOR, "use MFFT_COMPUTE_AUTO, MFFT_COMPUTE_BUTTERFLY or MFFT_COMPUTE_TENSOR"},
      {"wire", d->wire, MFFT_WIRE_AUTO, "use MFFT_WIRE_FULL, MFFT_WIRE_HALF or MFFT_WIRE_AUTO"},
      {"order", d->order, MFFT_ORDER_TRANSPOSED, "use MFFT_ORDER_NATURAL or MFFT_ORDER_TRANSPOSED"},
      {"allow_destroy_input", d->allow_destroy_input, 1, "use 0 or 1"},
      {"user_workspace", d->user_workspace, 1, "use 0 or 1"},
      {"tune", d->tune, 1, "use 0 or 1"},
      {"filtered", d->filtered, 3, "set bit 0 for a filter behind forward, bit 1 for one before backward"},
      {"threads", d->threads, 4096, "use 1 to 4096, or 0 for 1"},
      {"grid[0]", d->grid[0], INT32_MAX, "use a count of ranks, or 0 to have it chosen"},
      {"grid[1]", d->grid[1], INT32_MAX, "use a count of ranks, or 0 to have it chosen"},
      {"chunks", d->chunks, INT32_MAX, "use 1 or more, or 0 to have it chosen"},
  };
  for (size_t i = 0; i < sizeof choice / sizeof *choice; i++)
    MFFT_TRY(check_range(choice[i].field, choice[i].value, 0, choice[i].max, choice[i].remedy));
  return check_range("front", d->front, -1, 15, "use 1 to 15 sixteenths, -1 for none, or 0 to have it chosen");
}

/* Lengths, and that every offset into the arrays, in bytes, stays below 2^62. */
static mfft_status check_lengths(mfft_desc *d) {
  if (d->rank == 0) d->rank = 3;
  if (d->batch == 0) d->batch = 1;
  MFFT_TRY(check_range("rank", d->rank, 1, 3, "use 1, 2 or 3"));
  MFFT_TRY(check_range("batch", d->batch, 1, INT64_MAX, "use 1 or more"));
  const int64_t most = INT64_C(1) << 58; /* elements of up to 16 bytes */
  int64_t count = d->batch;
  for (int a = 0; a < d->rank; a++) {
    static const char *const field[] = {"n[0]", "n[1]", "n[2]"};
    MFFT_TRY(check_range(field[a], d->n[a], 1, INT64_MAX, "lengths must be 1 or more"));
    if (__builtin_mul_overflow(count, d->n[a] + (d->n[a] < INT64_MAX), &count) || count > most) /* + 1: padded rows */
      return mfft_fail(MFFT_ERR_ARG,
                       "batch %" PRId64 " and lengths up to n[%d] = %" PRId64
                       " give more than 2^58 elements; use smaller arrays",
                       d->batch, a, d->n[a]);
  }
  for (int a = d->rank; a < 3; a++) d->n[a] = 1;

  const unsigned all = (1u << d->rank) - 1;
  if (d->axes == 0) d->axes = all;
  if (d->axes & ~all)
    return mfft_fail(MFFT_ERR_ARG, "axes is %#x, with bits beyond rank %d; use bits 0 to %d", d->axes, d->rank, d->rank - 1);
  return MFFT_SUCCESS;
}

void mfft_desc_list_strides(const mfft_desc *d, mfft_desc_stride list[MFFT_DESC_STRIDES]) {
  const mfft_desc_stride all[MFFT_DESC_STRIDES] = {
      {"in_stride[0]", d->in_stride[0]},
      {"in_stride[1]", d->in_stride[1]},
      {"in_stride[2]", d->in_stride[2]},
      {"out_stride[0]", d->out_stride[0]},
      {"out_stride[1]", d->out_stride[1]},
      {"out_stride[2]", d->out_stride[2]},
      {"in_dist", d->in_dist},
      {"out_dist", d->out_dist},
  };
  memcpy(list, all, sizeof all);
}

static mfft_status check_strides(const mfft_desc *d) {
  mfft_desc_stride stride[MFFT_DESC_STRIDES]; /* [fields that are strides or distances] */
  mfft_desc_list_strides(d, stride);
  for (int i = 0; i < MFFT_DESC_STRIDES; i++)
    MFFT_TRY(check_range(stride[i].field, stride[i].value, 0, INT64_MAX, "strides may not be negative"));
  return MFFT_SUCCESS;
}

/* NaN fails the comparison. */
static mfft_status check_bounds(const mfft_desc *d) {
  if (!(d->tolerance >= 0 && d->tolerance <= 1))
    return mfft_fail(MFFT_ERR_ARG, "tolerance is %g; use a relative error from 0 to 1", d->tolerance);
  if (!(d->time_limit >= 0 && d->time_limit <= 1e6))
    return mfft_fail(MFFT_ERR_ARG, "time_limit is %g; use 0 to 1e6 seconds, 0 for the default of the effort", d->time_limit);
  if (d->wire == MFFT_WIRE_AUTO && d->tolerance == 0)
    return mfft_fail(MFFT_ERR_ARG,
                     "wire is MFFT_WIRE_AUTO and tolerance is 0; set tolerance to the relative error that you accept, %g or "
                     "more for half the width",
                     mfft_wire_error(d->precision));
  if (d->wire != MFFT_WIRE_AUTO && d->tolerance > 0)
    return mfft_fail(MFFT_ERR_ARG, "tolerance is %g and wire is not MFFT_WIRE_AUTO, the only choice that it bears on",
                     d->tolerance);
  return MFFT_SUCCESS;
}

double mfft_wire_error(mfft_precision precision) {
  return precision == MFFT_DOUBLE ? 6e-8 : precision == MFFT_SINGLE ? 5e-4 : INFINITY;
}

double mfft_desc_time_limit(const mfft_desc *desc) {
  static const double fallback[] = {[MFFT_MEASURE] = 5, [MFFT_ESTIMATE] = 0, [MFFT_PATIENT] = 60};
  if (desc->time_limit > 0) return desc->time_limit;
  return *mfft_env_string(MFFT_ENV_TUNE_S) ? mfft_env_number(MFFT_ENV_TUNE_S) : fallback[desc->effort];
}

double mfft_desc_deadline(const mfft_desc *desc, const mfft_backend *backend) {
  const int limited = desc->time_limit > 0 || *mfft_env_string(MFFT_ENV_TUNE_S) || !backend->host_memory;
  return limited ? mfft_now() + mfft_desc_time_limit(desc) : 0;
}

mfft_status mfft_desc_check(const mfft_desc *given, mfft_desc *checked) {
  mfft_desc d;
  MFFT_TRY(mfft_versioned_take(&versions, given, &d));
  MFFT_TRY(check_lengths(&d));
  MFFT_TRY(check_choices(&d));
  MFFT_TRY(check_strides(&d));
  MFFT_TRY(check_bounds(&d));
  if (d.threads == 0) d.threads = 1;
  if (d.filtered && d.rank == 1 && d.order == MFFT_ORDER_TRANSPOSED)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "filtered is %u for one dimension in scrambled order; use MFFT_ORDER_NATURAL",
                     d.filtered);
  if (d.wire == MFFT_WIRE_HALF && d.precision != MFFT_SINGLE && d.precision != MFFT_DOUBLE)
    return mfft_fail(MFFT_ERR_ARG, "desc.wire is MFFT_WIRE_HALF for 16-bit numbers; it is for single and double");
  *checked = d;
  return MFFT_SUCCESS;
}

mfft_status mfft_desc_resolve(const mfft_desc *given, mfft_desc *resolved) {
  mfft_desc d;
  const mfft_backend *backend = NULL;
  MFFT_TRY(mfft_desc_check(given, &d));
  MFFT_TRY(mfft_backend_find(d.backend, &backend));
  d.backend = backend->name;
  *resolved = d;
  return MFFT_SUCCESS;
}

int64_t mfft_next_fast_length(int64_t n) {
  if (n <= 1) return n;
  const int64_t top = INT64_C(1) << 62;
  if (n > top) return -1;
  int64_t best = top; /* a power of 2 */
  for (int64_t p7 = 1;; p7 *= 7) {
    for (int64_t p5 = p7;; p5 *= 5) {
      for (int64_t p3 = p5;; p3 *= 3) {
        int64_t p2 = p3;
        while (p2 < n && p2 <= top / 2) p2 *= 2;
        if (p2 >= n && p2 < best) best = p2;
        if (p3 >= n || p3 > top / 3) break;
      }
      if (p5 >= n || p5 > top / 5) break;
    }
    if (p7 >= n || p7 > top / 7) break;
  }
  return best;
}
