// TEST
// TEST labels=cuda args=cuda
// TEST labels=emulated timeout=600 args=cuda
// Sums over arrays against exact sums of single numbers, to the last bit: every backend, precision and layout; numbers of
// all sizes from subnormal to the largest, cancelling, infinite and NaN; squares about a centre; range and the first number
// that is not finite; any number of threads; refusals.
#include "mfft_array.h"
#include "numbers.h"

/* The values that an array is filled with. */
typedef enum filling { UNIFORM, MEAN, WIDE, TINY, HUGE, SPECIAL, FILLINGS } filling;

static double fill_one(filling how, int64_t i, uint64_t *seed) {
  const double x = test_random(seed);
  switch (how) {
    case MEAN:
      return 1e5 + x;
    case WIDE:
      return ldexp(x, (int)(i * 37 % 500) - 250);
    case TINY:
      return ldexp(x, -1040 - (int)(i % 34));
    case HUGE:
      return i % 5 ? x : ldexp(x, i % 2 ? 1022 : 950);
    case SPECIAL:
      return i % 97 == 11 ? NAN : i % 97 == 51 ? INFINITY : i % 89 == 60 ? -INFINITY : x;
    default:
      return x;
  }
}

static const numbers_case cases[] = {
    {3, {12, 10, 14}, 1, MFFT_R2C, MFFT_IN, 0}, {3, {6, 5, 9}, 2, MFFT_R2C, MFFT_OUT, 1},
    {3, {5, 4, 6}, 2, MFFT_C2C, MFFT_IN, 1},    {1, {20000}, 1, MFFT_R2C, MFFT_IN, 0},
    {3, {1, 1, 3}, 1, MFFT_R2C, MFFT_IN, 0},    {2, {30, 66}, 3, MFFT_C2C, MFFT_OUT, 0},
};

/* A term in long double, which three doubles hold. */
static void add_long(mfft_sums *want, long double number) {
  const long double rest = (number - want->centre) - want->centre_rest;
  long double term = want->squares ? rest * rest : number;
  for (int i = 0; i < 3; i++) {
    const double part = (double)term;
    if (i == 0 || (isfinite(part) && part != 0)) mfft_exact_add(&want->sum, &part, 1);
    term = isfinite(part) ? term - part : 0;
  }
}

/* The exact sum of the numbers, added one by one, and the expected values of the other results. */
static void sum_up(const numbers_array *a, mfft_sums *want) {
  int64_t i[4], lowest = INT64_MAX;
  want->min = INFINITY;
  want->max = -INFINITY;
  want->count = want->nonfinite = 0;
  memset(&want->sum, 0, sizeof want->sum);
  for (int j = 0; j < 4; j++) want->first[j] = -1;
  NUMBERS_EACH(a, i)
  for (int component = 0; component < a->components; component++) {
    const int64_t at = numbers_at(a, i, component);
    const long double number = numbers_load(a->precision, a->host, at);
    const double x = (double)number, rest = (x - want->centre) - want->centre_rest;
    const double term = want->squares ? rest * rest : x;
    if (a->precision == MFFT_LONG_DOUBLE)
      add_long(want, number);
    else
      mfft_exact_add(&want->sum, &term, 1);
    want->count++;
    if (isfinite(x)) {
      want->min = fmin(want->min, x);
      want->max = fmax(want->max, x);
      continue;
    }
    want->nonfinite++;
    if (at < lowest) {
      lowest = at;
      memcpy(want->first, i, sizeof i);
    }
  }
  mfft_exact_carry(&want->sum);
}

