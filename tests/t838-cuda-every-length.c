// TEST labels=cuda+nightly timeout=600 args=lengths,3,4096,1021
// TEST labels=emulated+nightly timeout=600 args=lengths,6,300,98
/* Lines of any length on the GPU: every length of a range as C2C, R2C, C2R and the eight kinds of cosines and sines, in
 * single and double; random lengths to 2^24; primes around powers of two to 10^8.
 *
 *   t838-cuda-every-length lengths FIRST LAST STEP [PART/PARTS]
 *   t838-cuda-every-length random COUNT SEED [PART/PARTS]
 *   t838-cuda-every-length primes [PART/PARTS]
 *
 * With a part, every PARTS-th case from PART on, so that several processes share the truth's time; with
 * MFFT_TEST_COMPILE=PART/PARTS kernels are only compiled.  The truth is FFTW's, or of the longest lines sums at some
 * frequencies and Parseval's. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/trigonometric_steps.h"
#include "transform.h"

static const long double pi = 3.14159265358979323846264338327950288L;
static int part, parts = 1, number; /* of cases */

/* Whether the next case is of this process. */
static int mine(void) { return number++ % parts == part; }

/* ---- Every length ---------------------------------------------------------------------------------------------------- */

enum { BATCH = 6 };

static void waves(int64_t n, mfft_precision p) {
  for (int type = MFFT_FFT_C2C; type <= MFFT_FFT_C2R; type++)
    for (int direction = 0; direction < (type == MFFT_FFT_C2C ? 2 : 1); direction++) {
      const mfft_direction d = type == MFFT_FFT_C2R || direction ? MFFT_BACKWARD : MFFT_FORWARD;
      const mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, p, 1, &n, BATCH, (int)(n + type) % 2);
      if (compiles_only() || mine()) gpu_check_of(&s, CASE_NOISE, (uint64_t)n);
    }
}

/* Compiles the kernels of DFTs that compute the cosines or sines of a line; those around them are few. */
static void compile_kind(mfft_axis_kind kind, int64_t n, mfft_precision p) {
  static mfft_trigonometric_steps steps;
  mfft_fft_spec s = {.effort = MFFT_ESTIMATE, .type = MFFT_FFT_R2R, .precision = p, .scale = 1, .naxes = 1, .nloops = 1};
  s.axis[0] = (mfft_dim){n, 1, 1};
  s.loop[0] = (mfft_dim){BATCH, n, n};
  s.kind[0] = kind;
  if (mfft_trigonometric_plan(&s, &mfft_limits_sm90, &steps) == MFFT_SUCCESS) compile_only(&steps.axis[0].spec[0]);
}

static void cosines(int64_t n, mfft_precision p) {
  for (int kind = MFFT_DCT1; kind <= MFFT_DST4; kind++) {
    mfft_desc d;
    mfft_options options;
    if (kind == MFFT_DCT1 && n == 1) continue;
    if (compiles_only()) {
      compile_kind((mfft_axis_kind)kind, n, p);
      continue;
    }
    if (!mine()) continue;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    d.rank = 1, d.n[0] = n, d.kind = MFFT_R2R, d.axis_kind[0] = (mfft_axis_kind)kind;
    d.precision = p, d.batch = BATCH;
    options.backend = "cuda", options.effort = MFFT_ESTIMATE;
    const int64_t dft = mfft_trigonometric_dft_of((mfft_axis_kind)kind, n).length;
    test_both_within(&d, &options, (uint64_t)n, 0, mfft_rest_of_length(dft) > 1 ? 2 : 1); /* docs/accuracy.md */
  }
}

/* ---- At random ------------------------------------------------------------------------------------------------------- */

static void at_random(int count, uint64_t seed) {
  for (int i = 0; i < count; i++) {
    const int64_t n = (int64_t)(2 * pow(1 << 23, test_random(&seed) + 0.5));
    const int type = i % 3;
    const mfft_direction d = type == MFFT_FFT_C2R || (!type && i % 2) ? MFFT_BACKWARD : MFFT_FORWARD;
    const mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, i / 3 % 2 ? MFFT_SINGLE : MFFT_DOUBLE, 1, &n, 1, i / 6 % 2);
    if (compiles_only() || mine()) gpu_check_of(&s, CASE_NOISE, seed);
  }
}

/* ---- Primes ---------------------------------------------------------------------------------------------------------- */

static int is_prime(int64_t n) {
  for (int64_t d = 2; d * d <= n; d++)
    if (n % d == 0) return 0;
  return n > 1;
}

