// TEST
/* The descriptor: its defaults, what zeros mean, and every nonsense refused with the field, the value and the remedy. */
#include <limits.h>
#include <stddef.h>

#include "check.h"
#include "mfft_inspect.h"

static mfft_desc good(void) {
  mfft_desc d;
  mfft_desc_init(&d);
  d.n[0] = 4, d.n[1] = 6, d.n[2] = 8;
  d.effort = MFFT_ESTIMATE;
  d.backend = "fftw";
  return d;
}

static void check_defaults(void) {
  mfft_desc d, zero;
  memset(&d, 0xa5, sizeof d);
  memset(&zero, 0, sizeof zero);
  mfft_desc_init(&d);
  CHECK(d.struct_size == sizeof d && d.rank == 3 && d.n[0] == 1 && d.n[1] == 1 && d.n[2] == 1, "size %zu rank %d",
        d.struct_size, d.rank);
  CHECK(d.axes == 0 && d.batch == 1 && d.kind == MFFT_C2C && d.precision == MFFT_DOUBLE && d.scale[0] == MFFT_SCALE_NONE &&
            d.scale[1] == MFFT_SCALE_NONE && d.placement == MFFT_OUT_OF_PLACE && !d.allow_destroy_input,
        "a default is not as documented");
  CHECK(d.effort == MFFT_MEASURE && !d.backend && d.threads == 1 && !d.user_workspace && !d.transport && !d.in_box &&
            !d.tune && d.compute == MFFT_COMPUTE_AUTO,
        "a default is not as documented");

  /* A descriptor of zeros but for its size and lengths works: zero means the default. */
  zero.struct_size = sizeof zero;
  zero.n[0] = zero.n[1] = zero.n[2] = 4;
  mfft_plan plan = NULL;
  int64_t count = 0;
  CHECK_OK(mfft_plan_create(&zero, &plan));
  CHECK_OK(mfft_plan_count(plan, MFFT_OUT, &count));
  CHECK(count == 64, "%lld elements", (long long)count);
  mfft_plan_destroy(plan);
}

typedef struct bad {
  const char *field; /* what the story must name */
  size_t offset;
  int bytes; /* of the field: 4 or 8 */
  int64_t value;
  const char *says; /* and the value or remedy in it */
} bad;
#define FIELD(f) #f, offsetof(mfft_desc, f), (int)sizeof(((mfft_desc *)0)->f)

static const bad bads[] = {
    {FIELD(rank), 4, "rank is 4; use 1, 2 or 3"},
    {FIELD(rank), -1, "rank is -1"},
    {FIELD(n[0]), 0, "n[0] is 0; lengths must be 1 or more"},
    {FIELD(n[2]), -8, "n[2] is -8"},
    {FIELD(n[1]), INT64_MAX, "more than 2^58"},
    {FIELD(n[1]), INT64_C(1) << 57, "more than 2^58"},
    {FIELD(batch), -1, "batch is -1; use 1 or more"},
    {FIELD(batch), INT64_C(1) << 60, "more than 2^58"},
    {FIELD(axes), 8, "axes is 0x8, with bits beyond rank 3; use bits 0 to 2"},
    {FIELD(kind), 2, "kind is 2; use MFFT_C2C or MFFT_R2C"},
    {FIELD(precision), 4, "precision is 4"},
    {FIELD(precision), -1, "precision is"},
    {FIELD(scale[0]), 3, "scale[MFFT_FORWARD] is 3"},
    {FIELD(scale[1]), 9, "scale[MFFT_BACKWARD] is 9"},
    {FIELD(placement), 2, "placement is 2"},
    {FIELD(allow_destroy_input), 2, "allow_destroy_input is 2; use 0 or 1"},
    {FIELD(effort), 3, "effort is 3"},
    {FIELD(threads), -2, "threads is -2"},
    {FIELD(threads), 5000, "threads is 5000"},
    {FIELD(user_workspace), -1, "user_workspace is -1"},
    {FIELD(grid[0]), -1, "grid[0] is -1"},
    {FIELD(chunks), -1, "chunks is -1"},
    {FIELD(front), 16, "front is 16; use 1 to 15 sixteenths"},
    {FIELD(front), -2, "front is -2"},
    {FIELD(compute), 3, "compute is 3; use MFFT_COMPUTE_AUTO, "},
    {FIELD(compute), -1, "compute is"},
    {FIELD(order), 2, "order is 2"},
    {FIELD(wire), 3, "wire is 3; use MFFT_WIRE_FULL, MFFT_WIRE_HALF or MFFT_WIRE_AUTO"},
    {FIELD(wire), MFFT_WIRE_AUTO, "tolerance is 0; set tolerance to the relative error that you accept, 6e-08"},
    {FIELD(tune), 7, "tune is 7"},
    {FIELD(in_stride[1]), -3, "in_stride[1] is -3; strides may not be negative"},
    {FIELD(out_dist), -1, "out_dist is -1"},
    {FIELD(in_stride[0]), 100, "in_stride[2] is 0 while others are set"},
};

