// TEST
/* The same input gives the same result twice, C2R of 1, 2 and 3 axes included, on every backend and in every precision. If
 * the caller allows its destruction, "ref" fills it with NaN, so that a caller who reads it afterwards notices. */
#include "transform.h"

static void twice(const char *backend, int rank, mfft_precision precision) {
  static const int64_t n[3][3] = {{90}, {18, 20}, {6, 10, 12}};
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = rank;
  memcpy(d.n, n[rank - 1], sizeof d.n);
  d.batch = 2;
  d.kind = MFFT_R2C;
  d.precision = precision;
  options.effort = MFFT_ESTIMATE;
  options.backend = backend;
  for (int destroy = 0; destroy < 2; destroy++) {
    mfft_plan plan = NULL;
    size_t in_bytes = 0, out_bytes = 0;
    d.allow_destroy_input = destroy;
    CHECK_OK(mfft_plan_create(&d, &options, &plan));
    CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &in_bytes));
    CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &out_bytes));
    void *in = malloc(in_bytes), *first = calloc(1, out_bytes), *second = calloc(1, out_bytes); /* padding is compared too */
    uint64_t state = 207;
    const int64_t reals = (int64_t)(in_bytes / mfft_real_bytes(precision));
    for (int64_t i = 0; i < reals; i++) test_store(precision, in, i, test_random(&state));
    CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, in, first));
    if (!destroy) {
      CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, in, second));
      CHECK(memcmp(first, second, out_bytes) == 0, "%s rank %d precision %d: the second result differs", backend, rank,
            (int)precision);
    } else if (strcmp(backend, "ref") == 0) {
      int64_t left = 0;
      for (int64_t i = 0; i < reals; i++) left += !isnan(test_load(precision, in, i));
      CHECK(left == 0, "rank %d precision %d: ref preserved %lld reals of an input that may be destroyed", rank,
            (int)precision, (long long)left);
    }
    free(in);
    free(first);
    free(second);
    mfft_plan_destroy(plan);
  }
}

int main(void) {
  for (int rank = 1; rank <= 3; rank++)
    for (int precision = 0; precision < MFFT_PRECISION_COUNT; precision++) {
      twice("fftw", rank, (mfft_precision)precision);
      twice("ref", rank, (mfft_precision)precision);
    }
  return test_end();
}
