// TEST
// TEST labels=cuda args=cuda
// TEST labels=emulated timeout=600 args=cuda
// Rows of real arrays against loops over single numbers: products with vectors, squares, magnitudes, and numbers that are
// shifted, scaled and stored, to the last bit; every backend, precision and layout; the same results for every division of
// the rows and any number of threads; checksums of their bits; numbers that are not finite; refusals.
#include <float.h>

#include "base/checksum.h"
#include "mfft_array.h"
#include "numbers.h"

static const numbers_case cases[] = {
    {3, {12, 10, 14}, 1, MFFT_R2C, MFFT_IN, 0}, {3, {6, 5, 700}, 2, MFFT_R2C, MFFT_IN, 0},
    {3, {6, 5, 34}, 2, MFFT_R2C, MFFT_IN, 1},   {1, {2000}, 3, MFFT_R2C, MFFT_IN, 0},
    {2, {33, 3}, 1, MFFT_R2C, MFFT_IN, 0},
};
enum { LONGEST = 2000, VECTORS = MFFT_ROWS_VECTORS };
static double vector[VECTORS][LONGEST];
static const double *const vectors[VECTORS] = {vector[0], vector[1], vector[2], vector[3],
                                               vector[4], vector[5], vector[6], vector[7]};

static int same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Element `row` in C order of the loops before the last axis. */
static void find_row(const numbers_array *a, int last, int64_t row, int64_t i[4]) {
  memset(i, 0, 4 * sizeof *i);
  for (int loop = last; loop >= 0; row /= a->n[loop--]) i[loop] = row % a->n[loop];
}

/* The expected results of a row of `before`; the numbers that remain in the row are stored in a->host. */
static void want_row(numbers_array *a, const void *before, const mfft_rows *rows, int last, int64_t row,
                     double *sum /* [vectors + 2] */, double *bound /* [vectors + 1] */, uint64_t *checksum) {
  int64_t i[4];
  find_row(a, last, row, i);
  *checksum = 0;
  memset(sum, 0, (size_t)(rows->vectors + 2) * sizeof *sum);
  memset(bound, 0, (size_t)(rows->vectors + 1) * sizeof *bound);
  for (i[last + 1] = 0; i[last + 1] < a->n[last + 1]; i[last + 1]++) {
    const int64_t at = numbers_at(a, i, 0);
    const long double number = numbers_load(a->precision, before, at);
    double x = (double)number, y = ((x - rows->shift[0]) - rows->shift[1]) * rows->factor;
    const long double wide = ((number - rows->shift[0]) - rows->shift[1]) * rows->factor;
    const int is_long = a->precision == MFFT_LONG_DOUBLE, bytes = (int)mfft_real_bytes(a->precision);
    if (is_long) y = (double)wide;
    if (rows->store) numbers_store(a->precision, a->host, at, is_long ? wide : y);
    if (rows->store) x = (double)numbers_load(a->precision, a->host, at);
    if (!is_long)
      *checksum += mfft_checksum((const char *)a->host + at * bytes, bytes, row * a->n[last + 1] + i[last + 1], 1);
    for (int v = 0; v < rows->vectors; v++) {
      const double term = x * rows->vector[v][i[last + 1]];
      sum[v] += term;
      bound[v] += 1e-15 * fabs(term) * sqrt((double)a->n[last + 1]);
    }
    sum[rows->vectors] += y * y;
    bound[rows->vectors] += 1e-15 * y * y * sqrt((double)a->n[last + 1]);
    sum[rows->vectors + 1] = !(fabs(x) <= DBL_MAX) ? INFINITY : fmax(sum[rows->vectors + 1], fabs(x));
  }
}

/* Passes over all rows, in parts of `each`, and compares. */
static void check_pass(numbers_array *a, const numbers_case *c, mfft_rows rows, int64_t each, const char *what) {
  const int last = c->rank - 1, wide = rows.vectors + 2;
  int64_t all = 1;
  for (int loop = 0; loop <= last; loop++) all *= a->n[loop];
  double *result = malloc((size_t)(all * wide + 1) * sizeof *result), want[VECTORS + 2], bound[VECTORS + 1];
  uint64_t *checksums = malloc((size_t)(all + 1) * sizeof *checksums), checksum;
  void *before = malloc(a->bytes), *after = malloc(a->bytes);
  memcpy(before, a->host, a->bytes);
  result[all * wide] = 77;
  checksums[all] = 77;
  CHECK_OK(mfft_memory_upload(a->backend, a->array, before, a->bytes));
  for (rows.first = 0; rows.first < all; rows.first += each) {
    rows.count = all - rows.first < each ? all - rows.first : each;
    rows.result = result + rows.first * wide;
    rows.checksum = a->precision == MFFT_LONG_DOUBLE ? NULL : checksums + rows.first;
    CHECK_OK(mfft_plan_rows(a->plan, c->side, a->array, &rows));
  }
  CHECK_OK(mfft_memory_download(a->backend, after, a->array, a->bytes));
  for (int64_t row = 0; row < all; row++) {
    const double *got = result + row * wide;
    want_row(a, before, &rows, last, row, want, bound, &checksum);
    CHECK(!rows.checksum || checksums[row] == checksum, "%s, precision %d, %s, row %d: checksum %016llx, want %016llx",
          a->backend, a->precision, what, (int)row, (unsigned long long)checksums[row], (unsigned long long)checksum);
    for (int v = 0; v <= rows.vectors; v++)
      CHECK(same_number(got[v], want[v]) || fabs(got[v] - want[v]) <= bound[v],
            "%s, precision %d, %s, row %d: sum %d is %.17g, want %.17g", a->backend, a->precision, what, (int)row, v, got[v],
            want[v]);
    CHECK(got[wide - 1] == want[wide - 1], "%s, precision %d, %s, row %d: largest %.17g, want %.17g", a->backend,
          a->precision, what, (int)row, got[wide - 1], want[wide - 1]);
  }
  CHECK(result[all * wide] == 77 && checksums[all] == 77, "after the results");
  /* with the gaps of a strided array */
  CHECK(!memcmp(after, a->host, a->bytes), "%s, precision %d, %s: other numbers in the array", a->backend, a->precision,
        what);
  memcpy(a->host, before, a->bytes);
  free(after);
  free(before);
  free(checksums);
  free(result);
}

