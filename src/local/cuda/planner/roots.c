/* roots.c: see roots.h. */
#include "local/cuda/planner/roots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The angle 2 pi k / n reduced to the first octant: it is 2 pi eighths / (8 n), 0 <= eighths <= n, and three flags say by
 * which reflections it was reduced. */
typedef struct octant {
  int64_t eighths;
  int below, left, steep;
} octant;

static octant octant_of(int64_t k, int64_t n) {
  octant o = {.eighths = k % n};
  if (o.eighths < 0) o.eighths += n;
  o.eighths *= 8;
  if (o.eighths > 4 * n) o.eighths = 8 * n - o.eighths, o.below = 1;
  if (o.eighths > 2 * n) o.eighths = 4 * n - o.eighths, o.left = 1;
  if (o.eighths > n) o.eighths = 2 * n - o.eighths, o.steep = 1;
  return o;
}

static void from_octant(const octant *o, double c, double s, int sign, double *re, double *im) {
  *re = o->steep ? s : c;
  *im = o->steep ? c : s;
  if (o->left) *re = -*re;
  if (o->below) *im = -*im;
  if (sign < 0) *im = -*im;
}

void mfft_root(int64_t k, int64_t n, int sign, double *re, double *im) {
  const octant o = octant_of(k, n);
  const double angle = 3.14159265358979323846 * ((double)o.eighths / (double)(4 * n));
  const int diagonal = o.eighths == n;
  from_octant(&o, diagonal ? sqrt(0.5) : cos(angle), diagonal ? sqrt(0.5) : sin(angle), sign, re, im);
}

void mfft_root_rounded(int64_t k, int64_t n, int sign, double *re, double *im) {
  const octant o = octant_of(k, n);
  const long double angle = 3.14159265358979323846264338327950288L * (long double)o.eighths / (long double)(4 * n);
  from_octant(&o, (double)cosl(angle), (double)sinl(angle), sign, re, im);
}

void mfft_table_put_rest(const mfft_kernel *kernel, mfft_table *table, int64_t i, int64_t k, int64_t n) {
  const octant o = octant_of(k, n);
  const long double angle = 3.14159265358979323846264338327950288L * (long double)o.eighths / (long double)(4 * n);
  const long double c = cosl(angle), s = sinl(angle);
  double re, im;
  if (kernel->precision == MFFT_DOUBLE) {
    from_octant(&o, (double)(c - (double)c), (double)(s - (double)s), kernel->sign, &re, &im);
    ((double *)table->data)[2 * i] = re;
    ((double *)table->data)[2 * i + 1] = im;
  } else {
    from_octant(&o, (double)(c - (float)c), (double)(s - (float)s), kernel->sign, &re, &im);
    ((float *)table->data)[2 * i] = (float)re;
    ((float *)table->data)[2 * i + 1] = (float)im;
  }
}

void mfft_table_put(const mfft_kernel *kernel, mfft_table *table, int64_t i, int64_t k, int64_t n, double factor) {
  double re, im;
  if (kernel->precision == MFFT_DOUBLE) {
    mfft_root_rounded(k, n, kernel->sign, &re, &im);
    ((double *)table->data)[2 * i] = re * factor;
    ((double *)table->data)[2 * i + 1] = im * factor;
  } else {
    mfft_root(k, n, kernel->sign, &re, &im);
    ((float *)table->data)[2 * i] = (float)(re * factor);
    ((float *)table->data)[2 * i + 1] = (float)(im * factor);
  }
}

void mfft_table_put_number(const mfft_kernel *kernel, mfft_table *table, int64_t i, long double re, long double im) {
  if (kernel->precision == MFFT_DOUBLE)
    ((double *)table->data)[2 * i] = (double)re, ((double *)table->data)[2 * i + 1] = (double)im;
  else
    ((float *)table->data)[2 * i] = (float)re, ((float *)table->data)[2 * i + 1] = (float)im;
}

mfft_status mfft_table_make(const mfft_kernel *kernel, int64_t count, mfft_table *table) {
  table->bytes = (size_t)count * (size_t)value_bytes(kernel->precision);
  table->data = count ? malloc(table->bytes) : NULL;
  if (count && !table->data) return mfft_fail(MFFT_ERR_MEMORY, "twiddles: no memory for %lld roots", (long long)count);
  return MFFT_SUCCESS;
}

mfft_status mfft_table_roots(const mfft_kernel *kernel, int64_t length, int64_t count, int64_t step, mfft_table *table) {
  MFFT_TRY(mfft_table_make(kernel, count, table));
  for (int64_t i = 0; i < count; i++) mfft_table_put(kernel, table, i, i * step, length, 1);
  return MFFT_SUCCESS;
}

int mfft_outer_shift(int64_t length) {
  int shift = 0;
  while (((int64_t)1 << (2 * shift)) < length) shift++;
  return shift;
}

uint16_t mfft_round_bfloat(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

uint16_t mfft_round_half(double x) {
  uint16_t sign = signbit(x) ? 0x8000 : 0;
  int exponent;
  double a = fabs(x), m = frexp(a, &exponent); /* a = m 2^exponent, m in [1/2, 1) */
  if (a == 0) return sign;
  if (exponent < -13) m = ldexp(m, exponent + 13), exponent = -13; /* subnormal: fixed spacing of 2^-24 */
  double units = nearbyint(ldexp(m, 11));                          /* 11 bits, ties to even */
  int biased = exponent + 14;
  if (exponent == -13 && units < 1024) return (uint16_t)(sign | (uint16_t)units);
  if (units == 2048) units = 1024, biased++;
  if (biased >= 31) return sign | 0x7c00;
  return (uint16_t)(sign | biased << 10 | ((int)units - 1024));
}
