// TEST ranks=1,2,3 labels=apps
// Sums without rounding: sums that cancel, of all sizes of doubles, in any order and on any rank; their values and rests are
// those of integers of 128 bits, rounded once; the mean of equal values is that value; infinity, NaN and results beyond a
// double are reported.
#include <float.h>
#include <mpi.h>

#include "../apps/cli/collective.c"
#include "../apps/mesh/exact_sum.c"
#include "check.h"

static int rank, ranks;

/* This rank's values of a list, in blocks of a few, which depends on the number of ranks; the sum over all ranks. */
static mfft_exact_sum add_all(const double *values, int64_t count, int64_t block) {
  mfft_exact_sum sum = {0};
  for (int64_t first = 0; first < count; first += block) {
    const int64_t some = count - first < block ? count - first : block;
    if (first / block % ranks == rank) mfft_exact_add(&sum, values + first, some);
  }
  mfft_exact_gather(&sum);
  return sum;
}

static double random_value(uint64_t *seed, int exponents) {
  const double value = ldexp(test_random(seed), (int)(test_random(seed) * exponents) - exponents / 2);
  return test_random(seed) < 0.5 ? -value : value;
}

static void shuffle(double *values, int64_t count, uint64_t *seed) {
  for (int64_t i = count - 1; i > 0; i--) {
    const int64_t j = (int64_t)((test_random(seed) + 0.5) * (double)i) % (i + 1);
    const double other = values[j];
    values[j] = values[i];
    values[i] = other;
  }
}

/* Values of a range of sizes and their negatives, among them three that do not cancel. */
static void cancelling(int exponents) {
  enum { PAIRS = 3000, COUNT = 2 * PAIRS + 3 };
  static double values[COUNT];
  uint64_t seed = 5;
  const double kept[3] = {0x1p70, 1, 0x1p-60};
  for (int i = 0; i < PAIRS; i++) {
    values[2 * i] = random_value(&seed, exponents);
    values[2 * i + 1] = -values[2 * i];
  }
  memcpy(values + 2 * PAIRS, kept, sizeof kept);
  for (int round = 0; round < 3; round++) {
    double rest;
    mfft_exact_sum sum = add_all(values, COUNT, (int64_t[]){COUNT, 700, 1}[round]);
    const double value = mfft_exact_value(&sum, &rest);
    CHECK(value == 0x1p70 && rest == 1, "range %d: %.17g and %.17g", exponents, value, rest);
    mfft_exact_add(&sum, (double[]){-0x1p70, -1}, 2);
    CHECK(mfft_exact_value(&sum, NULL) == 0x1p-60, "range %d: %.17g is left", exponents, mfft_exact_value(&sum, NULL));
    shuffle(values, COUNT, &seed);
  }
}

/* Values that lie at and beside the middle of two doubles, against sums of integers, which the compiler rounds to the
 * nearest double; the unit is 2^-60. */
static void nearest(void) {
  enum { TERMS = 6, UNIT = -60 };
  static const int powers[] = {60, 53, 52, 1, 0, -1, -52, -53, -54, -59, -60};
  uint64_t seed = 11;
  for (int round = 0; round < 3000; round++) {
    double values[TERMS] = {0}, rest;
    __int128 all = 0;
    for (int i = 0; i < TERMS; i++) {
      const int power = powers[(int)((test_random(&seed) + 0.5) * (sizeof powers / sizeof *powers))];
      values[i] = test_random(&seed) < 0 ? -ldexp(1, power) : ldexp(1, power);
      all += (__int128)ldexp(values[i], -UNIT);
    }
    mfft_exact_sum sum = {0};
    mfft_exact_add(&sum, values, TERMS);
    const double value = mfft_exact_value(&sum, &rest), want = (double)all, left = (double)(all - (__int128)want);
    CHECK(value == ldexp(want, UNIT) && rest == ldexp(left, UNIT), "round %d: %a and %a, want %a and %a", round, value, rest,
          ldexp(want, UNIT), ldexp(left, UNIT));
  }
  /* Rounding to the nearest of what is left, too: the last bits are 2^1000 and more below the first. */
  double rest;
  mfft_exact_sum far = {0};
  mfft_exact_add(&far, (double[]){1, 1, 0x1p-53, 0x1p-106, 0x1p-1074}, 5);
  CHECK(mfft_exact_value(&far, &rest) == 2 && rest == 0x1.0000000000001p-53, "the rest is %a", rest);
}

