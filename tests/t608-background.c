// TEST labels=apps+once
// Expansion and growth factors against closed forms, Heath's integral and an integration in long double by another method.
#include "../apps/nbody/background.c"
#include "check.h"

static const mfft_cosmology einstein = {.omega_m = 1}, flat = {.omega_m = 0.3, .omega_lambda = 0.7},
                            planck = {.omega_m = 0.31, .omega_lambda = 0.69}, open = {.omega_m = 0.3},
                            closed = {.omega_m = 0.35, .omega_lambda = 0.9};

static double relative(double got, double want) { return fabs(got / want - 1); }

static mfft_background made(const mfft_cosmology *c, double omega_r) {
  mfft_background b;
  CHECK(mfft_background_create(c, omega_r, &b) == 0);
  return b;
}

/* Om = 1: D1 = a, D2 = -3/7 a^2, f1 = 1, f2 = 2. */
static void check_einstein(void) {
  mfft_background b = made(&einstein, 0);
  for (double a = 1e-5; a <= 4; a *= 1.7) {
    const mfft_growth_factors d = mfft_background_growth(&b, a);
    CHECK(relative(mfft_background_hubble(&b, a), pow(a, -1.5)) < 1e-14);
    CHECK(relative(mfft_background_hubble_slope(&b, a), -1.5) < 1e-14);
    CHECK(relative(d.d1, a) < 1e-10 && relative(d.f1, 1) < 1e-10, "a %g: %g %g", a, relative(d.d1, a), relative(d.f1, 1));
    CHECK(relative(d.d2, -3. / 7 * a * a) < 1e-9 && relative(d.f2, 2) < 1e-9, "a %g: %g", a,
          relative(d.d2, -3. / 7 * a * a));
  }
  mfft_background_free(&b);
}

/* Matter, curvature and a constant: g = E times the integral of da/(aE)^3 (Heath 1977), in long double, by the substitution
 * a = t^2 and Simpson's rule. */
static long double heath(const mfft_cosmology *c, double a) {
  enum { STEPS = 200000 };
  const long double m = c->omega_m, l = c->omega_lambda, k = 1 - m - l, h = sqrtl(a) / STEPS;
  long double sum = 0;
  for (int i = 1; i <= STEPS; i++) {
    const long double t = i * h, u = t * t;
    const long double square = m + k * u + l * u * u * u; /* of a E(a), times a */
    sum += 2 * u * u / (square * sqrtl(square)) * (i == STEPS ? 1 : i % 2 ? 4 : 2);
  }
  return sqrtl(m / powl(a, 3) + k / powl(a, 2) + l) * sum * h / 3;
}

static void check_heath(const mfft_cosmology *c) {
  mfft_background b = made(c, 0);
  const long double today = heath(c, 1);
  for (double a = 1e-3; a <= 4; a *= 2.3)
    CHECK(relative(mfft_background_growth(&b, a).d1, (double)(heath(c, a) / today)) < 1e-9, "a %g: %g", a,
          relative(mfft_background_growth(&b, a).d1, (double)(heath(c, a) / today)));
  mfft_background_free(&b);
}

/* Numbers that GADGET-4 printed, and those of Om 0.31 in documents of other codes. */
static void check_known(void) {
  mfft_background b = made(&flat, 0), p = made(&planck, 0);
  CHECK(fabs(1 / mfft_background_growth(&b, 0.5).d1 - 1.634506) < 1e-6, "%.9g", 1 / mfft_background_growth(&b, 0.5).d1);
  CHECK(fabs(1 / mfft_background_growth(&p, 1. / 51).d1 - 40.0307) < 1e-4, "%.9g",
        1 / mfft_background_growth(&p, 1. / 51).d1);
  mfft_background_free(&b);
  mfft_background_free(&p);
}

/* Matter and radiation: D1 is proportional to 1 + 3/2 a Om/Or (Meszaros 1974). */
static void check_radiation(void) {
  const mfft_cosmology c = {.omega_m = 1 - 9e-5};
  mfft_background b = made(&c, 9e-5);
  for (double a = 1e-5; a <= 1; a *= 3.1) {
    const double y = 1.5 * c.omega_m / 9e-5, got = mfft_background_growth(&b, a).d1;
    CHECK(relative(got, (1 + y * a) / (1 + y)) < 1e-9, "a %g: %g", a, relative(got, (1 + y * a) / (1 + y)));
  }
  mfft_background_free(&b);
}

