/* open_symbol.c: see open_symbol.h. */
#define _XOPEN_SOURCE 700 /* j0, j1 */
#include "poisson/open_symbol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The integral over all t of exp(-x cosh t) cosh(n t) / 2 by the trapezoidal rule. Its integrand is analytic for |Im t| <
 * pi/2 and falls like exp(-exp(t)), so a step of 1/4 has an error of some exp(-4 pi^2), 1e-17. */
void mfft_bessel_k(double x, double value[2]) {
  const double step = 0.25, negligible = 745; /* exp(-745) is the least positive double */
  value[0] = value[1] = exp(-x) / 2;
  for (int i = 1; x * cosh(i * step) < negligible; i++) {
    const double c = cosh(i * step), e = exp(-x * c);
    value[0] += e;
    value[1] += e * c;
  }
  value[0] *= step;
  value[1] *= step;
}

/* (1 - x K1(x)) / x^2, by the power series where the difference would lose its digits. */
static double bessel_moment(double x, double k1) {
  static const double euler = 0.57721566490153286;
  if (x > 1) return (1 - x * k1) / (x * x);
  const double quarter = x * x / 4, logarithm = log(x / 2);
  double term = 1, harmonic = 0, sum = 0; /* term: quarter^j / (j! (j + 1)!); harmonic: 1 + 1/2 + ... + 1/j */
  for (int j = 0; j < 14; j++) {
    sum += term * (harmonic + 0.5 / (j + 1) - euler - logarithm);
    harmonic += 1.0 / (j + 1);
    term *= quarter / ((j + 1.0) * (j + 2.0));
  }
  return sum / 2;
}

static double of_space(const mfft_open_symbol *o, double k) {
  if (k == 0) return -o->radius * o->radius / 2;
  const double s = sin(k * o->radius / 2);
  return -2 * s * s / (k * k);
}

static double of_wire(const mfft_open_symbol *o, double k, double q, int64_t wave) {
  const double r = o->radius, x = k * r;
  if (q == 0) {
    const double logarithm = log(r / o->period);
    return k == 0 ? r * r * (logarithm / 2 - 0.25) : (x * logarithm * j1(x) + j0(x) - 1) / (k * k);
  }
  const double *bessel = o->bessel + 2 * wave, y = q * r;
  if (k == 0) return -r * r * bessel_moment(y, bessel[1]);
  return -(1 + x * j1(x) * bessel[0] - y * j0(x) * bessel[1]) / (k * k + q * q);
}

static double of_surface(const mfft_open_symbol *o, double k, double q) {
  const double r = o->radius, x = k * r;
  if (q == 0) return k == 0 ? r * r / 2 : (cos(x) + x * sin(x) - 1) / (k * k);
  if (k == 0) return expm1(-q * r) / (q * q);
  return -(1 - exp(-q * r) * (cos(x) - k / q * sin(x))) / (k * k + q * q);
}

double mfft_open_symbol_value(const mfft_open_symbol *o, double k, double q, int64_t wave) {
  return o->open == 3 ? of_space(o, k) : o->open == 2 ? of_wire(o, k, q, wave) : of_surface(o, k, q);
}

mfft_status mfft_open_symbol_create(int open, double radius, double period, int64_t first, int64_t waves, double step,
                                    mfft_open_symbol *o) {
  *o = (mfft_open_symbol){.open = open, .radius = radius, .period = period};
  if (open != 2) return MFFT_SUCCESS;
  o->bessel = calloc((size_t)(2 * waves + 1), sizeof *o->bessel);
  if (!o->bessel) return MFFT_ERR_MEMORY;
  for (int64_t i = 0; i < waves; i++)
    if (first + i > 0) mfft_bessel_k((double)(first + i) * step * radius, o->bessel + 2 * i);
  return MFFT_SUCCESS;
}

void mfft_open_symbol_destroy(mfft_open_symbol *o) {
  free(o->bessel);
  memset(o, 0, sizeof *o);
}