static void means(void) {
  enum { COUNT = 100003 };
  static double values[COUNT];
  static const double equal[] = {0.1, -1e300, 3e-310, 1 + 0x1p-52, 0};
  for (size_t e = 0; e < sizeof equal / sizeof *equal; e++) {
    double rest;
    for (int i = 0; i < COUNT; i++) values[i] = equal[e];
    const mfft_exact_sum sum = add_all(values, COUNT, 4000);
    CHECK(mfft_exact_mean(&sum, COUNT, &rest) == equal[e] && rest == 0, "the mean of %g is off by %g, rest %g", equal[e],
          mfft_exact_mean(&sum, COUNT, &rest) - equal[e], rest);
  }
  for (int sign = -1; sign <= 1; sign += 2) { /* the sum exceeds a double, and the mean does not */
    double left;
    mfft_exact_sum large = {0};
    mfft_exact_add(&large, (double[]){sign * DBL_MAX, sign * DBL_MAX, sign * 0x1p900}, 3);
    const double third = mfft_exact_mean(&large, 3, &left), second = mfft_exact_mean(&large, 2, NULL);
    CHECK(fabs(third) == DBL_MAX / 3 * 2 && third * sign > 0 && left != 0, "mean %a, rest %a", third, left);
    CHECK(second == sign * DBL_MAX, "mean %a", second);
    CHECK(isinf(mfft_exact_mean(&large, 1, &left)) && left == 0, "rest %a", left);
  }
  /* 1e15 + i / 8 without its mean has the mean 0. */
  double mean, rest, left = 0;
  for (int i = 0; i < COUNT; i++) values[i] = 1e15 + i / 8.;
  const mfft_exact_sum sum = add_all(values, COUNT, 999);
  mean = mfft_exact_mean(&sum, COUNT, &rest);
  for (int i = 0; i < COUNT; i++) left += (values[i] - mean) - rest;
  CHECK(mean + rest == 1e15 + (COUNT - 1) / 16. && left == 0, "mean %.17g + %g, left %g", mean, rest, left);
}

static void specials(void) {
  static const struct {
    double values[4], want;
  } cases[] = {{{INFINITY, 1, 2, 3}, INFINITY},
               {{-INFINITY, 1, -INFINITY, 3}, -INFINITY},
               {{-INFINITY, INFINITY, 1, 2}, NAN},
               {{NAN, 1, 2, INFINITY}, NAN},
               {{DBL_MAX, DBL_MAX, DBL_MAX, 1}, INFINITY},
               {{DBL_MAX, DBL_MAX, -DBL_MAX, 0}, DBL_MAX},
               {{-DBL_MAX, -DBL_MAX, -1, 1}, -INFINITY},
               {{0x1p-1074, 0x1p-1074, -0x1p-1073, 0x1p-1074}, 0x1p-1074},
               {{-0x1p-1074, DBL_MIN, 0, 0}, DBL_MIN - 0x1p-1074}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    double rest = 7;
    const mfft_exact_sum sum = add_all(cases[c].values, 4, 1);
    const double got = mfft_exact_value(&sum, &rest), want = cases[c].want;
    CHECK(isnan(want) ? isnan(got) : got == want, "case %d: %g, want %g", (int)c, got, want);
    CHECK(rest == 0, "case %d: the rest is %g", (int)c, rest);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  cancelling(40); /* two splits take all bits */
  cancelling(500);
  cancelling(2000);
  nearest();
  means();
  specials();
  MPI_Finalize();
  return test_end();
}
