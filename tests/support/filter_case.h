/* filter_case.h: filters for tests, and their values by the formula of mfft.h in double. */
#ifndef MFFT_TESTS_FILTER_CASE_H
#define MFFT_TESTS_FILTER_CASE_H

#include <complex.h>

#include "check.h"
#include "mfft_spectrum.h"

enum { FILTER_CASES = 5, FILTER_MOST = 1200 };

/* Tables of whole axes, even in k on transformed axes, and odd on one axis if the filter is a derivative, as a real
 * transform requires. */
typedef struct filter_case {
  double factor[3][FILTER_MOST], divisor[3][FILTER_MOST];
  mfft_filter filter;
} filter_case;

static inline void filter_make(int which, const int64_t n[3], unsigned axes, filter_case *c) {
  uint64_t state = 7 + (uint64_t)which;
  mfft_filter_init(&c->filter);
  for (int a = 0; a < 3; a++)
    for (int64_t k = 0; k < n[a]; k++) {
      int64_t m = 2 * k > n[a] ? k - n[a] : k;
      c->factor[a][k] = axes >> a & 1 && k > n[a] - k ? c->factor[a][n[a] - k] : 0.75 + 0.5 * test_random(&state);
      c->divisor[a][k] = (double)(m * m);
    }
  static const struct {
    unsigned factors, divisors; /* axes with tables */
    double scale, singular;
  } kinds[FILTER_CASES] = {{7, 7, -0.5, 0}, {1, 0, 2, 0}, {6, 7, 1e-3, 5e2}, {0, 0, 0.25, 0}, {7, 5, 3, 1.5}};
  for (int a = 0; a < 3; a++) {
    if (kinds[which].factors >> a & 1) c->filter.factor[a] = c->factor[a];
    if (kinds[which].divisors >> a & 1) c->filter.divisor[a] = c->divisor[a];
  }
  c->filter.scale = kinds[which].scale;
  c->filter.singular = kinds[which].singular;
  if (which != 0 && which != 2) return;
  /* -i or i times an odd function of an axis that is transformed. */
  int axis = which ? 2 : 0;
  while (axis > 0 && !(axes >> axis & 1)) axis--;
  while (!(axes >> axis & 1)) axis++;
  for (int64_t k = 0; k < n[axis]; k++) {
    int64_t m = 2 * k > n[axis] ? k - n[axis] : k;
    c->factor[axis][k] *= 2 * k == n[axis] ? 0 : (double)m;
  }
  c->filter.factor[axis] = c->factor[axis];
  c->filter.singular = 0; /* the factor at wave numbers whose spectrum must be real */
  c->filter.quarter_turns = which ? 1 : 3;
}

static inline double complex filter_value(const mfft_filter *f, const int64_t k[3]) {
  static const double complex powers_of_i[] = {1, I, -1, -I};
  double value = 1, divisor = 0;
  for (int a = 0; a < 3; a++) {
    if (f->factor[a]) value *= f->factor[a][k[a]];
    if (f->divisor[a]) divisor += f->divisor[a][k[a]];
  }
  if (f->divisor[0] || f->divisor[1] || f->divisor[2]) value = divisor == 0 ? f->singular : value / divisor;
  return f->scale * value * powers_of_i[f->quarter_turns];
}

#endif
