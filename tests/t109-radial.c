// TEST
// TEST labels=cuda args=cuda
// TEST labels=emulated timeout=300 args=cuda
// Spectra times a function of |k|: every backend, precision and layout against the cubic in long double, in place and to
// another array, gaps unchanged; wave numbers below, above and on the table, and zero; a cubic is reproduced; refusals.
#include "mfft_spectrum.h"
#include "numbers.h"

enum { COUNT = 40 };

/* Lagrange's cubic through the nodes around a point, in long double. */
static long double truth(const mfft_radial *r, long double radius) {
  if (radius == 0) return r->at_zero;
  long double place = (COUNT - 1) * logl(radius / r->lo) / logl((long double)r->hi / r->lo), value = 0;
  place = place < 0 ? 0 : place > COUNT - 1 ? COUNT - 1 : place;
  int64_t node = (int64_t)place;
  node = node < 1 ? 1 : node > COUNT - 3 ? COUNT - 3 : node;
  for (int j = -1; j <= 2; j++) {
    long double term = r->value[node + j];
    for (int other = -1; other <= 2; other++)
      if (other != j) term *= (place - (long double)(node + other)) / (j - other);
    value += term;
  }
  return value;
}

static const numbers_case cases[] = {
    {3, {12, 10, 14}, 1, MFFT_R2C, MFFT_OUT, 0}, {3, {6, 5, 9}, 2, MFFT_R2C, MFFT_OUT, 1},
    {3, {5, 4, 6}, 2, MFFT_C2C, MFFT_OUT, 1},    {1, {2000}, 2, MFFT_R2C, MFFT_OUT, 0},
    {3, {1, 1, 3}, 1, MFFT_R2C, MFFT_OUT, 0},    {2, {30, 66}, 3, MFFT_C2C, MFFT_OUT, 0},
};

static void check_case(const numbers_case *c, const char *backend, mfft_precision precision, int in_place, int threads) {
  static double radius[3][2000], value[COUNT];
  static const double epsilon[] = {
      [MFFT_DOUBLE] = 1e-14, [MFFT_SINGLE] = 1.2e-7, [MFFT_HALF] = 1e-3, [MFFT_BFLOAT16] = 8e-3, [MFFT_LONG_DOUBLE] = 1e-14};
  numbers_array a;
  mfft_radial r;
  uint64_t seed = 3;
  void *out = NULL;
  if (numbers_create(c, backend, precision, &a) != MFFT_SUCCESS) return;
  mfft_radial_init(&r);
  for (int axis = 0; axis < 3; axis++) {
    const int64_t n = axis < c->rank ? c->n[axis] : 1;
    for (int64_t k = 0; k < a.n[axis + 1]; k++) radius[axis][k] = (double)(2 * k > n ? k - n : k) * (0.7 + 0.25 * axis);
    r.radius[axis] = axis == 1 && c->strided ? NULL : radius[axis];
  }
  for (int i = 0; i < COUNT; i++) value[i] = 1.5 + test_random(&seed);
  r.count = COUNT;
  r.value = value;
  r.lo = 0.8; /* above the smallest wave number of the first axis */
  r.hi = 40;
  r.at_zero = -3;
  r.threads = threads;
  for (int64_t i = 0; i < a.reals; i++) numbers_store(precision, a.host, i, 1 + test_random(&seed));
  CHECK_OK(mfft_memory_upload(backend, a.array, a.host, a.bytes));
  CHECK_OK(mfft_memory_alloc(backend, a.bytes, &out));
  CHECK_OK(mfft_memory_upload(backend, out, a.host, a.bytes));
  CHECK_OK(mfft_plan_multiply_radial(a.plan, &r, in_place ? out : a.array, out));
  void *got = malloc(a.bytes), *input = malloc(a.bytes);
  CHECK_OK(mfft_memory_download(backend, got, out, a.bytes));
  CHECK_OK(mfft_memory_download(backend, input, a.array, a.bytes));
  CHECK(!memcmp(input, a.host, a.bytes), "%s: the input has changed", backend);
  int64_t i[4], changed = 0;
  double most = 0;
  NUMBERS_EACH(&a, i) {
    long double square = 0;
    for (int axis = 0; axis < 3; axis++)
      if (r.radius[axis]) square += (long double)radius[axis][i[axis + 1]] * radius[axis][i[axis + 1]];
    for (int component = 0; component < 2; component++) {
      const int64_t at = numbers_at(&a, i, component);
      const long double want = truth(&r, sqrtl(square)) * numbers_load(precision, a.host, at);
      most = fmax(most, (double)fabsl(numbers_load(precision, got, at) / want - 1));
      numbers_store(precision, a.host, at, numbers_load(precision, got, at));
    }
  }
  for (int64_t j = 0; j < (int64_t)a.bytes; j++) changed += ((char *)got)[j] != ((char *)a.host)[j];
  CHECK(most < epsilon[precision], "%s, precision %d: a relative error of %g", backend, precision, most);
  CHECK(changed == 0, "%s: %d bytes between elements have changed", backend, (int)changed);
  free(got);
  free(input);
  mfft_memory_free(backend, out);
  numbers_destroy(&a);
}

static void check_arrays(const char *backend, mfft_precision precision) {
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    for (int in_place = 0; in_place < 2; in_place++) check_case(&cases[n], backend, precision, in_place, 1 + 2 * in_place);
}

static void refusals(void) {
  const numbers_case c = {1, {64}, 1, MFFT_C2C, MFFT_OUT, 0};
  double value[4] = {1, 2, 3, 4}, table[64] = {0};
  numbers_array a;
  mfft_radial r;
  mfft_radial_init(&r);
  CHECK_OK(numbers_create(&c, "fftw", MFFT_DOUBLE, &a));
  CHECK_FAILS(mfft_plan_multiply_radial(a.plan, &r, a.array, a.array), MFFT_ERR_ARG, "radial.count is 0 with no values");
  r.count = 3;
  r.value = value;
  CHECK_FAILS(mfft_plan_multiply_radial(a.plan, &r, a.array, a.array), MFFT_ERR_ARG, "radial.count is 3");
  r.count = 4;
  CHECK_FAILS(mfft_plan_multiply_radial(a.plan, &r, a.array, a.array), MFFT_ERR_ARG, "radial.lo is 0");
  r.lo = 1;
  r.hi = 10;
  CHECK_FAILS(mfft_plan_multiply_radial(a.plan, &r, NULL, a.array), MFFT_ERR_ARG, "in is NULL");
  CHECK_FAILS(mfft_plan_multiply_radial(a.plan, &r, a.array, NULL), MFFT_ERR_ARG, "out is NULL");
  CHECK_FAILS(mfft_plan_multiply_radial(NULL, &r, a.array, a.array), MFFT_ERR_ARG, "plan is NULL");
  value[2] = INFINITY;
  CHECK_FAILS(mfft_plan_multiply_radial(a.plan, &r, a.array, a.array), MFFT_ERR_ARG, "radial.value[2] is inf");
  value[2] = 3;
  table[63] = NAN;
  r.radius[0] = table;
  CHECK_FAILS(mfft_plan_multiply_radial(a.plan, &r, a.array, a.array), MFFT_ERR_ARG, "radial.radius[0][63] is nan");
  numbers_destroy(&a);
}

int main(int argc, char **argv) {
  (void)argv;
  if (!numbers_backends(argc, check_arrays)) return TEST_SKIPPED;
  refusals();
  return test_end();
}
