// TEST labels=apps
/* Ticks of axes: inside the axis, increasing, no more than requested, and within their array, for any pair of doubles; their
 * labels differ.  An axis far from 0 counts from an offset. */
#include "../apps/plot/ticks.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* A double of any exponent, from the bits of two random numbers; not finite ones too. */
static double any_double(void) {
  uint64_t bits = 0;
  double value;
  for (int i = 0; i < 5; i++) bits = bits << 15 ^ (uint64_t)rand();
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void check_axis(double lo, double hi, int logarithmic, int most) {
  struct {
    mfft_ticks ticks;
    double beyond;
  } t = {.beyond = 42};
  char label[MFFT_TICKS][32], what[128];
  snprintf(what, sizeof what, "%.17g to %.17g%s, at most %d", lo, hi, logarithmic ? " logarithmic" : "", most);
  mfft_ticks_find(lo, hi, logarithmic, most, &t.ticks);
  const mfft_ticks *k = &t.ticks;
  CHECK(t.beyond == 42 && k->count >= 0 && k->count <= most && k->count <= MFFT_TICKS, "%s: %d ticks", what, k->count);
  for (int i = 0; i < k->count; i++) {
    const double slack = 1e-6 * (hi - lo);
    CHECK(k->value[i] >= lo - k->offset - slack && k->value[i] <= hi - k->offset + slack, "%s: %.17g + %.17g", what,
          k->offset, k->value[i]);
    CHECK(i == 0 || k->value[i] > k->value[i - 1], "%s: tick %d does not rise", what, i);
    snprintf(label[i], sizeof label[i], "%.5g", k->value[i]); /* in the format of colour bars */
    CHECK(i == 0 || strcmp(label[i], label[i - 1]) != 0, "%s: two ticks are called %s", what, label[i]);
  }
}

static void check_list(double lo, double hi, double offset, int count, const double *value /* [count] */) {
  mfft_ticks t;
  mfft_ticks_find(lo, hi, 0, 6, &t);
  CHECK(t.count == count && t.offset == offset, "%.17g to %.17g: %d ticks from %.17g", lo, hi, t.count, t.offset);
  for (int i = 0; i < count && i < t.count; i++)
    CHECK(fabs(t.value[i] - value[i]) < 1e-12, "%.17g to %.17g: tick %d is %.17g", lo, hi, i, t.value[i]);
}

int main(void) {
  const double near_zero[] = {-1, -0.5, 0, 0.5, 1}, far[] = {-2, -1, 0, 1, 2}, thousands[] = {0, 0.2, 0.4, 0.6, 0.8};
  check_list(-1, 1, 0, 5, near_zero);
  check_list(1000, 1000.9, 1000, 5, thousands);
  for (int length = 10; length < 100; length++) { /* an axis with one tick cannot be read */
    mfft_ticks t;
    mfft_ticks_find(0, length, 0, 2, &t);
    CHECK(t.count == 2 && t.value[0] == 0 && t.value[1] <= length, "0 to %d: %d ticks", length, t.count);
  }
  /* Two steps of a double: adding 1 to such a number does not change it. */
  check_list(9999999999999998, 10000000000000002, 1e16, 5, far);
  check_list(-10000000000000002, -9999999999999998, -1e16, 5, far);

  const double hostile[][2] = {{0, 5e-324},
                               {5e-324, 1e-323},
                               {-1.7e308, 1.7e308},
                               {0, 1.7e308},
                               {1e300, 1.7e308},
                               {NAN, 1},
                               {0, INFINITY},
                               {-INFINITY, 0},
                               {1, 1},
                               {2, 1},
                               {2.2e-308, 1.0},
                               {1, 1 + 2.3e-16},
                               {-1e-300, 1e300},
                               {1e22, 1.1e22},
                               {1e-310, 1e308},
                               {1e15, 1e15 + 1},
                               {4503599627370496, 4503599627370497}};
  for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
    for (int logarithmic = 0; logarithmic < 2; logarithmic++)
      for (int most = 2; most <= 20; most += 3) check_axis(hostile[i][0], hostile[i][1], logarithmic, most < 16 ? most : 16);

  srand(20);
  for (int i = 0; i < 60000; i++) {
    const double lo = any_double(), other = any_double(), steps = rand() % 100 + 1;
    check_axis(lo, other, i & 1, 2 + i % 15);
    check_axis(lo, lo + fabs(lo) * steps * 2.3e-16, i & 1, 2 + i % 15); /* a few steps of a double */
    check_axis(lo, lo + fabs(lo) * pow(10, -rand() % 16), i & 1, 2 + i % 15);
  }
  return test_end();
}
