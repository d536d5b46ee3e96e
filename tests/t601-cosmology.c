// TEST labels=apps
// The transfer function against values of Eisenstein and Hu's own program (tf_fit.f, run in double precision), the growth
// factor against known numbers, sigma8 against an independent integral.
#include "../apps/gen/cosmology.c"
#include "../apps/gen/spectrum_table.c"
#include "check.h"

static const struct {
  double omega_m, omega_b, h, t_cmb, k, transfer; /* k in h/Mpc */
} values[] = {
    {0.3, 0.05, 0.7, 2.728, 0.0001, 0.99990653579948185},      {0.3, 0.05, 0.7, 2.728, 0.001, 0.99222804887832006},
    {0.3, 0.05, 0.7, 2.728, 0.01, 0.77950301066436611},        {0.3, 0.05, 0.7, 2.728, 0.02, 0.58083430460775298},
    {0.3, 0.05, 0.7, 2.728, 0.05, 0.26729483784353736},        {0.3, 0.05, 0.7, 2.728, 0.07, 0.20074886044899659},
    {0.3, 0.05, 0.7, 2.728, 0.1, 0.1283642002622605},          {0.3, 0.05, 0.7, 2.728, 0.2, 0.053974473211379721},
    {0.3, 0.05, 0.7, 2.728, 0.5, 0.013778547270141611},        {0.3, 0.05, 0.7, 2.728, 1, 0.004574190626602445},
    {0.3, 0.05, 0.7, 2.728, 5, 0.00029834267398888759},        {0.3, 0.05, 0.7, 2.728, 50, 4.706913973400298e-06},
    {0.31, 0.049, 0.677, 2.7255, 0.0001, 0.99990680777314578}, {0.31, 0.049, 0.677, 2.7255, 0.001, 0.99224953144833727},
    {0.31, 0.049, 0.677, 2.7255, 0.01, 0.7802105563891748},    {0.31, 0.049, 0.677, 2.7255, 0.02, 0.58319712162023563},
    {0.31, 0.049, 0.677, 2.7255, 0.05, 0.27127467793010646},   {0.31, 0.049, 0.677, 2.7255, 0.07, 0.20354723810202024},
    {0.31, 0.049, 0.677, 2.7255, 0.1, 0.13124777426944628},    {0.31, 0.049, 0.677, 2.7255, 0.2, 0.055120196454179066},
    {0.31, 0.049, 0.677, 2.7255, 0.5, 0.014117641440198172},   {0.31, 0.049, 0.677, 2.7255, 1, 0.0046930116769964923},
    {0.31, 0.049, 0.677, 2.7255, 5, 0.00030659165684869679},   {0.31, 0.049, 0.677, 2.7255, 50, 4.8420551988598707e-06},
    {0.25, 0.12, 0.5, 2.728, 0.0001, 0.99974026830448137},     {0.25, 0.12, 0.5, 2.728, 0.001, 0.98090900501812239},
    {0.25, 0.12, 0.5, 2.728, 0.01, 0.65036514920718214},       {0.25, 0.12, 0.5, 2.728, 0.02, 0.41307974851257245},
    {0.25, 0.12, 0.5, 2.728, 0.05, 0.084280967722341324},      {0.25, 0.12, 0.5, 2.728, 0.07, 0.061745286874728411},
    {0.25, 0.12, 0.5, 2.728, 0.1, 0.047222555994247406},       {0.25, 0.12, 0.5, 2.728, 0.2, 0.010723161383638463},
    {0.25, 0.12, 0.5, 2.728, 0.5, 0.0030516202484869035},      {0.25, 0.12, 0.5, 2.728, 1, 0.00096182122527934777},
    {0.25, 0.12, 0.5, 2.728, 5, 5.7032984980881606e-05},       {0.25, 0.12, 0.5, 2.728, 50, 8.3895224517938106e-07},
};

static void transfer_function(void) {
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    mfft_cosmology c = {
        .omega_m = values[i].omega_m, .omega_b = values[i].omega_b, .h = values[i].h, .t_cmb = values[i].t_cmb};
    mfft_transfer t;
    mfft_transfer_init(&t, &c);
    double got = mfft_transfer_value(&t, values[i].k);
    CHECK(fabs(got / values[i].transfer - 1) < 1e-13, "T(%g) = %.17g, want %.17g", values[i].k, got, values[i].transfer);
  }
}

/* GADGET-4 prints 1.63451 for D(1)/D(0.5), omega_m 0.3; D(1)/D(1/51) is 40.0307 for 0.31.  In an empty-of-Lambda flat
 * universe D = a exactly, and for an open one Peebles' closed form holds. */
