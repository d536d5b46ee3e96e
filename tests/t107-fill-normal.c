// TEST
// TEST labels=cuda args=cuda
// TEST labels=emulated timeout=300 args=cuda
// White noise in arrays: Philox4x32-10 against the known answers published with it (Random123, kat_vectors); every number
// against the formula in long double; the same bits on every backend, in every layout and for any number of threads; gaps of
// layouts unchanged; moments; refusals.
#include "base/normal.h"
#include "local/host/normal_pairs.h"
#include "mfft_array.h"
#include "numbers.h"

static void known_answers(void) {
  static const uint32_t v[3][10] = {/* counter, key, result */
                                    {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                    {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
                                     0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
                                     0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; i++) {
    uint32_t random[4];
    mfft_normal_philox(v[i], v[i] + 4, random);
    for (int j = 0; j < 4; j++)
      CHECK(random[j] == v[i][6 + j], "vector %d word %d: %08x, want %08x", i, j, random[j], v[i][6 + j]);
  }
}

/* The larger relative error of the two numbers.  The truth reduces the angle exactly, to a quarter of a turn about 0. */
static double pair_error(const uint32_t random[4], const double pair[2]) {
  const long double pi = 3.14159265358979323846264338327950288L;
  const int64_t a = (int64_t)(((uint64_t)random[0] << 32 | random[1]) >> 11) + 1;
  const int64_t b = (int64_t)(((uint64_t)random[2] << 32 | random[3]) >> 11) + 1;
  const int64_t quarter = (b + (INT64_C(1) << 50)) >> 51;
  const long double radius = sqrtl(-2 * logl((long double)a * 0x1p-53L));
  const long double angle = pi * (long double)(b - (quarter << 51)) * 0x1p-52L, c = cosl(angle), s = sinl(angle);
  const long double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  double most = 0;
  for (int i = 0; i < 2; i++) {
    const long double want = radius * turned[quarter % 4][i], error = fabsl(pair[i] - want);
    most = fmax(most, (double)(error == 0 ? 0 : error / fabsl(want)));
  }
  return most;
}

/* Numbers and their extremes: u next to 0 and 1, angles next to the multiples of a quarter of a turn. */
static void accuracy(void) {
  static const uint64_t edges[] = {0,
                                   1,
                                   0x1fffffffffffff,
                                   0x1ffffffffffffe,
                                   0x7ffffffffffff,
                                   0x8000000000000,
                                   0x7fffffffffffe,
                                   0xfffffffffffff,
                                   0x10000000000000,
                                   0x17ffffffffffff,
                                   0x18000000000000,
                                   0x3ffffffffffff,
                                   0x4000000000000,
                                   0xb504f333f9de6,
                                   0x16a09e667f3bcc,
                                   0xb504f333f9de7};
  enum { EDGES = sizeof edges / sizeof *edges };
  double most = 0;
  for (int i = 0; i < EDGES * EDGES; i++) {
    const uint64_t a = edges[i / EDGES] << 11, b = edges[i % EDGES] << 11;
    const uint32_t random[4] = {(uint32_t)(a >> 32), (uint32_t)a, (uint32_t)(b >> 32), (uint32_t)b};
    double pair[2];
    mfft_normal_pair(random, pair);
    most = fmax(most, pair_error(random, pair));
  }
  for (uint32_t first = 0; first < 20000; first += MFFT_NORMAL_PAIRS) {
    const uint32_t words[3] = {5, 3, 0}, key[2] = {7, 1};
    double pair[2 * MFFT_NORMAL_PAIRS];
    mfft_normal_pairs(7 + (UINT64_C(1) << 32), first, words, pair);
    for (uint32_t i = 0; i < MFFT_NORMAL_PAIRS; i++) {
      const uint32_t counter[4] = {first + i, words[0], words[1], words[2]};
      uint32_t random[4];
      double alone[2];
      mfft_normal_philox(counter, key, random);
      mfft_normal_pair(random, alone);
      CHECK(!memcmp(alone, pair + 2 * i, sizeof alone), "pair %u differs on vectors", first + i);
      most = fmax(most, pair_error(random, alone));
    }
  }
  CHECK(most < 0x1p-50, "the largest relative error is %g", most);
}

/* The expected value of one number, computed alone. */
static double truth(const numbers_case *c, const int64_t i[4], int components, int component, uint64_t seed) {
  const int last = c->rank; /* index in i */
  const int64_t number = i[last] * components + component;
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t counter[4] = {(uint32_t)(number / 2), 0, 0, (uint32_t)i[0]}, random[4];
  for (int a = last - 1, word = 1; a >= 1; a--, word++) counter[word] = (uint32_t)i[a];
  double pair[2];
  mfft_normal_philox(counter, key, random);
  mfft_normal_pair(random, pair);
  return pair[number % 2];
}

static const numbers_case cases[] = {
    {3, {6, 5, 9}, 1, MFFT_R2C, MFFT_IN, 0}, {3, {4, 6, 10}, 2, MFFT_R2C, MFFT_OUT, 0},
    {3, {5, 4, 6}, 2, MFFT_C2C, MFFT_IN, 1}, {2, {30, 66}, 1, MFFT_R2C, MFFT_IN, 1},
    {1, {1000}, 3, MFFT_R2C, MFFT_IN, 0},    {1, {40000}, 1, MFFT_C2C, MFFT_OUT, 0},
    {3, {1, 1, 3}, 1, MFFT_R2C, MFFT_IN, 0}, {3, {3, 2, 300}, 1, MFFT_C2C, MFFT_IN, 0},
};

static void check_arrays(const char *backend, mfft_precision precision) {
  const uint64_t seed = 12345678901;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    if (test_small() && n == 5) continue;
    const numbers_case *c = &cases[n];
    numbers_array a;
    if (numbers_create(c, backend, precision, &a) != MFFT_SUCCESS) continue;
    for (int threads = 1; threads <= (test_small() ? 1 : 3); threads += 2) {
      mfft_normal normal;
      int64_t i[4], wrong = 0, filled = 0, left = 0;
      mfft_normal_init(&normal);
      normal.seed = seed;
      normal.deviation = 2.5;
      normal.threads = threads;
      for (int64_t r = 0; r < a.reals; r++) numbers_store(precision, a.host, r, 777);
      CHECK_OK(mfft_memory_upload(backend, a.array, a.host, a.bytes));
      CHECK_OK(mfft_plan_fill_normal(a.plan, c->side, &normal, a.array));
      CHECK_OK(mfft_memory_download(backend, a.host, a.array, a.bytes));
      NUMBERS_EACH(&a, i)
      for (int component = 0; component < a.components; component++, filled++) {
        const int64_t at = numbers_at(&a, i, component), bytes = (int64_t)mfft_real_bytes(precision);
        long double want = 0, got = 0; /* the bits of any type */
        numbers_store(precision, &want, 0, 2.5 * truth(c, i, a.components, component, seed));
        if (precision == MFFT_LONG_DOUBLE) got = ((const long double *)a.host)[at];
        if (precision != MFFT_LONG_DOUBLE) memcpy(&got, (char *)a.host + at * bytes, (size_t)bytes);
        wrong += precision == MFFT_LONG_DOUBLE ? want != got : memcmp(&want, &got, (size_t)bytes) != 0;
      }
      for (int64_t r = 0; r < a.reals; r++)
        left += numbers_load(precision, a.host, r) == (precision == MFFT_BFLOAT16 ? 776 : 777);
      CHECK(wrong == 0, "%s, precision %d, case %d, %d threads: %d numbers differ", backend, precision, (int)n, threads,
            (int)wrong);
      CHECK(left == a.reals - filled, "%s, case %d: %d numbers were unchanged, not %d", backend, (int)n, (int)left,
            (int)(a.reals - filled));
    }
    numbers_destroy(&a);
  }
}

/* Moments of 2^21 normal numbers within 5 standard errors: 0, 1, 0, 3; neighbours are not correlated. */
static void moments(void) {
  const numbers_case c = {3, {128, 128, 128}, 1, MFFT_R2C, MFFT_IN, 0};
  numbers_array a;
  CHECK_OK(numbers_create(&c, "fftw", MFFT_DOUBLE, &a));
  CHECK_OK(mfft_plan_fill_normal(a.plan, MFFT_IN, NULL, a.array));
  const double *x = a.array, n = (double)a.reals, root = sqrt(n);
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0, pair = 0, largest = 0;
  for (int64_t i = 0; i < a.reals; i++) {
    const double v = x[i];
    m1 += v;
    m2 += v * v;
    m3 += v * v * v;
    m4 += v * v * v * v;
    pair += v * x[(i + 1) % a.reals];
    largest = fmax(largest, fabs(v));
  }
  CHECK(fabs(m1 / n) < 5 / root, "mean %g", m1 / n);
  CHECK(fabs(m2 / n - 1) < 5 * sqrt(2) / root, "variance %g", m2 / n);
  CHECK(fabs(m3 / n) < 5 * sqrt(15) / root, "skewness %g", m3 / n);
  CHECK(fabs(m4 / n - 3) < 5 * sqrt(96) / root, "fourth moment %g", m4 / n);
  CHECK(fabs(pair / n) < 5 / root, "correlation of neighbours %g", pair / n);
  CHECK(largest > 4.5 && largest < 7, "largest of 2^21: %g", largest);
  numbers_destroy(&a);
}

static void refusals(void) {
  const numbers_case c = {1, {64}, 1, MFFT_C2C, MFFT_IN, 0};
  numbers_array a;
  mfft_normal normal;
  mfft_normal_init(&normal);
  CHECK_OK(numbers_create(&c, "fftw", MFFT_DOUBLE, &a));
  CHECK_FAILS(mfft_plan_fill_normal(NULL, MFFT_IN, &normal, a.array), MFFT_ERR_ARG, "plan is NULL");
  CHECK_FAILS(mfft_plan_fill_normal(a.plan, MFFT_IN, &normal, NULL), MFFT_ERR_ARG, "array is NULL");
  CHECK_FAILS(mfft_plan_fill_normal(a.plan, (mfft_side)2, &normal, a.array), MFFT_ERR_ARG, "side is 2");
  normal.deviation = NAN;
  CHECK_FAILS(mfft_plan_fill_normal(a.plan, MFFT_IN, &normal, a.array), MFFT_ERR_ARG, "normal.deviation is nan");
  normal.deviation = 1;
  normal.threads = -1;
  CHECK_FAILS(mfft_plan_fill_normal(a.plan, MFFT_IN, &normal, a.array), MFFT_ERR_ARG, "normal.threads");
  normal.struct_size = 3;
  CHECK_FAILS(mfft_plan_fill_normal(a.plan, MFFT_IN, &normal, a.array), MFFT_ERR_ARG, "normal.struct_size is 3");
  numbers_destroy(&a);
}

int main(int argc, char **argv) {
  (void)argv;
  if (!numbers_backends(argc, check_arrays)) return TEST_SKIPPED;
  known_answers();
  accuracy();
  if (argc == 1) moments();
  refusals();
  return test_end();
}
