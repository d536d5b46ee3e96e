/* desc.c: the descriptor: defaults, versions, and the checks that local and distributed plans share. */
#include <inttypes.h>
#include <string.h>

#include "base/versioned.h"
#include "mfft_inspect.h"
#include "plan/plan.h"

static const size_t ends[] = {MFFT_FIELD_END(mfft_desc, padded), MFFT_FIELD_END(mfft_desc, axis_kind),
                              MFFT_FIELD_END(mfft_desc, given)};
static const mfft_versioned versions = {
    "desc", "mfft_desc_init", sizeof(mfft_desc), MFFT_FIELD_END(mfft_desc, out_box), ends, sizeof ends / sizeof *ends};

void mfft_desc_init_sized(mfft_desc *desc, size_t struct_size) {
  const mfft_desc defaults = {.rank = 3, .batch = 1, .n = {1, 1, 1}};
  mfft_versioned_init(desc, struct_size, &defaults, sizeof defaults);
}

mfft_status mfft_check_range(const char *field, int64_t value, int64_t min, int64_t max, const char *remedy) {
  if (value >= min && value <= max) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s is %" PRId64 "; %s", field, value, remedy);
}

mfft_status mfft_check_fields(const mfft_field_range *range, size_t count) {
  for (size_t i = 0; i < count; i++)
    MFFT_TRY(mfft_check_range(range[i].field, range[i].value, 0, range[i].max, range[i].remedy));
  return MFFT_SUCCESS;
}

static mfft_status check_choices(const mfft_desc *d) {
  const mfft_field_range fields[] = {
      {"kind", d->kind, MFFT_R2R, "use MFFT_C2C, MFFT_R2C or MFFT_R2R"},
      {"precision", d->precision, MFFT_LONG_DOUBLE,
       "use MFFT_DOUBLE, MFFT_SINGLE, MFFT_HALF, MFFT_BFLOAT16 or MFFT_LONG_DOUBLE"},
      {"scale[MFFT_FORWARD]", d->scale[0], MFFT_SCALE_FULL, "use MFFT_SCALE_NONE, MFFT_SCALE_SQRT or MFFT_SCALE_FULL"},
      {"scale[MFFT_BACKWARD]", d->scale[1], MFFT_SCALE_FULL, "use MFFT_SCALE_NONE, MFFT_SCALE_SQRT or MFFT_SCALE_FULL"},
      {"placement", d->placement, MFFT_IN_PLACE, "use MFFT_OUT_OF_PLACE or MFFT_IN_PLACE"},
      {"order", d->order, MFFT_ORDER_TRANSPOSED, "use MFFT_ORDER_NATURAL or MFFT_ORDER_TRANSPOSED"},
      {"scrambled", d->scrambled, 1, "use 0 or 1"},
      {"allow_destroy_input", d->allow_destroy_input, 1, "use 0 or 1"},
      {"padded", d->padded, 1, "use 0 or 1"},
      {"filtered", d->filtered, 3, "set bit 0 for a filter after forward, bit 1 for one before backward"},
  };
  return mfft_check_fields(fields, sizeof fields / sizeof *fields);
}

/* Rank 1 has the flag `scrambled` instead of `order`. */
static mfft_status check_order(const mfft_desc *d) {
  if (d->scrambled && d->rank != 1)
    return mfft_fail(MFFT_ERR_ARG, "scrambled is 1 for rank %d; it is for rank 1, use order for distributed plans of others",
                     d->rank);
  if (d->rank == 1 && d->order != MFFT_ORDER_NATURAL)
    return mfft_fail(MFFT_ERR_ARG, "order is MFFT_ORDER_TRANSPOSED for rank 1; set scrambled = 1 for scrambled order");
  if (d->scrambled && d->filtered)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "filtered is %u for one dimension in scrambled order; set scrambled = 0",
                     d->filtered);
  return MFFT_SUCCESS;
}