static void growth_factor(void) {
  mfft_cosmology flat3 = {.omega_m = 0.3, .omega_lambda = 0.7}, flat31 = {.omega_m = 0.31, .omega_lambda = 0.69};
  mfft_cosmology eds = {.omega_m = 1}, open = {.omega_m = 0.3};
  CHECK(fabs(1 / mfft_growth(&flat3, 1) - 1.634506) < 1e-6, "%.9g", 1 / mfft_growth(&flat3, 1));
  CHECK(fabs(1 / mfft_growth(&flat31, 50) - 40.0307) < 1e-4, "%.9g", 1 / mfft_growth(&flat31, 50));
  for (double z = 0; z < 100; z += 9.5)
    CHECK(fabs(mfft_growth(&eds, z) * (1 + z) - 1) < 1e-12, "z = %g: %.17g", z, mfft_growth(&eds, z));
  double peebles[2];
  for (int i = 0; i < 2; i++) {
    double x = (1 / 0.3 - 1) / (1 + 3.0 * i); /* at z = 0 and 3 */
    peebles[i] = 1 + 3 / x + 3 * sqrt((1 + x) / (x * x * x)) * log(sqrt(1 + x) - sqrt(x));
  }
  CHECK(fabs(mfft_growth(&open, 3) / (peebles[1] / peebles[0]) - 1) < 1e-10, "%.17g, want %.17g", mfft_growth(&open, 3),
        peebles[1] / peebles[0]);
}

/* The normalisation by a plain sum over k, with another variable and step than the library's. */
static void normalisation(void) {
  mfft_cosmology c = {0.31, 0.049, 0.69, 0.677, 0.967, 0.81, 2.7255};
  mfft_spectrum now, then;
  mfft_spectrum_init(&now, &c, 0);
  mfft_spectrum_init(&then, &c, 9);
  double sum = 0, step = 2.5e-4;
  for (double k = step / 2; k < 30; k += step) {
    double x = 8 * k, w = 3 * (sin(x) - x * cos(x)) / (x * x * x);
    sum += step * k * k * mfft_spectrum_value(&now, k) * w * w;
  }
  double sigma = sqrt(sum / (2 * MFFT_PI * MFFT_PI));
  CHECK(fabs(sigma - 0.81) < 1e-5, "sigma8 %.9g", sigma);
  double ratio = mfft_spectrum_value(&then, 0.2) / mfft_spectrum_value(&now, 0.2), d = mfft_growth(&c, 9);
  CHECK(fabs(ratio / (d * d) - 1) < 1e-12, "P ratio %g, growth %g", ratio, d);
  CHECK(mfft_spectrum_value(&now, 0) == 0, "P(0)");
}

/* A table of the formula, with 100 rows a decade, is the formula; a power law is one with any rows. */
static void table(void) {
  enum { ROWS = 601 };
  mfft_cosmology c = {0.31, 0.049, 0.69, 0.677, 0.967, 0.81, 2.7255};
  mfft_spectrum formula, tabulated;
  mfft_spectrum_table rows;
  mfft_spectrum_init(&formula, &c, 1);
  CHECK(mfft_spectrum_table_create(ROWS, &rows) == 0, "no memory");
  for (int i = 0; i < ROWS; i++) {
    const double k = pow(10, -4 + 0.01 * i);
    rows.log_k[i] = log(k);
    rows.log_p[i] = log(5 * mfft_spectrum_value(&formula, k));
  }
  mfft_spectrum_init_table(&tabulated, &rows, 1, &c, 4);
  mfft_spectrum_init(&formula, &c, 4);
  double worst = 0;
  for (double k = 1.1e-4; k < 90; k *= 1.003)
    worst = fmax(worst, fabs(mfft_spectrum_value(&tabulated, k) / mfft_spectrum_value(&formula, k) - 1));
  CHECK(worst < 1e-4, "%.3g between rows", worst);
  c.sigma8 = NAN;
  mfft_spectrum_init_table(&tabulated, &rows, 1, &c, 4);
  const double ratio = mfft_spectrum_value(&tabulated, 0.1) / mfft_spectrum_value(&formula, 0.1);
  CHECK(fabs(ratio / 5 - 1) < 1e-5, "amplitude %.9g, want 5", ratio);
  mfft_spectrum_table_free(&rows);

  char why[MFFT_SPECTRUM_WHY_BYTES];
  CHECK(mfft_spectrum_table_read("1e-3 1e9 # P = k^-3\n\n0.5\t8 \r\n1 1", &rows, why) == 0 && rows.count == 3, "%s", why);
  for (double k = 1e-4; k < 10; k *= 1.7)
    CHECK(fabs(mfft_spectrum_table_value(&rows, k) * k * k * k - 1) < 1e-12, "k^-3 at %g: %.17g", k,
          mfft_spectrum_table_value(&rows, k));
  mfft_spectrum_table_free(&rows);
}

int main(void) {
  table();
  transfer_function();
  growth_factor();
  normalisation();
  return test_end();
}
