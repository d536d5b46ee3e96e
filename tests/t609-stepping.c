// TEST labels=apps
// Kick and drift factors.  A particle in perturbation theory is the pair of coefficients of s1 and s2: with x = (c1, c2) the
// force is 3/2 Om (c1, c2 - c1^2).  With these equations leapfrog must converge to D1 and D2 with the second order, FastPM
// have D1 exactly after any steps, COLA have no residual motion, and BullFrog have the speed of 2LPT exactly after one step
// and, for Om = 1, D2 after any steps.
#include "../apps/nbody/background.c"
#include "../apps/nbody/stepping.c"
#include "check.h"

static const mfft_cosmology einstein = {.omega_m = 1}, flat = {.omega_m = 0.3, .omega_lambda = 0.7};

static double relative(double got, double want) { return fabs(got / want - 1); }

static void check_integrals(void) {
  mfft_background b, l;
  double keep = 0;
  CHECK(mfft_background_create(&einstein, 0, &b) == 0 && mfft_background_create(&flat, 0, &l) == 0);
  const mfft_stepping *s = &mfft_steppings[0];
  for (double a = 0.01; a < 0.9; a *= 2) {
    const double c = a + 0.1;
    CHECK(relative(s->drift(&b, a, c, 0), 2 / sqrt(a) - 2 / sqrt(c)) < 1e-12);
    CHECK(relative(s->kick(&b, a, c, 0, &keep), 2 * sqrt(c) - 2 * sqrt(a)) < 1e-12 && keep == 1);
    long double drift = 0, kick = 0;
    enum { STEPS = 100000 };
    for (int i = 0; i < STEPS; i++) { /* the midpoint rule, whose error is 1e-10 */
      const long double x = a + (c - a) * (i + 0.5L) / STEPS, e = sqrtl(0.3L / (x * x * x) + 0.7L);
      drift += (c - a) / STEPS / (x * x * x * e);
      kick += (c - a) / STEPS / (x * x * e);
    }
    CHECK(relative(s->drift(&l, a, c, 0), (double)drift) < 1e-8, "%g", relative(s->drift(&l, a, c, 0), (double)drift));
    CHECK(relative(s->kick(&l, a, c, 0, &keep), (double)kick) < 1e-8);
    /* COLA: the integral of a^-2.5 / (a^3 E) over ar^-2.5, and the same ansatz for the kick, for Om = 1. */
    const double ar = 0.5 * (a + c), fall = pow(ar, 2.5);
    CHECK(relative(mfft_steppings[2].drift(&b, a, c, ar), fall / 3 * (pow(a, -3) - pow(c, -3))) < 1e-10);
    CHECK(relative(mfft_steppings[2].kick(&b, a, c, ar, &keep),
                   (pow(a, -2.5) - pow(c, -2.5)) / 2.5 * pow(ar, 3.5) / sqrt(ar)) < 1e-12);
  }
  mfft_background_free(&b);
  mfft_background_free(&l);
}

/* Coefficients of s1 and s2. */
typedef struct particle {
  double x[2], p[2];
} particle;

static particle start(const mfft_background *b, double a) {
  const mfft_growth_factors d = mfft_background_growth(b, a);
  particle y = {{d.d1, d.d2}, {0, 0}};
  mfft_lpt_momentum(b, a, y.p);
  return y;
}

static void drift(const mfft_background *b, const mfft_stepping *s, double a0, double a1, double ar, particle *y) {
  for (int i = 0; i < 2; i++) y->x[i] += s->drift(b, a0, a1, ar) * y->p[i];
  if (!s->with_lpt) return;
  const mfft_growth_factors d0 = mfft_background_growth(b, a0), d1 = mfft_background_growth(b, a1);
  y->x[0] += d1.d1 - d0.d1;
  y->x[1] += d1.d2 - d0.d2;
}