static void check_bad(void) {
  for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
    mfft_desc d = good();
    int small = (int)bads[i].value;
    memcpy((char *)&d + bads[i].offset, bads[i].bytes == 4 ? (void *)&small : (void *)&bads[i].value, (size_t)bads[i].bytes);
    mfft_plan plan = (mfft_plan)&d; /* must be left as it was */
    CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_ARG, bads[i].says);
    CHECK(plan == (mfft_plan)&d, "a failed create with a bad %s wrote its output", bads[i].field);
  }
  mfft_desc d = good();
  mfft_plan plan = NULL;
  CHECK_FAILS(mfft_plan_create(NULL, &plan), MFFT_ERR_ARG, "desc is NULL");
  CHECK_FAILS(mfft_plan_create(&d, NULL), MFFT_ERR_ARG, "plan is NULL");
  d.backend = "fttw";
  CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_ARG, "backend is \"fttw\"; this build has ");
}

/* Numbers of real value; a tolerance says nothing where no choice bears on it. */
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
      {MFFT_WIRE_FULL, 1e-3, 0, "tolerance is 0.001 and wire is not MFFT_WIRE_AUTO"},
      {MFFT_WIRE_FULL, 0, -2, "time_limit is -2; use 0 to 1e6 seconds"},
      {MFFT_WIRE_FULL, 0, NAN, "time_limit is"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mfft_desc d = good();
    mfft_plan plan = NULL;
    d.wire = cases[i].wire;
    d.tolerance = cases[i].tolerance;
    d.time_limit = cases[i].time_limit;
    if (cases[i].says)
      CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_ARG, cases[i].says);
    else
      CHECK_OK(mfft_plan_create(&d, &plan));
    mfft_plan_destroy(plan);
  }
}

/* How a local plan was chosen: FFTW's planner tells no more than whether it measured. */
static void check_chosen(void) {
  static const mfft_chosen wanted[] = {
      [MFFT_MEASURE] = MFFT_CHOSEN_BY_TIMING, [MFFT_ESTIMATE] = MFFT_CHOSEN_BY_RULE, [MFFT_PATIENT] = MFFT_CHOSEN_BY_TIMING};
  for (int effort = 0; effort < 3; effort++) {
    mfft_desc d = good();
    mfft_plan plan = NULL;
    mfft_chosen by = MFFT_CHOSEN_FROM_WISDOM;
    const char *candidate = NULL;
    int64_t count = -1;
    mfft_trial trial;
    d.effort = (mfft_effort)effort;
    d.time_limit = 1e-3; /* FFTW plans in no time then, and no worse than by rule */
    CHECK_OK(mfft_plan_create(&d, &plan));
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

/* Butterflies are all that a CPU has: asked for by name or not, they make the same plan, and tensor cores none. */
static void check_compute(void) {
  static const char *const backend[] = {"fftw", "ref"};
  for (int i = 0; i < 2; i++) {
    mfft_desc d = good();
    mfft_plan plan = NULL;
    d.backend = backend[i];
    d.compute = MFFT_COMPUTE_BUTTERFLY;
    CHECK_OK(mfft_plan_create(&d, &plan));
    mfft_plan_destroy(plan);
    d.compute = MFFT_COMPUTE_TENSOR;
    CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_UNSUPPORTED, "has no tensor cores; use the backend \"cuda\"");
    CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_UNSUPPORTED, backend[i]);
    d.compute = MFFT_COMPUTE_AUTO;
    d.radices = "4,2";
    CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_UNSUPPORTED, "radices are \"4,2\" and the backend");
    d.radices = "4x2";
    CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_ARG, "for 2 axes, and 3 are transformed");
  }
}

