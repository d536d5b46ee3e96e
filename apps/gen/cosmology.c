/* cosmology.c: see cosmology.h.  Equation numbers are those of Eisenstein and Hu, ApJ 496, 605 (1998). */
#include "gen/cosmology.h"

#include <math.h>

#include "base/wave_number.h"
#include "gen/gravity.h"

void mfft_transfer_init(mfft_transfer *t, const mfft_cosmology *c) {
  double om = c->omega_m * c->h * c->h; /* Omega_0 h^2 and Omega_b h^2 */
  double ob = c->omega_b * c->h * c->h;
  double fb = c->omega_b / c->omega_m;
  double theta = c->t_cmb / 2.7;
  double theta2 = theta * theta, theta4 = theta2 * theta2;

  double z_equality = 2.50e4 * om / theta4; /* (2) */
  t->k_equality = 7.46e-2 * om / theta2;    /* (3) */
  double b1 = 0.313 * pow(om, -0.419) * (1 + 0.607 * pow(om, 0.674));
  double b2 = 0.238 * pow(om, 0.223);
  double z_drag = 1291 * pow(om, 0.251) / (1 + 0.659 * pow(om, 0.828)) * (1 + b1 * pow(ob, b2)); /* (4) */
  double r_drag = 31.5 * ob / theta4 * (1e3 / (1 + z_drag));                                     /* (5) */
  double r_equality = 31.5 * ob / theta4 * (1e3 / z_equality);
  t->sound_horizon = 2 / (3 * t->k_equality) * sqrt(6 / r_equality) *
                     log((sqrt(1 + r_drag) + sqrt(r_drag + r_equality)) / (1 + sqrt(r_equality))); /* (6) */
  t->k_silk = 1.6 * pow(ob, 0.52) * pow(om, 0.73) * (1 + pow(10.4 * om, -0.95));                   /* (7) */

  double a1 = pow(46.9 * om, 0.670) * (1 + pow(32.1 * om, -0.532)); /* (11) */
  double a2 = pow(12.0 * om, 0.424) * (1 + pow(45.0 * om, -0.582));
  t->alpha_c = pow(a1, -fb) * pow(a2, -fb * fb * fb);
  double c1 = 0.944 / (1 + pow(458 * om, -0.708)); /* (12) */
  double c2 = pow(0.395 * om, -0.0266);
  t->beta_c = 1 / (1 + c1 * (pow(1 - fb, c2) - 1));

  double y = z_equality / (1 + z_drag); /* (14), (15); as in the authors' code, z_equality is 1 + z_equality */
  double root = sqrt(1 + y);
  double g = y * (-6 * root + (2 + 3 * y) * log((root + 1) / (root - 1)));
  t->alpha_b = 2.07 * t->k_equality * t->sound_horizon * pow(1 + r_drag, -0.75) * g;
  t->beta_node = 8.41 * pow(om, 0.435);                                  /* (23) */
  t->beta_b = 0.5 + fb + (3 - 2 * fb) * sqrt(17.2 * om * 17.2 * om + 1); /* (24) */
  t->f_baryon = fb;
  t->h = c->h;
}

/* (19), (20): the transfer function without baryons for a given alpha and beta. */
static double pressureless(double q, double alpha, double beta) {
  double l = log(2.718281828459045 + 1.8 * beta * q);
  double c = 14.2 / alpha + 386 / (1 + 69.9 * pow(q, 1.08));
  return l / (l + c * q * q);
}

double mfft_transfer_value(const mfft_transfer *t, double k_h) {
  double k = k_h * t->h;
  if (k <= 0) return 1;
  double q = k / (13.41 * t->k_equality); /* (10) */
  double ks = k * t->sound_horizon;
  double f = 1 / (1 + pow(ks / 5.4, 4));                                                              /* (18) */
  double cold = f * pressureless(q, 1, t->beta_c) + (1 - f) * pressureless(q, t->alpha_c, t->beta_c); /* (17) */
  double x = ks / cbrt(1 + pow(t->beta_node / ks, 3));                                                /* k times (22) */
  double envelope = pressureless(q, 1, 1) / (1 + ks / 5.2 * (ks / 5.2)) +
                    t->alpha_b / (1 + pow(t->beta_b / ks, 3)) * exp(-pow(k / t->k_silk, 1.4));
  double baryons = (x > 1e-4 ? sin(x) / x : 1 - x * x / 6) * envelope; /* (21) */
  return t->f_baryon * baryons + (1 - t->f_baryon) * cold;             /* (16) */
}

