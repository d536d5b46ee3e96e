// TEST args=fftw
// TEST args=ref
// TEST labels=emulated timeout=300 args=cuda
/* Local plans whose arrays end in zeros (desc.given): against the plan of the padded array, on FFTW in double or long
 * double, in both directions, for kinds, ranks, layouts, batches, precisions and placements; one line against its sum; what
 * is refused. */
#include "base/precision.h"
#include "check.h"
#include "local/backend.h"
#include "local/host/stored.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static const char *backend;

typedef struct shape {
  mfft_kind kind;
  int rank;
  int64_t n[3], given[3];
  unsigned axes;
  mfft_axis_kind axis[3];
} shape;

static const shape shapes[] = {
    {MFFT_C2C, 3, {8, 6, 10}, {4, 3, 5}, 0, {0}},
    {MFFT_R2C, 3, {8, 6, 10}, {4, 3, 5}, 0, {0}},
    {MFFT_R2C, 3, {7, 9, 5}, {1, 9, 4}, 0, {0}},
    {MFFT_R2C, 3, {5, 7, 8}, {5, 1, 0}, 0, {0}},
    {MFFT_R2C, 3, {5, 7, 8}, {0, 7, 7}, 0, {0}},
    {MFFT_C2C, 3, {6, 9, 12}, {3, 9, 6}, 5, {0}},
    {MFFT_R2C, 3, {10, 6, 5}, {4, 2, 5}, 3, {0}},
    {MFFT_C2C, 2, {13, 6}, {2, 5}, 0, {0}},
    {MFFT_R2C, 2, {16, 300}, {8, 150}, 0, {0}},
    {MFFT_C2C, 1, {300}, {111}, 0, {0}},
    {MFFT_R2C, 1, {17}, {9}, 0, {0}},
    {MFFT_R2R, 3, {8, 5, 6}, {4, 2, 6}, 0, {MFFT_DCT2, MFFT_DST2, MFFT_DCT4}},
    {MFFT_R2R, 1, {12}, {5}, 0, {MFFT_DST1}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static long double load(mfft_precision p, const void *array, int64_t i) {
#define LOAD(precision, name, type, real) \
  if (p == precision) return mfft_##name##_load(((const type *)array)[i]);
  MFFT_STORED_TYPES(LOAD)
  return NAN;
}

static void store(mfft_precision p, void *array, int64_t i, long double value) {
#define STORE(precision, name, type, real) \
  if (p == precision) ((type *)array)[i] = mfft_##name##_store((real)value);
  MFFT_STORED_TYPES(STORE)
}

/* An array of a side: lengths, strides and reals in an element. */
typedef struct side {
  int64_t n[4], stride[4]; /* batch, then axes */
  int parts;
  size_t bytes;
} side;

static int64_t place(const side *v, const int64_t i[4]) {
  int64_t at = 0;
  for (int a = 0; a < 4; a++) at += i[a] * v->stride[a];
  return v->parts * at;
}

#define EACH(v, i)                             \
  for (i[0] = 0; i[0] < (v)->n[0]; i[0]++)     \
    for (i[1] = 0; i[1] < (v)->n[1]; i[1]++)   \
      for (i[2] = 0; i[2] < (v)->n[2]; i[2]++) \
        for (i[3] = 0; i[3] < (v)->n[3]; i[3]++)

static side side_of(mfft_plan plan, const mfft_desc *d, mfft_side which) {
  mfft_box box = {{0}, {0}, {0}};
  side v = {.parts = d->kind == MFFT_R2R || (d->kind == MFFT_R2C && which == MFFT_IN) ? 1 : 2};
  const int64_t *given = which == MFFT_IN ? d->in_stride : d->out_stride;
  CHECK_OK(mfft_plan_box(plan, which, &box));
  CHECK_OK(mfft_plan_bytes(plan, which, &v.bytes));
  v.n[0] = d->batch;
  int64_t packed = 1;
  for (int a = 2; a >= 0; a--) {
    v.n[a + 1] = box.hi[a];
    v.stride[a + 1] = given[0] && a < d->rank ? given[a] : packed;
    packed *= box.hi[a];
  }
  v.stride[0] = given[0] ? (which == MFFT_IN ? d->in_dist : d->out_dist) : packed;
  return v;
}

static mfft_desc describe(const shape *s, int variant) {
  mfft_desc d;
  mfft_desc_init(&d);
  d.rank = s->rank, d.kind = s->kind, d.axes = s->axes;
  memcpy(d.n, s->n, sizeof d.n);
  memcpy(d.given, s->given, sizeof d.given);
  memcpy(d.axis_kind, s->axis, sizeof d.axis_kind);
  static const mfft_precision precisions[] = {MFFT_DOUBLE, MFFT_SINGLE,   MFFT_DOUBLE,     MFFT_DOUBLE,
                                              MFFT_HALF,   MFFT_BFLOAT16, MFFT_LONG_DOUBLE}; /* [variant] */
  d.precision = precisions[variant];
  d.placement = variant == 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.batch = 1 + variant % 3;
  d.allow_destroy_input = variant == 1;
  d.scale[MFFT_FORWARD] = variant >= 4 ? MFFT_SCALE_SQRT : MFFT_SCALE_NONE;
  d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  if (variant == 3) { /* elements two apart; the axes of OUT in the opposite order */
    int64_t in = 2, out = 2;
    for (int a = 0; a < d.rank; a++) {
      d.in_stride[d.rank - 1 - a] = in, in *= d.n[d.rank - 1 - a];
      d.out_stride[a] = out, out *= d.n[a];
    }
    d.in_dist = in, d.out_dist = out;
  }
  return d;
}

/* One direction: `from` with noise, what comes out compared with the padded transform of the same noise. */
static void check_direction(mfft_plan plan, mfft_plan padded, const mfft_desc *d, const mfft_desc *whole,
                            mfft_direction direction, const char *name) {
  const mfft_side in = direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, out = direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN;
  const side from = side_of(plan, d, in), to = side_of(plan, d, out);
  const side whole_from = side_of(padded, whole, in), whole_to = side_of(padded, whole, out);
  const int in_place = d->placement == MFFT_IN_PLACE;
  const size_t bytes = from.bytes > to.bytes ? from.bytes : to.bytes;
  void *x = malloc(bytes), *y = malloc(bytes), *before = malloc(bytes), *memory[2] = {NULL, NULL};
  void *wx = calloc(1, whole_from.bytes), *wy = malloc(whole_to.bytes);
  long double error = 0, norm = 0;
  uint64_t seed = 7 + (uint64_t)direction;
  int64_t i[4];
  memset(x, 0x3c, bytes);
  memset(y, 0x3c, bytes);
  EACH(&from, i) for (int part = 0; part < from.parts; part++) {
    store(d->precision, x, place(&from, i) + part, test_random(&seed) / 3.0L);
    store(whole->precision, wx, place(&whole_from, i) + part, load(d->precision, x, place(&from, i) + part));
  }
  memcpy(before, x, bytes);
  for (int m = 0; m < 2 - in_place; m++) {
    CHECK_OK(mfft_memory_alloc(backend, bytes, &memory[m]));
    CHECK_OK(mfft_memory_upload(backend, memory[m], m ? y : x, bytes));
  }
  if (in_place) memory[1] = memory[0];
  CHECK_OK(mfft_execute(plan, direction, memory[0], memory[1]));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, x, memory[0], bytes));
  CHECK_OK(mfft_memory_download(backend, y, memory[1], bytes));
  CHECK_OK(mfft_execute(padded, direction, wx, wy));
  if (!in_place && !d->allow_destroy_input) CHECK(memcmp(x, before, bytes) == 0, "%s: the input has changed", name);
  EACH(&to, i) for (int part = 0; part < to.parts; part++) {
    const int64_t at = place(&to, i) + part;
    const long double want = load(whole->precision, wy, place(&whole_to, i) + part), off = load(d->precision, y, at) - want;
    error += off * off, norm += want * want;
    memset((char *)y + (size_t)at * mfft_real_bytes(d->precision), 0x3c, mfft_real_bytes(d->precision));
  }
  static const double bound[] = {1e-15, 5e-7, 2e-3, 2e-2, 1e-18}; /* [precision] */
  CHECK(sqrtl(error) <= bound[d->precision] * sqrtl(norm), "%s, direction %d: off by %.3Lg", name, direction,
        sqrtl(error / norm));
  for (size_t b = 0; !in_place && b < to.bytes; b++)
    if (((unsigned char *)y)[b] != 0x3c) {
      CHECK(0, "%s, direction %d: byte %zu between elements was written", name, direction, b);
      break;
    }
  for (int m = 0; m < 2 - in_place; m++) CHECK_OK(mfft_memory_free(backend, memory[m]));
  free(x), free(y), free(before), free(wx), free(wy);
}