static void check_filling(numbers_array *a, const numbers_case *c, filling how) {
  uint64_t seed = 5;
  for (int64_t r = 0; r < a->reals; r++)
    numbers_store(a->precision, a->host, r, numbers_of(a->precision, fill_one(how, r, &seed)));
  CHECK_OK(mfft_memory_upload(a->backend, a->array, a->host, a->bytes));
  for (int squares = 0; squares < 2; squares++)
    for (int threads = 1; threads <= (test_small() ? 1 : 3); threads += 2) {
      mfft_sums got, want;
      mfft_sums_init(&got);
      got.squares = squares;
      got.centre = how == MEAN ? 1e5 : 0.25;
      got.centre_rest = 1e-12;
      got.threads = threads;
      want = got;
      sum_up(a, &want);
      CHECK_OK(mfft_plan_sums(a->plan, c->side, a->array, &got));
      CHECK(!memcmp(&got.sum, &want.sum, sizeof want.sum), "%s, precision %d, filling %d, squares %d: sum %.17g, want %.17g",
            a->backend, a->precision, how, squares, mfft_exact_value(&got.sum, NULL), mfft_exact_value(&want.sum, NULL));
      CHECK(got.min == want.min && got.max == want.max, "%s, filling %d: from %g to %g, want %g to %g", a->backend, how,
            got.min, got.max, want.min, want.max);
      CHECK(got.count == want.count && got.nonfinite == want.nonfinite && !memcmp(got.first, want.first, sizeof got.first),
            "%s, filling %d: %d of %d not finite, the first at %d %d %d %d, want %d of %d at %d %d %d %d", a->backend, how,
            (int)got.nonfinite, (int)got.count, (int)got.first[0], (int)got.first[1], (int)got.first[2], (int)got.first[3],
            (int)want.nonfinite, (int)want.count, (int)want.first[0], (int)want.first[1], (int)want.first[2],
            (int)want.first[3]);
    }
}

static void check_arrays(const char *backend, mfft_precision precision) {
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    numbers_array a;
    if (numbers_create(&cases[n], backend, precision, &a) != MFFT_SUCCESS) continue;
    for (filling how = UNIFORM; how < FILLINGS; how++) check_filling(&a, &cases[n], how);
    numbers_destroy(&a);
  }
}

/* The merged sums of parts are the sum of the whole. */
static void merging(void) {
  static double x[1000];
  uint64_t seed = 9;
  mfft_exact_sum whole = {.nan = 0}, sum = {.nan = 0};
  for (int i = 0; i < 1000; i++) x[i] = fill_one(WIDE, i, &seed);
  mfft_exact_add(&whole, x, 1000);
  mfft_exact_carry(&whole);
  for (int i = 0; i < 1000; i += 100) {
    mfft_exact_sum part = {.nan = 0};
    mfft_exact_add(&part, x + i, 100);
    mfft_exact_merge(&sum, &part);
  }
  CHECK(!memcmp(&sum, &whole, sizeof sum), "a sum of sums differs");
}

static void refusals(void) {
  const numbers_case c = {1, {64}, 1, MFFT_C2C, MFFT_IN, 0};
  numbers_array a;
  mfft_sums sums;
  mfft_sums_init(&sums);
  CHECK_OK(numbers_create(&c, "fftw", MFFT_DOUBLE, &a));
  CHECK_FAILS(mfft_plan_sums(NULL, MFFT_IN, a.array, &sums), MFFT_ERR_ARG, "plan is NULL");
  CHECK_FAILS(mfft_plan_sums(a.plan, MFFT_IN, NULL, &sums), MFFT_ERR_ARG, "array is NULL");
  CHECK_FAILS(mfft_plan_sums(a.plan, MFFT_IN, a.array, NULL), MFFT_ERR_ARG, "sums is NULL");
  sums.centre = INFINITY;
  CHECK_FAILS(mfft_plan_sums(a.plan, MFFT_IN, a.array, &sums), MFFT_ERR_ARG, "sums.centre is inf");
  sums.centre = 0;
  sums.threads = 5000;
  CHECK_FAILS(mfft_plan_sums(a.plan, MFFT_IN, a.array, &sums), MFFT_ERR_ARG, "sums.threads");
  numbers_destroy(&a);
}

int main(int argc, char **argv) {
  (void)argv;
  if (!numbers_backends(argc, check_arrays)) return TEST_SKIPPED;
  merging();
  refusals();
  return test_end();
}
