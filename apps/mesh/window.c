/* window.c: see window.h. */
#include "mesh/window.h"

#include <math.h>

#include "base/wave_number.h"

double mfft_assignment_window(int order, int64_t m, int64_t n) {
  const double sinc = mfft_sinc(m, n);
  double window = 1;
  for (int i = 0; i < order; i++) window *= sinc;
  return window;
}

/* Jing 2005, ApJ 620, 559: the sum over all aliases of sinc^2p, as a polynomial of s = sin^2(pi m / n). */
static double alias_sum(int order, double s) {
  static const double c[5][4] = {
      {1, 0, 0, 0}, {1, 0, 0, 0}, {1, -2.0 / 3, 0, 0}, {1, -1, 2.0 / 15, 0}, {1, -4.0 / 3, 2.0 / 5, -4.0 / 315}};
  return c[order][0] + s * (c[order][1] + s * (c[order][2] + s * c[order][3]));
}

double mfft_window_power(mfft_compensation compensation, int order, int64_t m, int64_t n) {
  double x = MFFT_PI * (double)m / (double)n;
  if (compensation == MFFT_COMPENSATE_NONE || order == 0 || m == 0) return 1;
  if (compensation == MFFT_COMPENSATE_JING) return alias_sum(order, sin(x) * sin(x));
  return pow(sin(x) / x, 2 * order);
}
