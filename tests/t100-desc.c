// TEST
/* The descriptor and the options: their defaults, the meaning of zeros, and that every invalid value is refused with the
 * field, the value and the remedy. */
#include <limits.h>
#include <stddef.h>

#include "base/versioned.h"
#include "check.h"
#include "mfft_inspect.h"

static mfft_desc good(mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.n[0] = 4, d.n[1] = 6, d.n[2] = 8;
  options->effort = MFFT_ESTIMATE;
  options->backend = "fftw";
  return d;
}

static void check_defaults(void) {
  mfft_desc d, zero;
  mfft_options options, nothing;
  memset(&d, 0xa5, sizeof d);
  memset(&options, 0xa5, sizeof options);
  memset(&zero, 0, sizeof zero);
  memset(&nothing, 0, sizeof nothing);
  mfft_desc_init(&d);
  mfft_options_init(&options);
  CHECK(d.struct_size == sizeof d && d.rank == 3 && d.n[0] == 1 && d.n[1] == 1 && d.n[2] == 1, "size %zu rank %d",
        d.struct_size, d.rank);
  CHECK(d.axes == 0 && d.batch == 1 && d.kind == MFFT_C2C && d.precision == MFFT_DOUBLE && d.scale[0] == MFFT_SCALE_NONE &&
            d.scale[1] == MFFT_SCALE_NONE && d.placement == MFFT_OUT_OF_PLACE && !d.allow_destroy_input && !d.in_box &&
            !d.scrambled && d.order == MFFT_ORDER_NATURAL,
        "a default is not as documented");
  CHECK(options.struct_size == sizeof options, "size %zu", options.struct_size);
  options.struct_size = 0;
  CHECK(memcmp(&options, &nothing, sizeof options) == 0, "the options by default are not zeros");

  /* A descriptor of zeros except for its size and lengths works: zero means the default. */
  zero.struct_size = sizeof zero;
  zero.n[0] = zero.n[1] = zero.n[2] = 4;
  mfft_plan plan = NULL;
  int64_t count = 0;
  nothing.struct_size = sizeof nothing;
  const mfft_options *const defaults[] = {NULL, &nothing};
  for (int i = 0; i < 2; i++) {
    CHECK_OK(mfft_plan_create(&zero, defaults[i], &plan));
    CHECK_OK(mfft_plan_count(plan, MFFT_OUT, &count));
    CHECK(count == 64, "%lld elements", (long long)count);
    mfft_plan_destroy(plan);
  }
}

typedef struct bad {
  const char *field; /* what the message must name */
  int how;           /* 1: a field of the options */
  size_t offset;
  int bytes; /* of the field: 4 or 8 */
  int64_t value;
  const char *says; /* and the value or remedy in it */
} bad;
#define FIELD(f)  #f, 0, offsetof(mfft_desc, f), (int)sizeof(((mfft_desc *)0)->f)
#define OPTION(f) #f, 1, offsetof(mfft_options, f), (int)sizeof(((mfft_options *)0)->f)