/* A GPU transforms the given points, and no array of zeros in the workspace. */
static void check_pruned(mfft_plan plan, const char *name) {
  char text[8192];
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  CHECK(strstr(text, "padded from") && strstr(text, "cropped to") && !strstr(text, "padded to"), "%s: %s", name, text);
}

static void check_shape(const shape *s, int variant) {
  mfft_desc d = describe(s, variant), whole = d;
  mfft_options options;
  mfft_plan plan = NULL, padded = NULL;
  char name[64];
  snprintf(name, sizeof name, "shape %d, variant %d", (int)(s - shapes), variant);
  mfft_options_init(&options);
  options.effort = MFFT_ESTIMATE, options.backend = backend;
  if (variant == 1) options.threads = 2;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  if (strcmp(backend, "cuda") == 0) check_pruned(plan, name);
  options.backend = "fftw", options.threads = 1;
  memset(whole.given, 0, sizeof whole.given);
  memset(whole.in_stride, 0, sizeof whole.in_stride);
  memset(whole.out_stride, 0, sizeof whole.out_stride);
  whole.in_dist = whole.out_dist = 0;
  if (d.precision != MFFT_LONG_DOUBLE) whole.precision = MFFT_DOUBLE;
  whole.placement = MFFT_OUT_OF_PLACE, whole.allow_destroy_input = 1;
  CHECK_OK(mfft_plan_create(&whole, &options, &padded));
  if (plan && padded) {
    check_direction(plan, padded, &d, &whole, MFFT_FORWARD, name);
    check_direction(plan, padded, &d, &whole, MFFT_BACKWARD, name);
  }
  mfft_plan_destroy(plan);
  mfft_plan_destroy(padded);
}