/* X[k] of a forward C2C by its sum; the root is computed anew every 4096 terms. */
static void sum_of(const transform_case *c, int64_t k, long double x[2]) {
  const int64_t n = c->spec.axis[0].n;
  const long double step[2] = {cosl(2 * pi * (long double)k / (long double)n),
                               -sinl(2 * pi * (long double)k / (long double)n)};
  long double w[2] = {1, 0};
  x[0] = x[1] = 0;
  for (int64_t j = 0; j < n; j++) {
    if (j % 4096 == 0) {
      const long double turn = 2 * pi * (long double)(int64_t)((__extension__(__int128) j * k) % n) / (long double)n;
      w[0] = cosl(turn), w[1] = -sinl(turn);
    }
    const long double re = stored_value(c->spec.precision, c->in, 2 * j),
                      im = stored_value(c->spec.precision, c->in, 2 * j + 1);
    x[0] += re * w[0] - im * w[1];
    x[1] += re * w[1] + im * w[0];
    const long double next = w[0] * step[0] - w[1] * step[1];
    w[1] = w[0] * step[1] + w[1] * step[0];
    w[0] = next;
  }
}

/* A line so long that FFTW's transform of it would take minutes: sums at some frequencies, and that of Parseval. */
static void long_prime(int64_t n, mfft_precision p) {
  enum { FREQUENCIES = 3 };
  transform_case c = {
      .spec = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, p, 1, &n, 1, 0), .in_reals = 2 * n, .out_reals = 2 * n};
  const size_t bytes = (size_t)c.in_reals * mfft_real_bytes(p);
  uint64_t seed = (uint64_t)n;
  if (compile_only(&c.spec)) return;
  c.in = malloc(bytes), c.out = calloc(1, bytes);
  void *result = malloc(bytes);
  long double before = 0, after = 0, off = 0;
  for (int64_t i = 0; i < 2 * n; i++) {
    store_value(p, c.in, i, test_random(&seed));
    before += powl(stored_value(p, c.in, i), 2);
  }
  const int ran = gpu_transform(&c, result);
  CHECK(ran, "%s: %s", spec_words(&c.spec), mfft_last_error());
  for (int64_t i = 0; ran && i < 2 * n; i++) after += powl(stored_value(p, result, i), 2);
  for (int i = 0; ran && i < FREQUENCIES; i++) {
    const int64_t k = (int64_t)((test_random(&seed) + 0.5) * (double)n);
    long double x[2];
    sum_of(&c, k, x);
    off += powl(x[0] - stored_value(p, result, 2 * k), 2) + powl(x[1] - stored_value(p, result, 2 * k + 1), 2);
  }
  const long double bound = case_bound(&c.spec), spectrum = before * (long double)n;
  CHECK(!ran || sqrtl(off / FREQUENCIES) <= 4 * bound * sqrtl(before), "%s: off by %.3Lg at some frequencies, bound %.3Lg",
        spec_words(&c.spec), sqrtl(off / FREQUENCIES / before), bound);
  CHECK(!ran || fabsl(after / spectrum - 1) <= 4 * bound, "%s: Parseval's sum is off by %.3Lg", spec_words(&c.spec),
        after / spectrum - 1);
  free(result);
  free(c.in);
  free(c.out);
}

static void primes(void) {
  enum { BY_FFTW = 1 << 20, MOST = 1 << 27 }; /* more are not convolved (planner/bluestein.c) */
  for (int bits = 5; bits <= 27; bits++)
    for (int above = 0; above < 2; above++) {
      int64_t n = ((int64_t)1 << bits) + (above ? 1 : -1);
      if (bits == 27) n = above ? (int64_t)1 << 27 : 100000000 - 1; /* around 10^8 there are no powers of two */
      while (!is_prime(n)) n += above ? 1 : -1;
      if (n > MOST) continue;
      for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++)
        for (int type = MFFT_FFT_C2C; type <= (n < BY_FFTW ? MFFT_FFT_C2R : MFFT_FFT_C2C); type++) {
          const mfft_direction d = type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
          const mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, (mfft_precision)p, 1, &n, 1, 0);
          if (!compiles_only() && !mine()) continue;
          if (n < BY_FFTW)
            gpu_check_of(&s, CASE_NOISE, (uint64_t)n);
          else
            long_prime(n, (mfft_precision)p);
        }
    }
}

int main(int argc, char **argv) {
  const char *const share = argc > 2 ? strchr(argv[argc - 1], '/') : NULL;
  if (argc < 2)
    return fprintf(stderr, "%s lengths FIRST LAST STEP | random COUNT SEED | primes, then PART/PARTS\n", argv[0]), 2;
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  if (share) part = atoi(argv[argc - 1]), parts = atoi(share + 1);
  if (!strcmp(argv[1], "lengths") && argc > 4)
    for (int64_t n = atoll(argv[2]); n <= atoll(argv[3]); n += atoll(argv[4]))
      for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) waves(n, (mfft_precision)p), cosines(n, (mfft_precision)p);
  if (!strcmp(argv[1], "random") && argc > 3) at_random(atoi(argv[2]), (uint64_t)atoll(argv[3]));
  if (!strcmp(argv[1], "primes")) primes();
  return test_end();
}
#endif