static const bad bads[] = {
    {FIELD(rank), 4, "rank is 4; use 1, 2 or 3"},
    {FIELD(rank), -1, "rank is -1"},
    {FIELD(n[0]), 0, "n[0] is 0; lengths must be 1 or more"},
    {FIELD(n[2]), -8, "n[2] is -8"},
    {FIELD(n[1]), INT64_MAX, "more than 2^57"},
    {FIELD(n[1]), INT64_C(1) << 57, "more than 2^57"},
    {FIELD(batch), -1, "batch is -1; use 1 or more"},
    {FIELD(batch), INT64_C(1) << 60, "more than 2^57"},
    {FIELD(axes), 8, "axes is 0x8, with bits beyond rank 3; use bits 0 to 2"},
    {FIELD(kind), 3, "kind is 3; use MFFT_C2C, MFFT_R2C or MFFT_R2R"},
    {FIELD(precision), 5, "precision is 5"},
    {FIELD(precision), -1, "precision is"},
    {FIELD(scale[0]), 3, "scale[MFFT_FORWARD] is 3"},
    {FIELD(scale[1]), 9, "scale[MFFT_BACKWARD] is 9"},
    {FIELD(placement), 2, "placement is 2"},
    {FIELD(allow_destroy_input), 2, "allow_destroy_input is 2; use 0 or 1"},
    {FIELD(padded), 2, "padded is 2; use 0 or 1"},
    {OPTION(effort), 6, "effort is 6"},
    {OPTION(threads), -2, "threads is -2"},
    {OPTION(threads), 5000, "threads is 5000"},
    {OPTION(user_workspace), -1, "user_workspace is -1"},
    {OPTION(grid[0]), -1, "grid[0] is -1"},
    {OPTION(late_window), 2, "late_window is 2; use 0 or 1"},
    {OPTION(host_arrays), 2, "host_arrays is 2; use 0 or 1"},
    {OPTION(chunks), -1, "chunks is -1"},
    {OPTION(overlap_split), 16, "overlap_split is 16; use 1 to 15 sixteenths"},
    {OPTION(overlap_split), -2, "overlap_split is -2"},
    {OPTION(compute), 3, "compute is 3; use MFFT_COMPUTE_AUTO, "},
    {OPTION(compute), -1, "compute is"},
    {FIELD(order), 2, "order is 2"},
    {OPTION(wire), 3, "wire is 3; use MFFT_WIRE_FULL, MFFT_WIRE_HALF or MFFT_WIRE_AUTO"},
    {OPTION(wire), MFFT_WIRE_AUTO, "tolerance is 0; set tolerance to the relative error that you accept, 6e-08"},
    {FIELD(scrambled), 7, "scrambled is 7; use 0 or 1"},
    {FIELD(scrambled), 1, "scrambled is 1 for rank 3"},
    {FIELD(in_stride[1]), -3, "in_stride[1] is -3; strides may not be negative"},
    {FIELD(out_dist), -1, "out_dist is -1"},
    {FIELD(in_stride[0]), 100, "in_stride[2] is 0 while others are set"},
};

static void check_bad(void) {
  for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
    mfft_options options;
    mfft_desc d = good(&options);
    int small = (int)bads[i].value;
    memcpy((bads[i].how ? (char *)&options : (char *)&d) + bads[i].offset,
           bads[i].bytes == 4 ? (void *)&small : (void *)&bads[i].value, (size_t)bads[i].bytes);
    mfft_plan plan = (mfft_plan)&d; /* must not be changed by the failed call */
    CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, bads[i].says);
    CHECK(plan == (mfft_plan)&d, "a failed create with a bad %s wrote its output", bads[i].field);
  }
  mfft_options options;
  mfft_desc d = good(&options);
  mfft_plan plan = NULL;
  CHECK_FAILS(mfft_plan_create(NULL, NULL, &plan), MFFT_ERR_ARG, "desc is NULL");
  CHECK_FAILS(mfft_plan_create(&d, &options, NULL), MFFT_ERR_ARG, "plan is NULL");
  options.backend = "fttw";
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "backend is \"fttw\"; this build has ");
}

/* Fields that are real numbers; a tolerance is accepted if no choice depends on it. */
static void check_reals(void) {
  static const struct {
    mfft_wire wire;
    double tolerance, time_limit;
    const char *says; /* NULL: it is fine */
  } cases[] = {
      {MFFT_WIRE_AUTO, 1e-9, 0, NULL},
      {MFFT_WIRE_AUTO, 1, 1e6, NULL},
      {MFFT_WIRE_AUTO, 1.5, 0, "tolerance is 1.5; use a relative error from 0 to 1"},
      {MFFT_WIRE_AUTO, -1, 0, "tolerance is -1"},
      {MFFT_WIRE_AUTO, NAN, 0, "tolerance is"},
      {MFFT_WIRE_FULL, 1e-3, 0, "tolerance is 0.001, but wire is not MFFT_WIRE_AUTO"},
      {MFFT_WIRE_FULL, 0, -2, "time_limit is -2; use 0 to 1e6 seconds"},
      {MFFT_WIRE_FULL, 0, NAN, "time_limit is"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mfft_options options;
    mfft_desc d = good(&options);
    mfft_plan plan = NULL;
    options.wire = cases[i].wire;
    options.tolerance = cases[i].tolerance;
    options.time_limit = cases[i].time_limit;
    if (cases[i].says)
      CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, cases[i].says);
    else
      CHECK_OK(mfft_plan_create(&d, &options, &plan));
    mfft_plan_destroy(plan);
  }
}

