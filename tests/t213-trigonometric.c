// TEST args=fftw labels=accuracy
// TEST args=ref
// TEST args=cuda labels=cuda timeout=900
// TEST args=cuda labels=emulated+nightly timeout=300
/* Cosines and sines of a backend: each kind against the sums of mfft_kind.h, term by term; then of one, two and three axes,
 * beside DFTs and axes that stay, in place and out, with strides, against FFTW in long double. */
#include "mfft_spectrum.h"
#include "transform.h"
#include "trigonometric_case.h"

static const char *backend;

/* The sum that mfft_kind.h defines, as it stands there. */
static long double sum_of(mfft_axis_kind kind, int64_t n, const double *x, int64_t k) {
  const long double pi = acosl(-1);
  long double sum = 0;
  for (int64_t j = 0; j < n; j++) {
    const int end = j == 0 || j == n - 1;
    const long double jh = (long double)j + 0.5L, kh = (long double)k + 0.5L;
    switch (kind) {
      case MFFT_DCT1:
        sum += (end ? 1 : 2) * x[j] * cosl(pi * (long double)(j * k) / (long double)(n - 1));
        break;
      case MFFT_DCT2:
        sum += 2 * x[j] * cosl(pi * jh * (long double)k / (long double)n);
        break;
      case MFFT_DCT3:
        sum += (j ? 2 : 1) * x[j] * cosl(pi * (long double)j * kh / (long double)n);
        break;
      case MFFT_DCT4:
        sum += 2 * x[j] * cosl(pi * jh * kh / (long double)n);
        break;
      case MFFT_DST1:
        sum += 2 * x[j] * sinl(pi * (long double)((j + 1) * (k + 1)) / (long double)(n + 1));
        break;
      case MFFT_DST2:
        sum += 2 * x[j] * sinl(pi * jh * (long double)(k + 1) / (long double)n);
        break;
      case MFFT_DST3:
        sum += j == n - 1 ? (k % 2 ? -x[j] : x[j]) : 2 * x[j] * sinl(pi * (long double)(j + 1) * kh / (long double)n);
        break;
      default:
        sum += 2 * x[j] * sinl(pi * jh * kh / (long double)n);
    }
  }
  return sum;
}

/* Whether kernels of each length are compiled for a GPU of the CPU, which takes long. */
static int compiles(void) { return strcmp(backend, "cuda") == 0 && test_small(); }

/* The length after n: each to 48, where the fftw backend has another algorithm from 40 on, then 64 and 99. */
static int64_t next_length(int64_t n) { return compiles() ? n + 13 : n < 48 ? n + 1 : n < 64 ? 64 : n < 99 ? 99 : 100; }

/* The plan of one line. */
static mfft_plan plan_line(mfft_axis_kind kind, int64_t n) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1, d.n[0] = n, d.kind = MFFT_R2R, d.axis_kind[0] = kind;
  options.backend = backend, options.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  return plan;
}

/* One line of each length: forward is the sum, backward the sum of the inverse kind. */
static void check_sums(mfft_axis_kind kind) {
  static const mfft_axis_kind inverse[] = {MFFT_DFT,  MFFT_DCT1, MFFT_DCT3, MFFT_DCT2, MFFT_DCT4,
                                           MFFT_DST1, MFFT_DST3, MFFT_DST2, MFFT_DST4};
  uint64_t state = kind;
  for (int64_t n = kind == MFFT_DCT1 ? 2 : 1; n <= (compiles() ? 40 : 99); n = next_length(n)) {
    double x[99], y[99];
    mfft_plan plan = plan_line(kind, n);
    for (int64_t j = 0; j < n; j++) x[j] = test_random(&state);
    for (int direction = 0; direction < 2; direction++) {
      long double error = 0, norm = 0;
      test_execute(plan, (mfft_direction)direction, x, sizeof x, y, sizeof y);
      for (int64_t k = 0; k < n; k++) {
        const long double want = sum_of(direction ? inverse[kind] : kind, n, x, k);
        error += (y[k] - want) * (y[k] - want);
        norm += want * want;
      }
      CHECK(sqrtl(error) <= 2e-15L * sqrtl(norm), "kind %d length %lld direction %d: off by %.3Lg", kind, (long long)n,
            direction, sqrtl(error / norm));
    }
    mfft_plan_destroy(plan);
  }
}

