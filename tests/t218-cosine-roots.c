// TEST labels=once
/* The roots of cosine transforms of long lines, without a call of the mathematical library for each: none of them is further
 * from what long double gives than rounding to double explains, for cosines and sines, short lines and long. */
#include <math.h>

#include "check.h"

static int64_t calls;

static long double counted_cosl(long double angle) {
  calls++;
  return cosl(angle);
}

static long double counted_sinl(long double angle) {
  calls++;
  return sinl(angle);
}

#define cosl counted_cosl
#define sinl counted_sinl
#include "../src/local/fftw/double.c"
#undef cosl
#undef sinl

/* Units in the last place of a double between a root and its value. */
static double error_of(double root, long double value) {
  int exponent;
  frexpl(value, &exponent);
  return value == 0 ? fabs(root) * 0x1p53 : (double)fabsl(ldexpl((long double)root - value, 53 - exponent));
}

static void check(int64_t n, int factor, int sine) {
  const int64_t count = n / 2 + 1, stride = n > 10000 ? 37 : 1;
  const long double step = acosl(-1) / (2 * (long double)n);
  double *roots = malloc(2 * (size_t)count * sizeof *roots), most = 0;
  const double *c = roots + (sine ? count : 0), *s = roots + (sine ? 0 : count);
  calls = 0;
  mfft_fftw_double.quarter_roots(n, factor, sine, roots);
  for (int64_t k = 0; k < count; k += stride) {
    const double of_cosine = error_of(c[k], factor * cosl(step * (long double)k));
    const double of_sine = error_of(s[k], factor * sinl(step * (long double)k));
    most = fmax(most, fmax(of_cosine, of_sine));
  }
  CHECK(most < 0.502, "n = %lld: a root is off by %.4f ulp", (long long)n, most);
  CHECK(n < 100000 || calls < count / 50, "n = %lld: %lld calls", (long long)n, (long long)calls);
  free(roots);
}

int main(void) {
  static const int64_t lengths[] = {40, 41, 2045, 2046, 2047, 2048, 4097, 10000, 262143, 1 << 20};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check(lengths[i], 1 + (int)i % 2, (int)i / 2 % 2);
  return test_end();
}