/* Layouts in which elements share memory, and some that only look so. */
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
    {{4, 6, 8}, 1, {INT64_C(1) << 60, 8, 1}, 0, "more than 2^58"},
};

static void check_strides(void) {
  for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
    mfft_desc d = good();
    mfft_plan plan = NULL;
    memcpy(d.n, strides[i].n, sizeof d.n);
    memcpy(d.in_stride, strides[i].in, sizeof d.in_stride);
    d.batch = strides[i].batch;
    d.in_dist = strides[i].dist;
    if (strides[i].says)
      CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_ARG, strides[i].says);
    else
      CHECK_OK(mfft_plan_create(&d, &plan));
    mfft_plan_destroy(plan);
  }
}

/* Callers built against other versions. */
static void check_versions(void) {
  struct {
    mfft_desc known;
    int64_t later;
  } newer;
  mfft_plan plan = NULL;
  mfft_desc_init_sized(&newer.known, sizeof newer);
  newer.known.n[2] = 8;
  newer.known.effort = MFFT_ESTIMATE;
  CHECK(newer.known.struct_size == sizeof newer && newer.later == 0, "a newer descriptor is not cleared");
  CHECK_OK(mfft_plan_create(&newer.known, &plan));
  mfft_plan_destroy(plan);
  newer.later = 1;
  CHECK_FAILS(mfft_plan_create(&newer.known, &plan), MFFT_ERR_UNSUPPORTED, "update the library");

  unsigned char small[sizeof(mfft_desc)];
  memset(small, 0xa5, sizeof small);
  mfft_desc_init_sized((mfft_desc *)small, 16);
  CHECK(small[15] != 0xa5 && small[16] == 0xa5, "init wrote beyond the caller's descriptor");
  CHECK_FAILS(mfft_plan_create((mfft_desc *)small, &plan), MFFT_ERR_ARG, "struct_size is 16");
  mfft_desc d = good();
  for (size_t size = offsetof(mfft_desc, compute); size < sizeof d; size++) { /* an older caller, or half a field */
    static const size_t sound[] = {offsetof(mfft_desc, compute),   offsetof(mfft_desc, filtered),
                                   offsetof(mfft_desc, wire),      offsetof(mfft_desc, wire) + sizeof d.wire,
                                   offsetof(mfft_desc, radices),   offsetof(mfft_desc, front),
                                   offsetof(mfft_desc, front) + 4, offsetof(mfft_desc, tolerance),
                                   offsetof(mfft_desc, time_limit)};
    int is_sound = 0;
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) is_sound |= sound[i] == size;
    d.struct_size = size;
    if (is_sound)
      CHECK_OK(mfft_plan_create(&d, &plan));
    else
      CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_ARG, "cuts a field in two");
    if (is_sound) mfft_plan_destroy(plan);
  }
  d.struct_size = sizeof d + 100000;
  CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_ARG, "mfft_desc_init");
  d.struct_size = 0;
  CHECK_FAILS(mfft_plan_create(&d, &plan), MFFT_ERR_ARG, "mfft_desc_init");
}

int main(void) {
  check_defaults();
  check_bad();
  check_reals();
  check_chosen();
  check_compute();
  check_strides();
  check_versions();
  return test_end();
}
