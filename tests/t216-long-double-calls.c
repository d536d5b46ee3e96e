// TEST args=fftw needs=long-double
// TEST args=ref needs=long-double
// TEST labels=emulated args=cuda needs=long-double
/* Calls of plans in long double besides transforms: filters to the last bits, convolutions and correlations that are exact,
 * products of arrays; the refusals of a GPU, after which a plan without a backend's name runs on the host. */
#include <float.h>

#include "check.h"
#include "mfft_array.h"
#include "mfft_convolution.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

static const char *backend;

static mfft_plan plan_of(const mfft_desc *d) {
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_options_init(&options);
  options.backend = backend, options.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create(d, &options, &plan));
  return plan;
}

static long double value(uint64_t *state) { return test_random(state) / 3.0L; }

static void compare(const long double *got, const long double *want, int64_t count, long double bound, const char *what) {
  long double error = 0, norm = 0;
  for (int64_t i = 0; i < count; i++) {
    error += (got[i] - want[i]) * (got[i] - want[i]);
    norm += want[i] * want[i];
  }
  CHECK(norm > 0 && sqrtl(error / norm) <= bound, "%s on %s: off by %.3Lg", what, backend, sqrtl(error / norm));
}

/* The spectrum of a filtered plan is that of a plan without, times the formula of mfft_spectrum.h in long double. */
static void check_filter(void) {
  enum { N0 = 6, N1 = 5, N2 = 8, H = N2 / 2 + 1, IN = N0 * N1 * N2, OUT = 2 * N0 * N1 * H };
  long double x[IN], plain[OUT], filtered[OUT], back[IN], want[OUT];
  double f[3][N2], d[3][N2];
  uint64_t state = 216;
  mfft_desc desc;
  mfft_filter filter;
  mfft_desc_init(&desc);
  mfft_filter_init(&filter);
  desc.n[0] = N0, desc.n[1] = N1, desc.n[2] = N2, desc.kind = MFFT_R2C, desc.precision = MFFT_LONG_DOUBLE;
  desc.scale[MFFT_FORWARD] = MFFT_SCALE_SQRT, desc.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
  for (int i = 0; i < IN; i++) x[i] = value(&state);
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < N2; k++) f[a][k] = 1.5 + test_random(&state), d[a][k] = k ? 0.3 + k * k : 0;
  for (int a = 0; a < 3; a++) filter.factor[a] = f[a], filter.divisor[a] = d[a];
  filter.scale = -1 / 3., filter.singular = 0.7, filter.quarter_turns = 1;
  mfft_plan plan = plan_of(&desc);
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, x, plain));
  mfft_plan_destroy(plan);
  desc.filtered = 3;
  plan = plan_of(&desc);
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_FORWARD, &filter));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, x, filtered));
  for (int i = 0, at = 0; i < N0; i++)
    for (int j = 0; j < N1; j++)
      for (int k = 0; k < H; k++, at += 2) {
        const long double divisor = (long double)d[0][i] + d[1][j] + d[2][k];
        const long double factor = filter.scale * (divisor != 0 ? (long double)f[0][i] * f[1][j] * f[2][k] / divisor : 0.7);
        want[at] = -factor * plain[at + 1], want[at + 1] = factor * plain[at];
      }
  compare(filtered, want, OUT, 4 * LDBL_EPSILON, "a filter");
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, NULL));
  CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, plain, back));
  compare(back, x, IN, 8 * LDBL_EPSILON, "there and back");
  mfft_plan_destroy(plan);
}