/* How a local plan was chosen: FFTW's planner reports only whether it measured. */
static void check_chosen(void) {
  static const mfft_chosen wanted[] = {
      [MFFT_MEASURE] = MFFT_CHOSEN_BY_TIMING, [MFFT_ESTIMATE] = MFFT_CHOSEN_BY_RULE, [MFFT_PATIENT] = MFFT_CHOSEN_BY_TIMING};
  for (int effort = 0; effort < 3; effort++) {
    mfft_options options;
    mfft_desc d = good(&options);
    mfft_plan plan = NULL;
    mfft_chosen by = MFFT_CHOSEN_FROM_WISDOM;
    const char *candidate = NULL;
    int64_t count = -1;
    mfft_trial trial;
    options.effort = (mfft_effort)effort;
    options.time_limit = 1e-3; /* with no time limit left FFTW plans at once, and no worse than by rule */
    CHECK_OK(mfft_plan_create(&d, &options, &plan));
    CHECK_OK(mfft_plan_chosen(plan, &by, &candidate));
    CHECK_OK(mfft_plan_trial_count(plan, &count));
    CHECK(by == wanted[effort] && candidate && !*candidate && count == 0, "effort %d: %d, %lld trials", effort, by,
          (long long)count);
    CHECK_FAILS(mfft_plan_trial(plan, 0, &trial), MFFT_ERR_ARG, "trial 0 is asked for; the plan has 0");
    CHECK_FAILS(mfft_plan_chosen(NULL, &by, &candidate), MFFT_ERR_ARG, "plan is NULL");
    CHECK_FAILS(mfft_plan_chosen(plan, &by, NULL), MFFT_ERR_ARG, "result is NULL");
    mfft_plan_destroy(plan);
  }
}

/* Butterflies are the only algorithm of a CPU: named or not, they give the same plan, and tensor cores give none. */
static void check_compute(void) {
  static const char *const backend[] = {"fftw", "ref"};
  for (int i = 0; i < 2; i++) {
    mfft_options options;
    mfft_desc d = good(&options);
    mfft_plan plan = NULL;
    options.backend = backend[i];
    options.compute = MFFT_COMPUTE_BUTTERFLY;
    CHECK_OK(mfft_plan_create(&d, &options, &plan));
    mfft_plan_destroy(plan);
    options.compute = MFFT_COMPUTE_TENSOR;
    CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED,
                "has no tensor cores; use the backend \"cuda\"");
    CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, backend[i]);
    options.compute = MFFT_COMPUTE_AUTO;
    options.radices = "4,2";
    CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "radices are \"4,2\" and the backend");
    options.radices = "4x2";
    CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "for 2 axes, and 3 are transformed");
  }
}

/* Layouts in which elements share memory, and some that only appear to. */
typedef struct stride_case {
  int64_t n[3], batch, in[3], dist;
  const char *says; /* NULL: it is fine */
} stride_case;

static const stride_case strides[] = {
    {{4, 6, 8}, 1, {48, 8, 1}, 0, NULL},
    {{4, 6, 8}, 2, {96, 16, 2}, 1, NULL}, /* batch interleaved */
    {{4, 6, 8}, 1, {1, 4, 24}, 0, NULL},  /* Fortran order */
    {{1, 6, 1}, 1, {7, 5, 9}, 0, NULL},   /* strides of single elements do not matter */
    {{4, 6, 8}, 1, {47, 8, 1}, 0, "in_stride[0] is 47, but the faster loops reach over 48 elements"},
    {{4, 6, 8}, 1, {48, 7, 1}, 0, "in_stride[1] is 7"},
    {{4, 6, 8}, 2, {48, 8, 1}, 100, "in_dist is 100"},
    {{4, 6, 8}, 2, {48, 8, 1}, 0, "in_dist is 0 for a batch of 2"},
    {{4, 6, 8}, 2, {48, 8, 1}, 1, "in_dist is 1"},
    {{4, 6, 8}, 1, {INT64_C(1) << 60, 8, 1}, 0, "more than 2^57"},
};

static void check_strides(void) {
  for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
    mfft_options options;
    mfft_desc d = good(&options);
    mfft_plan plan = NULL;
    memcpy(d.n, strides[i].n, sizeof d.n);
    memcpy(d.in_stride, strides[i].in, sizeof d.in_stride);
    d.batch = strides[i].batch;
    d.in_dist = strides[i].dist;
    if (strides[i].says)
      CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, strides[i].says);
    else
      CHECK_OK(mfft_plan_create(&d, &options, &plan));
    mfft_plan_destroy(plan);
  }
}

/* Sizes of a struct that no version has had: `struct_size` is that of the descriptor or of the options, of `size` bytes, of
 * which `ends` (ended by 0) are versions. */
