/* solver_verify.c: whether phi solves the equation, from the projections of the source and of phi. */
#include <math.h>

#include "poisson/poisson_solver.h"

/* The rms of the symbol of the Laplacian over all modes, by which the operator multiplies the rms of white noise. */
static double typical_eigenvalue(const mfft_greens *greens) {
  double mean[3] = {0, 0, 0}, square = 0;
  for (int a = 0; a < 3; a++)
    for (int64_t m = 0; m < greens->n[a]; m++) {
      double x = greens->laplacian[a][m], n = (double)greens->n[a];
      mean[a] += x / n;
      square += x * x / n;
    }
  return sqrt(square + 2 * (mean[0] * mean[1] + mean[1] * mean[2] + mean[2] * mean[0]));
}

double mfft_poisson_expected_rms(const mfft_poisson *p, int derivatives) {
  const double eigenvalue = typical_eigenvalue(&p->greens);
  return fabs(p->options.coefficient) * p->rms / (derivatives ? sqrt(eigenvalue) : eigenvalue);
}

mfft_poisson_check mfft_poisson_verify(mfft_poisson *p) {
  /* Relative L2 error of one transform divided by sqrt(log2 N), as the tests of the library bound it. */
  static const double bounds[] = {
      [MFFT_DOUBLE] = 4e-16, [MFFT_SINGLE] = 1.7e-7, [MFFT_HALF] = 3e-4, [MFFT_BFLOAT16] = 2.6e-3};
  double error = 0, projected = 0;
  mfft_projection_gather(&p->source_share);
  mfft_projection_gather(&p->phi_share);
  /* Both sides are divided by c, so that its size does not matter; with c = 0 phi is 0. */
  const double c = p->options.coefficient, unit = c != 0 ? 1 / c : 1, whole = c != 0 ? p->rms * sqrt(p->cells) : 0;
  for (int i = 0; i < MFFT_PROJECTIONS; i++) {
    const double source = c != 0 ? mfft_projection_value(&p->source_share, i) : 0;
    const double difference = unit * mfft_projection_value(&p->phi_share, i) - source;
    error += difference * difference / MFFT_PROJECTIONS;
    projected += source * source / MFFT_PROJECTIONS;
  }
  double rhs = mfft_greens_unfiltered(&p->options.greens) ? whole : sqrt(projected);
  double one = bounds[p->precision] * sqrt(fmax(1, log2(p->cells)));
  mfft_poisson_check check = {0, 0, 1};
  if (rhs == 0) rhs = whole; /* a filter has left nothing of the source but rounding, which is that of the source */
  if (rhs > 0) {
    check.residual = sqrt(error) / rhs;
    /* A filter removes less of the rounding error of the source than of the source, so rhs is the filtered source here. */
    check.explained = one * (1 + (whole + typical_eigenvalue(&p->greens) * p->phi_rms * sqrt(p->cells)) / rhs);
  } else
    check.residual = sqrt(error);
  check.passed = isfinite(check.residual) && check.residual <= 4 * check.explained;
  return check;
}
