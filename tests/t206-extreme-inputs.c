// TEST args=fftw labels=accuracy
// TEST args=ref labels=accuracy
/* Difficult inputs within the same bounds: a large mean, an impulse, one wave, tiny, huge and denormal numbers.  NaN and
 * infinity do not leave the transform that contains them. */
#include "transform.h"

static double fill_mean(uint64_t *s, int64_t i, double n) { return (void)i, (void)n, 1000 + test_random(s); }
static double fill_impulse(uint64_t *s, int64_t i, double n) { return (void)s, (void)n, i == 5 ? 1 : 0; }
static double fill_wave(uint64_t *s, int64_t i, double n) { return (void)s, cos(6.283185307179586 * 3 * (double)i / n); }
static double fill_zero(uint64_t *s, int64_t i, double n) { return (void)s, (void)i, (void)n, 0; }
static double fill_tiny(uint64_t *s, int64_t i, double n) { return (void)i, (void)n, 1e-30 * test_random(s); }
static double fill_huge(uint64_t *s, int64_t i, double n) { return (void)i, (void)n, 1e30 * test_random(s); }
static double fill_denormal(uint64_t *s, int64_t i, double n) { return (void)i, (void)n, 1e-310 * test_random(s); }
static double fill_mixed(uint64_t *s, int64_t i, double n) { return (void)n, ldexp(test_random(s), (int)(i % 60) - 30); }

typedef struct extreme_input {
  const char *name;
  test_fill fill;
  int wide_only; /* 16-bit types cannot hold it */
} extreme_input;

static const extreme_input inputs[] = {
    {"mean", fill_mean, 1}, {"impulse", fill_impulse, 0}, {"wave", fill_wave, 0},   {"zero", fill_zero, 0},
    {"tiny", fill_tiny, 1}, {"huge", fill_huge, 1},       {"mixed", fill_mixed, 1},
};

static mfft_desc describe(const char *backend, int64_t n, mfft_kind kind, mfft_precision precision, mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.rank = 1;
  d.n[0] = n;
  d.kind = kind;
  d.precision = precision;
  options->effort = MFFT_ESTIMATE;
  options->backend = backend;
  return d;
}

static void check_inputs(const char *backend) {
  static const int64_t lengths[] = {16, 97, 360, 1024};
  for (size_t l = 0; l < 4; l++)
    for (int kind = 0; kind < 2; kind++)
      for (int precision = 0; precision < 4; precision++) {
        mfft_options options;
        mfft_desc d = describe(backend, lengths[l], (mfft_kind)kind, (mfft_precision)precision, &options);
        mfft_plan plan = NULL;
        CHECK_OK(mfft_plan_create(&d, &options, &plan));
        for (size_t i = 0; plan && i < sizeof inputs / sizeof *inputs; i++) {
          if (inputs[i].wide_only && precision >= MFFT_HALF) continue;
          const double bound = test_bound(d.precision, (double)lengths[l]);
          for (int direction = 0; direction < 2; direction++) {
            test_errors e = test_direction(plan, &d, (mfft_direction)direction, inputs[i].fill, 206, 0, inputs[i].name);
            CHECK(e.l2 <= bound, "%s %s n %lld kind %d precision %d direction %d: %.3g, bound %.3g", backend, inputs[i].name,
                  (long long)lengths[l], kind, precision, direction, e.l2, bound);
          }
        }
        mfft_plan_destroy(plan);
      }
}

/* Denormal numbers have an absolute error of some units of the smallest one. */
static void check_denormal(const char *backend) {
  enum { N = 64 };
  mfft_options options;
  mfft_desc d = describe(backend, N, MFFT_C2C, MFFT_DOUBLE, &options);
  mfft_plan plan = NULL;
  double in[2 * N], out[2 * N];
  uint64_t state = 206;
  for (int i = 0; i < 2 * N; i++) in[i] = fill_denormal(&state, i, N);
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  for (int k = 0; k < N; k++) {
    long double re = 0, im = 0;
    for (int j = 0; j < N; j++) {
      long double a = -6.283185307179586476925L * (j * k % N) / N;
      re += in[2 * j] * cosl(a) - in[2 * j + 1] * sinl(a);
      im += in[2 * j] * sinl(a) + in[2 * j + 1] * cosl(a);
    }
    CHECK(fabsl(out[2 * k] - re) <= 20 * 0x1p-1074L && fabsl(out[2 * k + 1] - im) <= 20 * 0x1p-1074L, "%s k = %d: %g, %g",
          backend, k, out[2 * k] - (double)re, out[2 * k + 1] - (double)im);
  }
  mfft_plan_destroy(plan);
}

/* One array of a batch with NaN or infinity does not change the results of the others. */
static void check_nonfinite(const char *backend) {
  enum { N = 30, BATCH = 5 };
  for (int precision = 0; precision < MFFT_PRECISION_COUNT; precision++)
    for (int which = 0; which < 2; which++) {
      mfft_options options;
      mfft_desc d = describe(backend, N, MFFT_C2C, (mfft_precision)precision, &options);
      d.batch = BATCH;
      mfft_plan plan = NULL;
      long double in[2 * N * BATCH], out[2 * N * BATCH]; /* wide enough for every precision */
      uint64_t state = 206;
      for (int i = 0; i < 2 * N * BATCH; i++) test_store(d.precision, in, i, test_random(&state));
      test_store(d.precision, in, 2 * N * 2 + 7, which ? INFINITY : NAN);
      CHECK_OK(mfft_plan_create(&d, &options, &plan));
      CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
      for (int i = 0; i < 2 * N * BATCH; i++) {
        const int bad = i / (2 * N) == 2;
        if (bad && which) continue; /* infinities give NaN or infinity, depending on the order of the sums */
        CHECK(bad ? isnan(test_load(d.precision, out, i)) : isfinite(test_load(d.precision, out, i)),
              "%s precision %d: element %d is %Lg", backend, precision, i, test_load(d.precision, out, i));
      }
      mfft_plan_destroy(plan);
    }
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  check_inputs(argv[1]);
  check_denormal(argv[1]);
  check_nonfinite(argv[1]);
  return test_end();
}
