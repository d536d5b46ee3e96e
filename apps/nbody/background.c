/* background.c: see background.h. */
#include "nbody/background.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/hermite.h"

static const double first_a = 1e-8; /* scale factor at which the integration begins */

static double square(const mfft_background *b, double a) {
  return ((b->omega_m + b->omega_k * a) * a + b->omega_r) / (a * a * a * a) + b->omega_lambda;
}

double mfft_background_hubble(const mfft_background *b, double a) { return sqrt(square(b, a)); }

double mfft_background_matter(const mfft_background *b, double a) { return b->omega_m / (a * a * a * square(b, a)); }

double mfft_background_hubble_slope(const mfft_background *b, double a) {
  const double slope = ((-3 * b->omega_m - 2 * b->omega_k * a) * a - 4 * b->omega_r) / (a * a * a * a);
  return slope / (2 * square(b, a));
}

/* Derivatives of y = (D1, D1', D2, D2') with respect to ln a. */
static void derive(const mfft_background *b, double log_a, const double y[4], double dy[4]) {
  const double a = exp(log_a), drag = 2 + mfft_background_hubble_slope(b, a), source = 1.5 * mfft_background_matter(b, a);
  dy[0] = y[1];
  dy[1] = source * y[0] - drag * y[1];
  dy[2] = y[3];
  dy[3] = source * (y[2] - y[0] * y[0]) - drag * y[3];
}

/* A step of the classical Runge-Kutta method. */
static void advance(const mfft_background *b, double log_a, double h, const double y[4], double next[4]) {
  static const double place[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double k[4] = {0}, at[4]; /* D1, D1', D2, D2' */
  memcpy(next, y, 4 * sizeof *y);
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < 4; i++) at[i] = y[i] + place[stage] * h * k[i];
    derive(b, log_a + place[stage] * h, at, k);
    for (int i = 0; i < 4; i++) next[i] += weight[stage] * h * k[i];
  }
}

/* Initial values: the growing mode in the radiation era, or in the matter era without radiation.  With radiation D2 may
 * begin at any value far below D1^2, since the solution soon no longer depends on it. */
static void begin(const mfft_background *b, double y[4]) {
  if (b->omega_r > 0) {
    const double matter = 1.5 * first_a * b->omega_m / b->omega_r;
    y[0] = 1 + matter;
    y[1] = matter;
    y[2] = y[3] = 0;
  } else {
    y[0] = y[1] = first_a;
    y[2] = -3. / 7 * first_a * first_a;
    y[3] = 2 * y[2];
  }
}

static int make_table(mfft_background *b) {
  enum { FINE = 4 };    /* steps of the integration for each step of the table */
  double y[4], next[4]; /* D1, D1', D2, D2' */
  b->node = malloc((size_t)b->count * sizeof y);
  if (!b->node) return -1;
  begin(b, y);
  for (int i = 0; i < b->count; i++) {
    memcpy(b->node + 4 * i, y, sizeof y);
    for (int j = 0; j < FINE; j++) {
      advance(b, log(first_a) + (i + (double)j / FINE) * b->step, b->step / FINE, y, next);
      memcpy(y, next, sizeof y);
    }
  }
  const double d = b->node[4 * MFFT_BACKGROUND_STEPS];
  for (int i = 0; i < b->count; i++)
    for (int j = 0; j < 4; j++) b->node[4 * i + j] /= j < 2 ? d : d * d;
  return 0;
}

int mfft_background_create(const mfft_cosmology *c, double omega_r, mfft_background *b) {
  *b = (mfft_background){.omega_m = c->omega_m, .omega_r = omega_r, .omega_lambda = c->omega_lambda};
  b->omega_k = 1 - c->omega_m - omega_r - c->omega_lambda;
  b->step = -log(first_a) / MFFT_BACKGROUND_STEPS;
  b->count = MFFT_BACKGROUND_STEPS + (int)ceil(log(MFFT_BACKGROUND_A_MAX) / b->step) + 2;
  for (int i = 0; i < b->count + 4; i++)
    if (!(square(b, exp(log(first_a) + i * b->step)) > 0)) return -1;
  return make_table(b);
}

void mfft_background_free(mfft_background *b) {
  free(b->node);
  b->node = NULL;
}

mfft_growth_factors mfft_background_growth(const mfft_background *b, double a) {
  const double place = MFFT_BACKGROUND_STEPS + log(a) / b->step;
  int i = (int)place;
  i = i < 0 ? 0 : i > b->count - 2 ? b->count - 2 : i;
  const double *left = b->node + 4 * i, *right = left + 4, h = b->step;
  double slope[2][4], value[4];                    /* [end of the step]{D1, D1', D2, D2'} */
  derive(b, log(first_a) + i * h, left, slope[0]); /* the scaled D1 and D2 obey the same equations */
  derive(b, log(first_a) + (i + 1) * h, right, slope[1]);
  for (int j = 0; j < 4; j++) value[j] = mfft_hermite(place - i, left[j], h * slope[0][j], right[j], h * slope[1][j]);
  return (mfft_growth_factors){value[0], value[2], value[1] / value[0], value[3] / value[2]};
}
