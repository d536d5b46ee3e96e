/* wave_number.h: wave numbers of one axis of a periodic mesh, sines of their phases, and the symbols of derivatives.
 *
 * n cells of width h; m is an integer wave number, taken modulo n, so that both 0..n-1 and signed wave numbers are valid. */
#ifndef MFFT_BASE_WAVE_NUMBER_H
#define MFFT_BASE_WAVE_NUMBER_H

#include <math.h>
#include <stdint.h>

#define MFFT_PI 3.14159265358979323846264338327950288

/* The wave number in (-n/2, n/2] that equals m modulo n. */
static inline int64_t mfft_signed_mode(int64_t m, int64_t n) {
  m %= n;
  if (m < 0) m += n;
  return 2 * m > n ? m - n : m;
}

/* 1 for the Nyquist wave number n/2 of an even n. */
static inline int mfft_is_nyquist(int64_t m, int64_t n) { return n % 2 == 0 && mfft_signed_mode(m, n) == n / 2; }

/* sin(pi a / n).  The argument is reduced to [-1/2, 1/2] in integers, so that zeros are exact. */
static inline double mfft_sin_pi(int64_t a, int64_t n) {
  a %= 2 * n;
  if (a > n) a -= 2 * n;
  if (a < -n) a += 2 * n;
  if (2 * a > n) a = n - a;
  if (2 * a < -n) a = -n - a;
  return sin(MFFT_PI * (double)a / (double)n);
}

/* sin(w/2) / (w/2) with w = 2 pi m / n and the signed wave number: the window that mass assignment to the nearest mesh point
 * (NGP) leaves on a spectrum; its powers are the windows of higher orders; 1 at m = 0. */
static inline double mfft_sinc(int64_t m, int64_t n) {
  const int64_t k = mfft_signed_mode(m, n);
  return k == 0 ? 1 : mfft_sin_pi(k, n) / (MFFT_PI * (double)k / (double)n);
}

/* k = 2 pi m / (n h), with the signed wave number. */
static inline double mfft_angular_wave_number(int64_t m, int64_t n, double h) {
  return 2 * MFFT_PI * (double)mfft_signed_mode(m, n) / ((double)n * h);
}

/* Symbol of minus the second derivative, >= 0.  order: 0: spectral, k^2; 2, 4: order of the stencil of three or five points,
 * 4 s^2 / h^2 or 4 s^2 (1 + s^2/3) / h^2 with s = sin(k h / 2). */
static inline double mfft_second_symbol(int order, int64_t m, int64_t n, double h) {
  const double k = mfft_angular_wave_number(m, n, h), s = mfft_sin_pi(mfft_signed_mode(m, n), n),
               second = 4 * s * s / (h * h);
  return order == 0 ? k * k : order == 2 ? second : second * (1 + s * s / 3);
}

/* g of the symbol i g of the first derivative.  order: 0: spectral, k; 4: of the stencil of five points, (8 sin(k h) -
 * sin(2 k h)) / (6 h).  0 at the Nyquist wave number, which is its own mirror image, since g is odd. */
static inline double mfft_first_symbol(int order, int64_t m, int64_t n, double h) {
  if (mfft_is_nyquist(m, n)) return 0;
  if (order == 0) return mfft_angular_wave_number(m, n, h);
  m = mfft_signed_mode(m, n);
  return (8 * mfft_sin_pi(2 * m, n) - mfft_sin_pi(4 * m, n)) / (6 * h);
}

#endif