static const trigonometric_case cases[] = {
    {MFFT_R2R, 3, {7, 6, 9}, 0, {MFFT_DCT1, MFFT_DST1, MFFT_DCT2}},
    {MFFT_R2R, 3, {8, 12, 10}, 5, {MFFT_DST2, MFFT_DFT, MFFT_DST3}},
    {MFFT_R2R, 3, {17, 1, 16}, 0, {MFFT_DCT3, MFFT_DCT2, MFFT_DCT4}},
    {MFFT_R2R, 2, {20, 21}, 0, {MFFT_DST4, MFFT_DST4}},
    {MFFT_R2R, 2, {30, 8}, 1, {MFFT_DCT2}},
    {MFFT_R2R, 1, {100}, 0, {MFFT_DST2}},
    {MFFT_R2R, 3, {3, 45, 64}, 0, {MFFT_DST1, MFFT_DCT3, MFFT_DST3}},
    {MFFT_R2R, 2, {56, 41}, 0, {MFFT_DST2, MFFT_DCT2}},
    {MFFT_R2C, 3, {6, 5, 8}, 0, {MFFT_DCT2, MFFT_DFT, MFFT_DFT}},
    {MFFT_R2C, 3, {6, 5, 8}, 0, {MFFT_DFT, MFFT_DST2, MFFT_DFT}},
    {MFFT_R2C, 3, {6, 9, 8}, 0, {MFFT_DFT, MFFT_DFT, MFFT_DST1}},
    {MFFT_R2C, 3, {6, 9, 8}, 0, {MFFT_DFT, MFFT_DCT1, MFFT_DST1}},
    {MFFT_R2C, 3, {6, 9, 8}, 3, {MFFT_DFT, MFFT_DCT4}},
    {MFFT_R2C, 2, {14, 15}, 0, {MFFT_DFT, MFFT_DST3}},
    {MFFT_C2C, 3, {5, 6, 7}, 0, {MFFT_DST1, MFFT_DFT, MFFT_DFT}},
    {MFFT_C2C, 3, {5, 6, 7}, 0, {MFFT_DFT, MFFT_DCT3, MFFT_DST3}},
    {MFFT_C2C, 3, {5, 6, 7}, 2, {MFFT_DFT, MFFT_DCT2}},
    {MFFT_C2C, 3, {5, 6, 7}, 0, {MFFT_DCT2, MFFT_DST2, MFFT_DCT4}},
    {MFFT_C2C, 1, {50}, 0, {MFFT_DCT2}},
};

static void check_case(size_t c, int variant) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = cases[c].rank, d.kind = cases[c].kind, d.axes = cases[c].axes;
  memcpy(d.n, cases[c].n, sizeof d.n);
  memcpy(d.axis_kind, cases[c].axis, sizeof d.axis_kind);
  for (int a = d.rank; a < 3; a++) d.n[a] = 1;
  options.backend = backend, options.effort = MFFT_ESTIMATE;
  d.precision = variant % 3 == 0 ? MFFT_DOUBLE : variant % 3 == 1 ? MFFT_SINGLE : MFFT_HALF;
  d.placement = variant % 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.batch = 1 + (variant / 2) % 3;
  d.allow_destroy_input = variant == 4;
  d.scale[0] = d.precision == MFFT_HALF ? MFFT_SCALE_SQRT : (mfft_scale)(variant % 3);
  d.scale[1] = d.precision == MFFT_HALF ? MFFT_SCALE_SQRT : (mfft_scale)((variant + 1) % 3);
  if (variant == 6) { /* elements two apart, the last axis slowest in OUT */
    int64_t in = 2, out = 2;
    for (int a = 0; a < d.rank; a++) {
      d.in_stride[d.rank - 1 - a] = in, in *= d.n[d.rank - 1 - a];
      d.out_stride[a] = out, out *= d.n[a];
    }
    d.in_dist = in, d.out_dist = out;
  }
  test_both(&d, &options, c * 16 + (uint64_t)variant, 0);
}

/* The transform of one line by a plan of its own, which check_sums has seen to be right. */
static void transform_line(mfft_axis_kind kind, int64_t n, const double *x, double *y) {
  mfft_plan plan = plan_line(kind, n);
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, x, y));
  mfft_plan_destroy(plan);
}

/* Large and strided enough for the modes "tiled" and "pair" of the fftw backend, on a product u[i] v[j], whose transform is
 * the product of the transforms. */
static void check_large(mfft_axis_kind first, mfft_axis_kind second) {
  enum { ROWS = 2100, COLUMNS = 2048 };
  static double u[ROWS], v[COLUMNS], tu[ROWS], tv[COLUMNS], x[ROWS][COLUMNS];
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  uint64_t state = 5;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  for (int i = 0; i < ROWS; i++) u[i] = test_random(&state);
  for (int j = 0; j < COLUMNS; j++) v[j] = tv[j] = test_random(&state);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) x[i][j] = u[i] * v[j];
  transform_line(first, ROWS, u, tu);
  if (second) transform_line(second, COLUMNS, v, tv);
  d.rank = 2, d.kind = MFFT_R2R, d.placement = MFFT_IN_PLACE;
  d.axis_kind[0] = first, d.axis_kind[1] = second, d.axes = second ? 3 : 1;
  d.n[0] = ROWS, d.n[1] = COLUMNS;
  options.backend = backend, options.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, x, x));
  double error = 0, norm = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      const double want = tu[i] * tv[j];
      error += (x[i][j] - want) * (x[i][j] - want);
      norm += want * want;
    }
  CHECK(sqrt(error) <= test_bound(MFFT_DOUBLE, (double)ROWS * COLUMNS) * sqrt(norm), "kinds %d, %d: off by %.3g", first,
        second, sqrt(error / norm));
  mfft_plan_destroy(plan);
}