/* Checks lengths, and that every byte offset into the arrays is below 2^62. */
static mfft_status check_lengths(mfft_desc *d) {
  if (d->rank == 0) d->rank = 3;
  if (d->batch == 0) d->batch = 1;
  MFFT_TRY(mfft_check_range("rank", d->rank, 1, 3, "use 1, 2 or 3"));
  MFFT_TRY(mfft_check_range("batch", d->batch, 1, INT64_MAX, "use 1 or more"));
  const int64_t most = INT64_C(1) << 57; /* elements of up to 32 bytes */
  int64_t count = d->batch;
  for (int a = 0; a < d->rank; a++) {
    static const char *const field[] = {"n[0]", "n[1]", "n[2]"};
    MFFT_TRY(mfft_check_range(field[a], d->n[a], 1, INT64_MAX, "lengths must be 1 or more"));
    if (__builtin_mul_overflow(count, d->n[a] + (d->n[a] < INT64_MAX), &count) || count > most) /* + 1: padded rows */
      return mfft_fail(MFFT_ERR_ARG,
                       "batch %" PRId64 " and lengths up to n[%d] = %" PRId64
                       " give more than 2^57 elements; use smaller arrays",
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
    MFFT_TRY(mfft_check_range(stride[i].field, stride[i].value, 0, INT64_MAX, "strides may not be negative"));
  return MFFT_SUCCESS;
}

/* Checks how many points of each axis are given, and replaces 0 by all. */
static mfft_status check_given(mfft_desc *d) {
  for (int a = 0; a < 3; a++) {
    if (a >= d->rank || d->given[a] == 0) d->given[a] = d->n[a];
    if (d->given[a] < 0 || d->given[a] > d->n[a])
      return mfft_fail(MFFT_ERR_ARG, "given[%d] is %" PRId64 " of n[%d] = %" PRId64 " points; use 1 to n, or 0 for all", a,
                       d->given[a], a, d->n[a]);
    if (!mfft_desc_pads_axis(d, a)) continue;
    if (!(d->axes >> a & 1))
      return mfft_fail(MFFT_ERR_ARG,
                       "given[%d] is %" PRId64 " of %" PRId64
                       " points of an axis that is not transformed (axes = %#x); "
                       "set n[%d] to it",
                       a, d->given[a], d->n[a], d->axes, a);
    if (d->kind != MFFT_R2R && mfft_desc_trigonometric_axes(d))
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "given[%d] is %" PRId64 " of %" PRId64
                       " points beside an axis with a DCT or a DST; give all points, or "
                       "use MFFT_R2R",
                       a, d->given[a], d->n[a]);
    if (d->scrambled)
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "given[%d] is %" PRId64 " of %" PRId64 " points in scrambled order; set scrambled = 0", a,
                       d->given[a], d->n[a]);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_desc_check(const mfft_desc *given, mfft_desc *checked) {
  mfft_desc d;
  MFFT_TRY(mfft_versioned_take(&versions, given, &d));
  MFFT_TRY(check_lengths(&d));
  MFFT_TRY(check_choices(&d));
  MFFT_TRY(check_order(&d));
  MFFT_TRY(mfft_axis_kinds_check(&d));
  MFFT_TRY(check_given(&d));
  MFFT_TRY(check_strides(&d));
  *checked = d;
  return MFFT_SUCCESS;
}

/* ---- Real fields ----------------------------------------------------------------------------------------------------- */

typedef struct demand {
  const char *field; /* NULL: the descriptor is of a real field */
  int64_t value, wanted;
  const char *word; /* of `wanted` */
} demand;

/* The first field that keeps a descriptor from being of a real field. */
static demand find_other_than_field(const mfft_desc *d) {
  const demand all[] = {{"kind", d->kind, MFFT_R2C, "MFFT_R2C"},
                        {"rank", d->rank, 3, "3"},
                        {"batch", d->batch, 1, "1"},
                        {"axes", d->axes, 7, "7"},
                        {"axis_kind[0]", d->axis_kind[0], MFFT_DFT, "MFFT_DFT"},
                        {"axis_kind[1]", d->axis_kind[1], MFFT_DFT, "MFFT_DFT"},
                        {"axis_kind[2]", d->axis_kind[2], MFFT_DFT, "MFFT_DFT"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].value != all[i].wanted) return all[i];
  return (demand){.field = NULL};
}

int mfft_desc_is_field(const mfft_desc *d) { return !find_other_than_field(d).field; }

mfft_status mfft_desc_require_field(const mfft_desc *d, const char *plan, const char *what) {
  const demand other = find_other_than_field(d);
  if (!other.field) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED,
                   "%s was made with desc.%s = %" PRId64
                   ", and %s need one real array of rank 3 with a DFT of all axes; make it with desc.%s = %s",
                   plan, other.field, other.value, what, other.field, other.word);
}

/* ---- Lengths --------------------------------------------------------------------------------------------------------- */

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