/* One line against its sum. */
static void check_sum(void) {
  enum { N = 11, GIVEN = 4 };
  double x[2 * GIVEN], y[2 * N];
  void *in = NULL, *out = NULL;
  uint64_t seed = 3;
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = backend;
  d.rank = 1, d.n[0] = N, d.given[0] = GIVEN;
  for (int j = 0; j < 2 * GIVEN; j++) x[j] = test_random(&seed);
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_memory_alloc(backend, sizeof x, &in));
  CHECK_OK(mfft_memory_alloc(backend, sizeof y, &out));
  CHECK_OK(mfft_memory_upload(backend, in, x, sizeof x));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, y, out, sizeof y));
  for (int k = 0; k < N; k++) {
    double re = 0, im = 0;
    for (int j = 0; j < GIVEN; j++) {
      const double angle = -2 * acos(-1) * j * k / N;
      re += x[2 * j] * cos(angle) - x[2 * j + 1] * sin(angle);
      im += x[2 * j] * sin(angle) + x[2 * j + 1] * cos(angle);
    }
    CHECK(hypot(y[2 * k] - re, y[2 * k + 1] - im) < 1e-14, "k = %d: %g, %g for %g, %g", k, y[2 * k], y[2 * k + 1], re, im);
  }
  CHECK_OK(mfft_memory_free(backend, in));
  CHECK_OK(mfft_memory_free(backend, out));
  mfft_plan_destroy(plan);
}

static void check_refused(void) {
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc d;
  char text[4096];
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = backend, options.effort = MFFT_ESTIMATE;
  d.rank = 2, d.n[0] = 4, d.n[1] = 6, d.given[1] = 7;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "given[1] is 7 of n[1] = 6 points");
  d.given[1] = -1;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "given[1] is -1");
  d.given[1] = 3, d.axes = 1;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "given[1] is 3 of 6 points of an axis that is not");
  d.axes = 0, d.axis_kind[0] = MFFT_DCT2;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "given[1] is 3 of 6 points beside an axis");
  d.axis_kind[0] = MFFT_DFT, d.rank = 1, d.given[0] = 2, d.scrambled = 1;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "given[0] is 2 of 4 points in scrambled order");
  d.scrambled = 0;
  CHECK_OK(mfft_plan_outline(&d, &options, text, sizeof text, NULL));
  CHECK(strstr(text, "4 (2 given)") != NULL, "the outline is %s", text);
}

static int has_long_double(void) {
  const mfft_backend *fftw = NULL;
  CHECK_OK(mfft_backend_find("fftw", &fftw));
  return fftw && !fftw->no_long_double;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  backend = argv[1];
  /* A GPU has no R2R here, and takes seconds to compile a length: its variants of each shape. */
  static const unsigned of_device[SHAPES] = {1 << 0 | 1 << 2, 1 << 0 | 1 << 3, 1 << 1, [10] = 1 << 4};
  const int device = strcmp(backend, "cuda") == 0;
  for (int s = 0; s < SHAPES; s++)
    for (int variant = 0; variant < 6 + has_long_double(); variant++)
      if (!device || of_device[s] >> variant & 1) check_shape(&shapes[s], variant);
  check_sum();
  check_refused();
  return test_end();
}
