// TEST args=--n,12
// TEST labels=cuda args=--n,12,--backend,cuda
/* Arrays of n^3 points in transforms of (2n)^3: plans that pad by themselves (desc.given) beside plans of arrays that the
 * caller has padded, in one process: forward, backward, and one after the other, as a convolution does.
 *
 *     t897-convolution-bench --n 256 --precision double --kind r2c --effort measure --threads 1 [--backend cuda]
 *
 * Times are the least of five rounds, in which both take turns; the results of both must be equal to rounding.  What takes
 * less than some milliseconds, on a GPU, is repeated within a round. */
#include <math.h>

#include "base/clock.h"
#include "check.h"
#include "mfft_convolution.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { ROUNDS = 5, GIVEN = 0, PADDED = 1, FORWARD = 0, BACKWARD = 1, CONVOLUTION = 2, MEASURED = 3 };

typedef struct contender {
  mfft_plan plan;
  size_t bytes[2];
  void *in, *out;         /* in memory of the backend */
  void *values;           /* of the input, on the host */
  double least[MEASURED]; /* seconds */
} contender;

static const char *option(int argc, char **argv, const char *name, const char *fallback) {
  for (int a = 1; a + 1 < argc; a++)
    if (strcmp(argv[a], name) == 0) return argv[a + 1];
  return fallback;
}

static const char *backend;

static void make(contender *c, mfft_desc desc, const mfft_options *options, int64_t n, int padded) {
  for (int a = 0; a < 3; a++) {
    desc.n[a] = 2 * n;
    desc.given[a] = padded ? 0 : n;
  }
  CHECK_OK(mfft_plan_create(&desc, options, &c->plan));
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(c->plan, (mfft_side)side, &c->bytes[side]));
  CHECK_OK(mfft_memory_alloc(backend, c->bytes[MFFT_IN], &c->in));
  CHECK_OK(mfft_memory_alloc(backend, c->bytes[MFFT_OUT], &c->out));
  c->values = calloc(1, c->bytes[MFFT_IN]);
  for (int m = 0; m < MEASURED; m++) c->least[m] = INFINITY;
}

/* The reals of point (x, y, z) in an array of sides `side`. */
static void *at(void *array, int64_t side, int64_t x, int64_t y, int64_t z, int reals, int single) {
  return (char *)array + ((x * side + y) * side + z) * reals * (single ? 4 : 8);
}

static void set(void *p, int single, double v) {
  if (single)
    *(float *)p = (float)v;
  else
    *(double *)p = v;
}

static double get(const void *p, int single) { return single ? *(const float *)p : *(const double *)p; }

/* The same noise in both, with the zeros of the padded one. */
static void fill(contender c[2], int64_t n, int reals, int single) {
  uint64_t state = 7;
  for (int64_t x = 0; x < n; x++)
    for (int64_t y = 0; y < n; y++)
      for (int64_t i = 0; i < n * reals; i++) {
        const double v = test_random(&state);
        set((char *)at(c[GIVEN].values, n, x, y, 0, reals, single) + i * (single ? 4 : 8), single, v);
        set((char *)at(c[PADDED].values, 2 * n, x, y, 0, reals, single) + i * (single ? 4 : 8), single, v);
      }
}

/* Both directions restore the array, so that it keeps its size however often they are repeated. */
static void run(contender *c, int what, int times) {
  const double begin = mfft_now();
  for (int i = 0; i < times; i++) {
    if (what != BACKWARD) CHECK_OK(mfft_execute(c->plan, MFFT_FORWARD, c->in, c->out));
    if (what != FORWARD) CHECK_OK(mfft_execute(c->plan, MFFT_BACKWARD, c->out, c->in));
  }
  CHECK_OK(mfft_plan_synchronize(c->plan));
  const double took = (mfft_now() - begin) / times;
  if (took < c->least[what]) c->least[what] = took;
}

/* Both directions once more, from the noise. */
static void restore(contender *c) {
  CHECK_OK(mfft_memory_upload(backend, c->in, c->values, c->bytes[MFFT_IN]));
  run(c, CONVOLUTION, 1);
  CHECK_OK(mfft_memory_download(backend, c->values, c->in, c->bytes[MFFT_IN]));
}

/* The largest difference of the points that both have, relative to the largest of them. */
static double difference(contender c[2], int64_t n, int reals, int single) {
  double most = 0, largest = 0;
  for (int64_t x = 0; x < n; x++)
    for (int64_t y = 0; y < n; y++)
      for (int64_t i = 0; i < n * reals; i++) {
        const size_t offset = (size_t)i * (single ? 4 : 8);
        const double a = get((char *)at(c[GIVEN].values, n, x, y, 0, reals, single) + offset, single),
                     b = get((char *)at(c[PADDED].values, 2 * n, x, y, 0, reals, single) + offset, single);
        most = fmax(most, fabs(a - b));
        largest = fmax(largest, fabs(b));
      }
  return most / largest;
}

int main(int argc, char **argv) {
  const int64_t n = atoll(option(argc, argv, "--n", "128"));
  const int single = !strcmp(option(argc, argv, "--precision", "double"), "single"),
            complex = !strcmp(option(argc, argv, "--kind", "r2c"), "c2c"), reals = complex ? 2 : 1;
  static const char *const names[] = {"forward", "backward", "convolution"}; /* [MEASURED] */
  contender c[2];
  mfft_desc desc;
  mfft_options options;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.kind = complex ? MFFT_C2C : MFFT_R2C;
  desc.precision = single ? MFFT_SINGLE : MFFT_DOUBLE;
  desc.allow_destroy_input = 1;
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  options.backend = backend = option(argc, argv, "--backend", "fftw");
  options.effort = !strcmp(option(argc, argv, "--effort", "estimate"), "measure") ? MFFT_MEASURE : MFFT_ESTIMATE;
  options.threads = atoi(option(argc, argv, "--threads", "1"));
  for (int padded = 0; padded < 2; padded++) make(&c[padded], desc, &options, n, padded);
  fill(c, n, reals, single);
  const int times = strcmp(backend, "cuda") || n <= 64 ? 1 : 10;
  for (int round = 0; round < ROUNDS; round++)
    for (int what = 0; what < MEASURED; what++)
      for (int i = 0; i < 2; i++) {
        contender *one = &c[(i + round) % 2];
        CHECK_OK(mfft_memory_upload(backend, one->in, one->values, one->bytes[MFFT_IN]));
        if (what == BACKWARD) CHECK_OK(mfft_execute(one->plan, MFFT_FORWARD, one->in, one->out));
        run(one, what, times);
      }
  for (int i = 0; i < 2; i++) restore(&c[i]);
  CHECK(difference(c, n, reals, single) < (single ? 1e-5 : 1e-13), "the results differ by %g",
        difference(c, n, reals, single));
  for (int what = 0; what < MEASURED && argc > 3; what++)
    printf("%lld^3 in %lld^3 %s %s, %-11s padded %.6f s, given %.6f s, ratio %.2f\n", (long long)n, 2 * (long long)n,
           complex ? "C2C" : "R2C", single ? "single" : "double", names[what], c[PADDED].least[what], c[GIVEN].least[what],
           c[PADDED].least[what] / c[GIVEN].least[what]);
  for (int padded = 0; padded < 2; padded++) {
    free(c[padded].values);
    CHECK_OK(mfft_memory_free(backend, c[padded].in));
    CHECK_OK(mfft_memory_free(backend, c[padded].out));
    mfft_plan_destroy(c[padded].plan);
  }
  return test_end();
}