static void check_refused(void) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 2, d.n[0] = 4, d.n[1] = 1, d.kind = MFFT_R2R, d.axis_kind[0] = MFFT_DCT2, d.axis_kind[1] = MFFT_DCT1;
  options.backend = backend;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "n[1] is 1 with axis_kind[1] = MFFT_DCT1");
  d.axes = 1; /* an axis that stays has no kind */
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  mfft_plan_destroy(plan);
  d.axes = 0, d.n[1] = 4, d.axis_kind[1] = MFFT_DFT;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "axis_kind[1] is MFFT_DFT");
  d.axis_kind[1] = (mfft_axis_kind)9;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "axis_kind[1] is 9");
  d.axis_kind[1] = MFFT_DST1, d.kind = MFFT_R2C;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "use MFFT_R2R");
  d.rank = 1, d.scrambled = 1, d.kind = MFFT_C2C;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "scrambled is 1");
}

/* Poisson's equation between two walls where phi is 0, in both placements: sin(pi (j + 1/2) / n) is its own solution. */
static void check_filter(mfft_placement placement) {
  enum { N = 20, BATCH = 2 };
  double x[BATCH * N], y[BATCH * N], spectrum[BATCH * N], divisor[N];
  const double pi = acos(-1);
  mfft_desc d;
  mfft_options options;
  mfft_filter f;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  mfft_filter_init(&f);
  d.rank = 1, d.n[0] = N, d.kind = MFFT_R2R, d.axis_kind[0] = MFFT_DST2, d.filtered = 1 << MFFT_BACKWARD, d.batch = BATCH;
  d.placement = placement, d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  options.backend = backend, options.effort = MFFT_ESTIMATE;
  for (int k = 0; k < N; k++) divisor[k] = pow(pi * (k + 1), 2); /* L = 1 */
  for (int j = 0; j < N; j++) x[j] = sin(3 * pi * (j + 0.5) / N), x[N + j] = 2 * x[j];
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  f.quarter_turns = 1;
  CHECK_FAILS(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f), MFFT_ERR_ARG, "filter.quarter_turns is 1");
  f.quarter_turns = 2;
  f.divisor[0] = divisor;
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f));
  double *middle = placement == MFFT_IN_PLACE ? memcpy(y, x, sizeof x) : spectrum;
  test_execute(plan, MFFT_FORWARD, placement == MFFT_IN_PLACE ? y : x, sizeof x, middle, sizeof y);
  test_execute(plan, MFFT_BACKWARD, middle, sizeof y, y, sizeof y);
  for (int j = 0; j < BATCH * N; j++) CHECK(fabs(y[j] + x[j] / (9 * pi * pi)) < 1e-16, "%d: %.17g", j, y[j]);
  mfft_plan_destroy(plan);
}

/* Without a name the plan takes the backend that any other plan takes. */
static void check_default_backend(void) {
  mfft_desc d;
  const char *name[2] = {"", "none"};
  unsetenv("MFFT_BACKEND");
  for (int cosines = 0; cosines < 2; cosines++) {
    mfft_plan plan = NULL;
    mfft_desc_init(&d);
    d.rank = 1, d.n[0] = 8;
    if (cosines) d.kind = MFFT_R2R, d.axis_kind[0] = MFFT_DCT2;
    CHECK_OK(mfft_plan_create(&d, NULL, &plan));
    CHECK_OK(mfft_plan_backend(plan, &name[cosines]));
    mfft_plan_destroy(plan);
  }
  CHECK(strcmp(name[0], name[1]) == 0, "the backend is %s, that of DFTs %s", name[1], name[0]);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  backend = argv[1];
  for (int kind = MFFT_DCT1; kind <= MFFT_DST4; kind++) check_sums((mfft_axis_kind)kind);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int variant = 0; variant < 8; variant += compiles() ? 5 : 1) check_case(c, variant);
  if (strcmp(backend, "fftw") == 0) {
    check_large(MFFT_DCT2, MFFT_DST2);
    check_large(MFFT_DST4, MFFT_DFT);
  }
  check_refused();
  check_filter(MFFT_OUT_OF_PLACE);
  check_filter(MFFT_IN_PLACE);
  check_default_backend();
  return test_end();
}