static void check_case(numbers_array *a, const numbers_case *c) {
  const int small = test_small();
  mfft_rows rows;
  mfft_rows_init(&rows);
  rows.vector = vectors;
  check_pass(a, c, rows, 7, "no vector");
  rows.vectors = VECTORS;
  rows.factor = 0.25;
  check_pass(a, c, rows, 1000, "eight vectors");
  rows.vectors = 3;
  rows.store = 1;
  rows.shift[0] = 1.0 / 3;
  rows.shift[1] = 1e-9;
  for (rows.threads = 1; rows.threads < (small ? 2 : 4); rows.threads += 2)
    check_pass(a, c, rows, small ? 1000 : 9, "stored");
  rows.factor = 0;
  check_pass(a, c, rows, 1000, "times 0");
  const int64_t at = numbers_at(a, (int64_t[4]){a->n[0] - 1, 0, 0, 0}, 0);
  mfft_rows_init(&rows);
  rows.vectors = 1;
  rows.vector = vectors;
  for (int kind = 0; kind < 3; kind++) {
    numbers_store(a->precision, a->host, at, kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY);
    rows.store = kind == 1;
    check_pass(a, c, rows, 1000, "not finite");
  }
}

static void check_arrays(const char *backend, mfft_precision precision) {
  uint64_t seed = 11;
  for (int v = 0; v < VECTORS; v++)
    for (int i = 0; i < LONGEST; i++) vector[v][i] = test_random(&seed);
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    numbers_array a;
    if (numbers_create(&cases[n], backend, precision, &a) != MFFT_SUCCESS) continue;
    for (int64_t r = 0; r < a.reals; r++) numbers_store(precision, a.host, r, 1 + numbers_of(precision, test_random(&seed)));
    check_case(&a, &cases[n]);
    numbers_destroy(&a);
  }
}

/* The results of a row have the same bits alone, among others, and by several threads. */
static void reproducible(void) {
  const numbers_case c = {3, {7, 6, 1003}, 1, MFFT_R2C, MFFT_IN, 0};
  static double one[42 * 3], other[42 * 3];
  uint64_t seed = 3;
  numbers_array a;
  mfft_rows rows;
  CHECK_OK(numbers_create(&c, "fftw", MFFT_SINGLE, &a));
  for (int64_t r = 0; r < a.reals; r++) ((float *)a.array)[r] = (float)test_random(&seed);
  mfft_rows_init(&rows);
  rows.vectors = 1;
  rows.vector = vectors;
  rows.count = 42;
  rows.result = one;
  CHECK_OK(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows));
  rows.threads = 5;
  for (rows.first = 0; rows.first < 42; rows.first += rows.count) {
    rows.count = rows.first % 3 ? 1 : 2;
    if (rows.first + rows.count > 42) rows.count = 1;
    rows.result = other + 3 * rows.first;
    CHECK_OK(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows));
  }
  CHECK(!memcmp(one, other, sizeof one), "other results one by one");
  numbers_destroy(&a);
}

static void refusals(void) {
  const numbers_case c = {3, {4, 5, 6}, 1, MFFT_R2C, MFFT_IN, 0};
  double result[20 * 10];
  numbers_array a;
  mfft_rows rows;
  mfft_rows_init(&rows);
  CHECK_OK(numbers_create(&c, "fftw", MFFT_DOUBLE, &a));
  rows.count = 20;
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows), MFFT_ERR_ARG, "rows.result is NULL");
  rows.result = result;
  CHECK_FAILS(mfft_plan_rows(NULL, MFFT_IN, a.array, &rows), MFFT_ERR_ARG, "plan is NULL");
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_IN, NULL, &rows), MFFT_ERR_ARG, "array is NULL");
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_IN, a.array, NULL), MFFT_ERR_ARG, "rows is NULL");
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_OUT, a.array, &rows), MFFT_ERR_UNSUPPORTED, "is complex");
  rows.vectors = 1;
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows), MFFT_ERR_ARG, "rows.vector is NULL");
  rows.vectors = 9;
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows), MFFT_ERR_ARG, "rows.vectors is 9");
  rows.vectors = 0;
  rows.first = 1;
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows), MFFT_ERR_ARG, "this process has 20 rows");
  rows.first = 0;
  rows.shift[1] = NAN;
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows), MFFT_ERR_ARG, "rows.shift[1] is nan");
  rows.shift[1] = 0;
  rows.count = 0;
  CHECK_OK(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows));
  numbers_destroy(&a);
  uint64_t checksum;
  CHECK_OK(numbers_create(&c, "ref", MFFT_LONG_DOUBLE, &a));
  rows.count = 1, rows.checksum = &checksum;
  CHECK_FAILS(mfft_plan_rows(a.plan, MFFT_IN, a.array, &rows), MFFT_ERR_UNSUPPORTED, "rows.checksum is given");
  numbers_destroy(&a);
}

int main(int argc, char **argv) {
  (void)argv;
  if (!numbers_backends(argc, check_arrays)) return TEST_SKIPPED;
  if (argc < 2) reproducible();
  refusals();
  return test_end();
}