/* Both equations in t = sqrt(a), in long double, by the midpoint rule with two extrapolations. */
static void midpoint(const mfft_cosmology *c, double omega_r, int steps, double end, long double y[4]) {
  const long double start = 1e-3L, h = (sqrtl(end) - start) / steps, m = c->omega_m, l = c->omega_lambda, r = omega_r,
                    k = 1 - m - l - r;
  const long double a0 = start * start, w = 1.5L * m * a0 / (r > 0 ? r : 1);
  y[0] = r > 0 ? 1 + w : a0; /* and derivatives with respect to ln a */
  y[1] = r > 0 ? w : a0;
  y[2] = r > 0 ? -3.L / 7 * y[0] * y[0] : -3.L / 7 * a0 * a0;
  y[3] = r > 0 ? 2 * y[2] * w / (1 + w) : 2 * y[2];
  for (int i = 0; i < steps; i++) {
    long double dy[4] = {0}, at[4];
    for (int half = 0; half < 2; half++) {
      const long double t = start + (i + half / 2.L) * h, a = t * t,
                        e2 = m / (a * a * a) + r / (a * a * a * a) + k / (a * a) + l;
      const long double slope = (-3 * m / (a * a * a) - 4 * r / (a * a * a * a) - 2 * k / (a * a)) / (2 * e2);
      const long double pull = 1.5L * m / (a * a * a * e2), to_t = 2 / t; /* d ln a / dt */
      for (int j = 0; j < 4; j++) at[j] = y[j] + (half ? h / 2 * dy[j] : 0);
      dy[0] = to_t * at[1];
      dy[1] = to_t * (pull * at[0] - (2 + slope) * at[1]);
      dy[2] = to_t * at[3];
      dy[3] = to_t * (pull * (at[2] - at[0] * at[0]) - (2 + slope) * at[3]);
    }
    for (int j = 0; j < 4; j++) y[j] += h * dy[j];
  }
}

static void truth(const mfft_cosmology *c, double omega_r, double end, long double y[4]) {
  enum { STEPS = 40000 };
  long double rows[3][4];
  for (int i = 0; i < 3; i++) midpoint(c, omega_r, STEPS << i, end, rows[i]);
  for (int j = 0; j < 4; j++) {
    const long double once = (4 * rows[1][j] - rows[0][j]) / 3, twice = (4 * rows[2][j] - rows[1][j]) / 3;
    y[j] = (8 * twice - once) / 7; /* the remaining error is proportional to the third power */
  }
}

static void check_second(const mfft_cosmology *c, double tolerance) {
  mfft_background b = made(c, 0);
  long double today[4], y[4];
  truth(c, 0, 1, today);
  for (double a = 0.02; a <= 2; a *= 3) {
    truth(c, 0, a, y);
    const mfft_growth_factors d = mfft_background_growth(&b, a);
    const double d2 = (double)(y[2] / (today[0] * today[0]));
    CHECK(relative(d.d2, d2) < tolerance, "D2 at %g: %g, want %g", a, d.d2, d2);
    CHECK(relative(d.f1, (double)(y[1] / y[0])) < tolerance && relative(d.f2, (double)(y[3] / y[2])) < tolerance,
          "f at %g: %.12g %.12g, want %.12g %.12g", a, d.f1, d.f2, (double)(y[1] / y[0]), (double)(y[3] / y[2]));
  }
  mfft_background_free(&b);
}

int main(void) {
  mfft_background b;
  const mfft_cosmology bounce = {.omega_m = 0.1, .omega_lambda = 3}, collapse = {.omega_m = 3};
  check_einstein();
  check_heath(&flat);
  check_heath(&open);
  check_heath(&closed);
  check_known();
  check_radiation();
  check_second(&flat, 1e-7);
  check_second(&open, 1e-6);
  check_second(&closed, 1e-6);
  CHECK(mfft_background_create(&bounce, 0, &b) != 0);
  mfft_background_free(&b);
  CHECK(mfft_background_create(&collapse, 0, &b) != 0);
  mfft_background_free(&b);
  return test_end();
}
