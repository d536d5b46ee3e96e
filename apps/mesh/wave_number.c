/* wave_number.c: see wave_number.h. */
#include "mesh/wave_number.h"

#include <math.h>

int64_t mfft_signed_mode(int64_t m, int64_t n) {
  m %= n;
  if (m < 0) m += n;
  return 2 * m > n ? m - n : m;
}

int mfft_is_nyquist(int64_t m, int64_t n) { return n % 2 == 0 && mfft_signed_mode(m, n) == n / 2; }

double mfft_sin_pi(int64_t a, int64_t n) {
  a %= 2 * n;
  if (a > n) a -= 2 * n;
  if (a < -n) a += 2 * n;
  if (2 * a > n) a = n - a;
  if (2 * a < -n) a = -n - a;
  return sin(MFFT_PI * (double)a / (double)n);
}