static void check_versions_of(const mfft_desc *d, const mfft_options *o, size_t *struct_size, size_t size,
                              const size_t *ends, const char *init) {
  mfft_plan plan = NULL;
  for (size_t small = 0; small < size; small++) {
    *struct_size = small;
    if (!*ends || small != *ends) {
      CHECK_FAILS(mfft_plan_create(d, o, &plan), MFFT_ERR_ARG, init);
      continue;
    }
    CHECK_OK(mfft_plan_create(d, o, &plan));
    mfft_plan_destroy(plan);
    ends++;
  }
  *struct_size = size + 100000;
  CHECK_FAILS(mfft_plan_create(d, o, &plan), MFFT_ERR_ARG, init);
  *struct_size = size;
  CHECK_OK(mfft_plan_create(d, o, &plan));
  mfft_plan_destroy(plan);
}

static void check_versions(void) {
  struct {
    mfft_desc known;
    int64_t later;
  } newer;
  struct {
    mfft_options known;
    int64_t later;
  } newer_how;
  mfft_plan plan = NULL;
  mfft_desc_init_sized(&newer.known, sizeof newer);
  mfft_options_init_sized(&newer_how.known, sizeof newer_how);
  newer.known.n[2] = 8;
  newer_how.known.effort = MFFT_ESTIMATE;
  CHECK(newer.known.struct_size == sizeof newer && newer.later == 0, "a newer descriptor is not cleared");
  CHECK(newer_how.known.struct_size == sizeof newer_how && newer_how.later == 0, "newer options are not cleared");
  CHECK_OK(mfft_plan_create(&newer.known, &newer_how.known, &plan));
  mfft_plan_destroy(plan);
  newer.later = 1;
  CHECK_FAILS(mfft_plan_create(&newer.known, &newer_how.known, &plan), MFFT_ERR_UNSUPPORTED, "desc.struct_size");
  newer.later = 0;
  newer_how.later = 1;
  CHECK_FAILS(mfft_plan_create(&newer.known, &newer_how.known, &plan), MFFT_ERR_UNSUPPORTED, "options.struct_size");

  unsigned char small[sizeof(mfft_desc)];
  memset(small, 0xa5, sizeof small);
  mfft_desc_init_sized((mfft_desc *)small, 16);
  CHECK(small[15] != 0xa5 && small[16] == 0xa5, "init wrote beyond the caller's descriptor");
  memset(small, 0xa5, sizeof small);
  mfft_options_init_sized((mfft_options *)small, 16);
  CHECK(small[15] != 0xa5 && small[16] == 0xa5, "init wrote beyond the caller's options");
  mfft_options options;
  mfft_desc d = good(&options);
  static const size_t desc_ends[] = {MFFT_FIELD_END(mfft_desc, out_box), MFFT_FIELD_END(mfft_desc, padded),
                                     MFFT_FIELD_END(mfft_desc, padded) + 4, /* with its padding, zero by mfft_desc_init */
                                     MFFT_FIELD_END(mfft_desc, axis_kind), 0},
                      options_ends[] = {0};
  check_versions_of(&d, &options, &d.struct_size, sizeof d, desc_ends, "mfft_desc_init");
  check_versions_of(&d, &options, &options.struct_size, sizeof options, options_ends, "mfft_options_init");
}

/* A struct that has grown: callers of each version are accepted, and none whose size ends inside a field. */
static void check_growth(void) {
  typedef struct grown {
    size_t struct_size;
    int first;
    double second;
    int third;
  } grown;
  static const size_t ends[] = {MFFT_FIELD_END(grown, second), MFFT_FIELD_END(grown, third)};
  static const mfft_versioned type = {"grown", "grown_init", sizeof(grown), MFFT_FIELD_END(grown, first), ends, 2};
  for (size_t size = type.first; size <= sizeof(grown); size++) {
    grown given = {size, 1, 2, 3}, known;
    const int sound = size == type.first || size == 16 || size == ends[0] || size == ends[1] || size == sizeof(grown);
    const mfft_status status = mfft_versioned_take(&type, &given, &known);
    CHECK((status == MFFT_SUCCESS) == sound, "%zu bytes: %s", size, mfft_strerror(status));
    if (status != MFFT_SUCCESS) continue;
    CHECK(known.struct_size == sizeof known && known.first == 1, "%zu bytes", size);
    CHECK(known.second == (size >= ends[0] ? 2 : 0) && known.third == (size >= ends[1] ? 3 : 0), "%zu bytes", size);
  }
}

int main(void) {
  check_defaults();
  check_bad();
  check_reals();
  check_chosen();
  check_compute();
  check_strides();
  check_versions();
  check_growth();
  return test_end();
}