/* The integral of da / (a H)^3 from 0 to a with H0 = 1, by Simpson's rule in t = sqrt(a), where the integrand is smooth. */
static double growth_integral(const mfft_cosmology *c, double a) {
  enum { STEPS = 4096 };
  double curvature = 1 - c->omega_m - c->omega_lambda;
  double step = sqrt(a) / STEPS, sum = 0;
  for (int i = 0; i <= STEPS; i++) {
    double t = i * step, t2 = t * t;
    double f = 2 * t2 * t2 * pow(c->omega_m + curvature * t2 + c->omega_lambda * t2 * t2 * t2, -1.5);
    sum += f * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
  }
  return sum * step / 3;
}

static double growth(const mfft_cosmology *c, double a) {
  double curvature = 1 - c->omega_m - c->omega_lambda;
  double hubble = sqrt(c->omega_m / (a * a * a) + curvature / (a * a) + c->omega_lambda);
  return hubble * growth_integral(c, a);
}

double mfft_growth(const mfft_cosmology *c, double redshift) { return growth(c, 1 / (1 + redshift)) / growth(c, 1); }

double mfft_spectrum_value(const mfft_spectrum *s, double k) {
  if (k <= 0) return 0;
  if (s->table.count) return s->amplitude * mfft_spectrum_table_value(&s->table, k);
  double transfer = mfft_transfer_value(&s->transfer, k);
  return s->amplitude * pow(k, s->ns) * transfer * transfer;
}

/* The Fourier transform of a ball of radius 1: 3 (sin x - x cos x) / x^3. */
static double top_hat(double x) {
  if (x < 1e-2) return 1 - x * x / 10 * (1 - x * x / 28);
  return 3 * (sin(x) - x * cos(x)) / (x * x * x);
}

double mfft_spectrum_sigma(const mfft_spectrum *s, double radius) {
  enum { STEPS = 20000 };
  double lo = log(1e-5 / radius), hi = log(3e2 / radius), sum = 0;
  if (s->table.count) {
    lo = fmax(lo, s->table.log_k[0]);
    hi = fmin(hi, s->table.log_k[s->table.count - 1]);
  }
  for (int i = 0; i <= STEPS; i++) {
    double k = exp(lo + (hi - lo) * i / STEPS);
    double w = top_hat(k * radius);
    double f = k * k * k * mfft_spectrum_value(s, k) * w * w;
    sum += f * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
  }
  return sqrt(sum * (hi - lo) / (3.0 * STEPS) / (2 * MFFT_PI * MFFT_PI));
}

void mfft_spectrum_init(mfft_spectrum *s, const mfft_cosmology *c, double redshift) {
  *s = (mfft_spectrum){.ns = c->ns, .amplitude = 1};
  mfft_transfer_init(&s->transfer, c);
  double sigma = mfft_spectrum_sigma(s, 8);
  double d = mfft_growth(c, redshift);
  s->amplitude = c->sigma8 * c->sigma8 / (sigma * sigma) * d * d;
}

void mfft_spectrum_init_table(mfft_spectrum *s, const mfft_spectrum_table *table, double made, const mfft_cosmology *c,
                              double redshift) {
  *s = (mfft_spectrum){.amplitude = 1, .table = *table};
  const double now = isnan(c->sigma8) ? mfft_growth(c, made) : mfft_spectrum_sigma(s, 8) / c->sigma8;
  s->amplitude = pow(mfft_growth(c, redshift) / now, 2);
}

double mfft_critical_density(void) { return 3 * 100.0 * 100.0 / (8 * MFFT_PI * MFFT_GRAVITY); }
