// TEST
// TEST labels=cuda args=cuda timeout=300
/* One dimension in scrambled order: forward stores element k1 + n1*k2 of the natural result at k1*n2 + k2, backward reads it
 * from there; in place and not, batches, every precision, lengths without a divisor, against the plan of fftw in natural
 * order. */
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"
#include "transform.h"

static const char *backend = "fftw";

static double error_of(mfft_precision p, const void *got, const void *want, int64_t reals) {
  long double error = 0, size = 0;
  for (int64_t i = 0; i < reals; i++) {
    const long double a = test_load(p, got, i), b = test_load(p, want, i);
    error += (a - b) * (a - b);
    size += b * b;
  }
  return (double)sqrtl(error / (size > 0 ? size : 1));
}

/* Runs one direction of a plan on copies of a host array. */
static void run(mfft_plan plan, mfft_direction direction, int in_place, const void *in, void *out, size_t bytes) {
  void *from = NULL, *to = NULL;
  CHECK_OK(mfft_memory_alloc(backend, bytes, &from));
  if (!in_place) CHECK_OK(mfft_memory_alloc(backend, bytes, &to));
  CHECK_OK(mfft_memory_upload(backend, from, in, bytes));
  CHECK_OK(mfft_execute(plan, direction, from, in_place ? from : to));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, out, in_place ? from : to, bytes));
  if (!in_place) { /* and the input is unchanged */
    void *input_after = malloc(bytes);
    CHECK_OK(mfft_memory_download(backend, input_after, from, bytes));
    CHECK(!memcmp(input_after, in, bytes), "the input was changed");
    free(input_after);
  }
  mfft_memory_free(backend, from);
  mfft_memory_free(backend, to);
}

static void check(int64_t n, int64_t batch, int in_place, mfft_precision p) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = n;
  d.batch = batch;
  d.precision = p;
  options.effort = MFFT_ESTIMATE;
  d.scale[0] = d.scale[1] = MFFT_SCALE_SQRT;
  mfft_plan natural = NULL, plan = NULL;
  options.backend = "fftw";
  CHECK_OK(mfft_plan_create(&d, &options, &natural));
  options.backend = backend;
  d.scrambled = 1;
  d.placement = in_place ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  char text[2000], outline[2000];
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  CHECK_OK(mfft_plan_outline(&d, &options, outline, sizeof outline, NULL));
  CHECK(!strcmp(text, outline), "the outline of %s is %s", text, outline);
  int64_t n1 = 0, n2 = 0, reals = 2 * n * batch;
  CHECK_OK(mfft_plan_four_step(plan, &n1, &n2));
  CHECK(n1 * n2 == n && n1 <= n2, "%lld = %lld x %lld", (long long)n, (long long)n1, (long long)n2);

  size_t bytes = (size_t)reals * mfft_real_bytes(p), element = 2 * mfft_real_bytes(p);
  char *in = malloc(bytes), *truth = malloc(bytes), *moved = malloc(bytes), *got = malloc(bytes);
  uint64_t state = 212;
  for (int64_t i = 0; i < reals; i++) test_store(p, in, i, test_random(&state) / 3.0L);
  for (int direction = 0; direction < 2; direction++) {
    CHECK_OK(mfft_execute(natural, (mfft_direction)direction, in, truth));
    const char *source = direction == MFFT_FORWARD ? truth : in;
    for (int64_t b = 0; b < batch; b++)
      for (int64_t k1 = 0; k1 < n1; k1++)
        for (int64_t k2 = 0; k2 < n2; k2++)
          memcpy(moved + (size_t)(b * n + k1 * n2 + k2) * element, source + (size_t)(b * n + k1 + n1 * k2) * element,
                 element);
    run(plan, (mfft_direction)direction, in_place, direction == MFFT_FORWARD ? in : moved, got, bytes);
    double error = error_of(p, got, direction == MFFT_FORWARD ? moved : truth, reals);
    CHECK(error <= 2 * test_bound(p, (double)n + 1), "%s n %lld x %lld in place %d precision %d direction %d: %.2e", backend,
          (long long)n, (long long)batch, in_place, (int)p, direction, error);
  }
  free(in);
  free(truth);
  free(moved);
  free(got);
  mfft_plan_destroy(natural);
  mfft_plan_destroy(plan);
}

static void refusals(void) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = 60;
  options.effort = MFFT_ESTIMATE;
  options.backend = backend;
  mfft_plan plan = NULL;
  int64_t n1, n2;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_FAILS(mfft_plan_four_step(plan, &n1, &n2), MFFT_ERR_ARG, "natural order");
  mfft_plan_destroy(plan);
  plan = NULL;
  d.scrambled = 1;
  d.kind = MFFT_R2C;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "C2C");
  d.kind = MFFT_C2C;
  d.filtered = 1;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "filtered");
  d.filtered = 0;
  d.in_stride[0] = 2;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "strides");
  d.in_stride[0] = 0;
  d.rank = 2, d.n[1] = 4;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "scrambled is 1 for rank 2");
  d.rank = 1, d.scrambled = 0, d.order = MFFT_ORDER_TRANSPOSED;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "set scrambled = 1");
  CHECK(plan == NULL, "an output of a failed call");
}

int main(int argc, char **argv) {
  if (argc > 1) backend = argv[1];
  char why[256];
  if (!mfft_backend_usable(backend, why, sizeof why)) {
    printf("%s\n", why);
    return TEST_SKIPPED;
  }
  const int cuda = argc > 1;
  static const int64_t lengths[] = {1, 2, 7, 16, 60, 1001, 1024, 6000, 1 << 16, 1 << 20, 1 << 23}; /* [11] */
  for (int i = 0; i < (cuda ? 11 : 8); i++)
    for (int p = 0; p < MFFT_PRECISION_COUNT; p++) {
      if (p == MFFT_LONG_DOUBLE && cuda) continue;
      if (lengths[i] > 6000 && p > 1 + cuda) continue;
      check(lengths[i], lengths[i] < 10000 ? 3 : 1, (i + p) % 2, (mfft_precision)p);
    }
  if (!cuda) {
    check(97 * 89, 2, 0, MFFT_DOUBLE);
    check(97 * 89, 2, 0, MFFT_LONG_DOUBLE);
    backend = "ref";
    check(60, 2, 0, MFFT_DOUBLE);
    check(60, 2, 0, MFFT_LONG_DOUBLE);
    check(77, 1, 1, MFFT_SINGLE);
  }
  refusals();
  return test_end();
}