static void kick(const mfft_background *b, const mfft_stepping *s, double a0, double a1, double ar, particle *y) {
  double keep, lpt_acceleration[2] = {0, 0};
  const double factor = s->kick(b, a0, a1, ar, &keep), om = 1.5 * b->omega_m;
  const double g[2] = {om * y->x[0], om * (y->x[1] - y->x[0] * y->x[0])};
  if (s->with_lpt) mfft_lpt_acceleration(b, ar, lpt_acceleration);
  for (int i = 0; i < 2; i++) y->p[i] = keep * y->p[i] + factor * (g[i] - lpt_acceleration[i]);
}

/* Steps of equal length in a, from 0.02 to 1: drift-kick-drift, or kick-drift-kick. */
static particle run(const mfft_background *b, const mfft_stepping *s, int steps) {
  const double first = 0.02;
  particle y = start(b, first);
  if (s->with_lpt) y.p[0] = y.p[1] = 0;
  for (int i = 0; i < steps; i++) {
    const double a0 = first + (1 - first) * i / steps, a1 = first + (1 - first) * (i + 1) / steps;
    const double am = s->drift_kick ? mfft_stepping_middle(b, a0, a1) : 0.5 * (a0 + a1);
    if (s->drift_kick) {
      drift(b, s, a0, am, a0, &y);
      kick(b, s, a0, a1, am, &y);
      drift(b, s, am, a1, a1, &y);
    } else {
      kick(b, s, a0, am, a0, &y);
      drift(b, s, a0, a1, am, &y);
      kick(b, s, am, a1, a1, &y);
    }
  }
  return y;
}

static void check_convergence(const mfft_background *b) {
  const mfft_growth_factors d = mfft_background_growth(b, 1);
  for (int i = 0; i < MFFT_STEPPINGS; i++) {
    const mfft_stepping *s = &mfft_steppings[i];
    const particle coarse = run(b, s, 100), fine = run(b, s, 200);
    const double wrong[2] = {fabs(coarse.x[1] - d.d2), fabs(fine.x[1] - d.d2)};
    const int exact = s->with_lpt || (s->drift_kick && b->omega_lambda == 0); /* D2 is a parabola in D1 for Om = 1 */
    if (exact)
      CHECK(wrong[0] < 1e-9, "%s: D2 is wrong by %g", s->name, wrong[0]);
    else
      CHECK(wrong[0] / wrong[1] > 3.6 && wrong[0] / wrong[1] < 4.6, "%s: D2 is wrong by %g and %g", s->name, wrong[0],
            wrong[1]);
    const double first = fabs(run(b, s, 7).x[0] - d.d1);
    CHECK(i == 0 ? first > 1e-3 : first < 1e-9, "%s: D1 is wrong by %g after 7 steps", s->name, first);
  }
}

static void check_bullfrog(const mfft_background *b) {
  const mfft_stepping *s = &mfft_steppings[3];
  for (double a0 = 0.02; a0 < 0.8; a0 *= 3) {
    const double a1 = a0 + 0.15, am = mfft_stepping_middle(b, a0, a1);
    particle y = start(b, a0);
    double lpt_momentum[2];
    drift(b, s, a0, am, a0, &y);
    CHECK(relative(y.x[0], 0.5 * (mfft_background_growth(b, a0).d1 + mfft_background_growth(b, a1).d1)) < 1e-10);
    kick(b, s, a0, a1, am, &y);
    mfft_lpt_momentum(b, a1, lpt_momentum);
    CHECK(relative(y.p[0], lpt_momentum[0]) < 1e-9 && relative(y.p[1], lpt_momentum[1]) < 1e-9, "%g and %g, want %g and %g",
          y.p[0], y.p[1], lpt_momentum[0], lpt_momentum[1]);
  }
}

int main(void) {
  mfft_background b, e;
  check_integrals();
  CHECK(mfft_background_create(&flat, 0, &b) == 0 && mfft_background_create(&einstein, 0, &e) == 0);
  check_convergence(&b);
  check_convergence(&e);
  check_bullfrog(&b);
  check_bullfrog(&e);
  mfft_background_free(&b);
  mfft_background_free(&e);
  return test_end();
}