/* Integers in, integers out: the sum of mfft_convolution.h is exact, whatever the scales of the plan. */
static void check_convolution(int correlate) {
  enum { X = 50, LO = -3, HI = 5 };
  mfft_desc d;
  mfft_convolution convolution = NULL;
  mfft_convolution_kernel kernel;
  long double x[X], y[X], want[X];
  double k[HI - LO];
  uint64_t state = 7;
  mfft_desc_init(&d);
  mfft_convolution_kernel_init(&kernel);
  d.rank = 1, d.n[0] = mfft_convolution_length(X, LO, HI), d.given[0] = X, d.kind = MFFT_R2C;
  d.precision = MFFT_LONG_DOUBLE, d.scale[MFFT_BACKWARD] = correlate ? MFFT_SCALE_FULL : MFFT_SCALE_SQRT;
  for (int i = 0; i < X; i++) x[i] = rintl(1000 * value(&state));
  for (int i = 0; i < HI - LO; i++) k[i] = rint(1000 * test_random(&state));
  for (int i = 0; i < X; i++) {
    want[i] = 0;
    for (int j = 0; j < X; j++) {
      const int offset = correlate ? j - i : i - j;
      if (offset >= LO && offset < HI) want[i] += k[offset - LO] * x[j];
    }
  }
  kernel.lo[0] = LO, kernel.hi[0] = HI, kernel.value = k, kernel.correlate = correlate;
  mfft_plan plan = plan_of(&d);
  CHECK_OK(mfft_convolution_create(plan, &convolution));
  CHECK_OK(mfft_convolution_set_kernel(convolution, &kernel));
  CHECK_OK(mfft_convolution_execute(convolution, x, y));
  compare(y, want, X, 16 * LDBL_EPSILON, correlate ? "a correlation" : "a convolution");
  mfft_convolution_destroy(convolution);
  mfft_plan_destroy(plan);
}

static void check_product(void) {
  enum { N = 40 };
  long double a[N], b[N], c[N], want[N];
  uint64_t state = 9;
  mfft_desc d;
  mfft_desc_init(&d);
  d.rank = 1, d.n[0] = N, d.kind = MFFT_R2C, d.precision = MFFT_LONG_DOUBLE;
  for (int i = 0; i < N; i++) {
    a[i] = value(&state), b[i] = value(&state), c[i] = value(&state);
    want[i] = 0.3 * c[i] + 1.7 * (a[i] * b[i]);
  }
  mfft_plan plan = plan_of(&d);
  CHECK_OK(mfft_plan_multiply_add(plan, MFFT_IN, 1.7, a, b, 0.3, c));
  compare(c, want, N, 2 * LDBL_EPSILON, "a product");
  mfft_plan_destroy(plan);
}

/* With a GPU, a plan in double takes it, one in long double FFTW, unless it names the GPU. */
static void check_device(void) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  const char *name = "none";
  char text[4096];
  unsetenv("MFFT_BACKEND");
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1, d.n[0] = 64, d.precision = MFFT_LONG_DOUBLE;
  CHECK_OK(mfft_plan_create(&d, NULL, &plan));
  CHECK_OK(mfft_plan_backend(plan, &name));
  CHECK(!strcmp(name, "fftw"), "the backend is \"%s\"", name);
  mfft_plan_destroy(plan);
  CHECK_OK(mfft_plan_outline(&d, NULL, text, sizeof text, NULL));
  CHECK(strstr(text, "c2c long-double") != NULL, "the outline is %s", text);
  options.backend = "cuda";
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED,
              "precision is MFFT_LONG_DOUBLE and the backend is \"cuda\": GPUs have no such arithmetic; use \"fftw\"");
  CHECK_FAILS(mfft_plan_outline(&d, &options, text, sizeof text, NULL), MFFT_ERR_UNSUPPORTED,
              "GPUs have no such arithmetic");
  setenv("MFFT_BACKEND", "cuda", 1);
  CHECK_FAILS(mfft_plan_create(&d, NULL, &plan), MFFT_ERR_UNSUPPORTED, "GPUs have no such arithmetic");
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  backend = argv[1];
  if (!strcmp(backend, "cuda")) {
    check_device();
    return test_end();
  }
  check_filter();
  check_convolution(0);
  check_convolution(1);
  check_product();
  return test_end();
}
