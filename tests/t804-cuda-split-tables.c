// TEST
/* The matrices of kernels/split/split.cu: the parts of each number add up to it, and products with the layouts of mma.cuh,
 * preceded by the sums and differences of product.cuh, are the DFT of each butterfly. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <complex.h>

#include "local/cuda/engines/split.h"
#include "local/host/half.h"

/* Element (row, k) of the 16 x 16 real matrix of parity `odd`, parts added; the largest of its low parts in *low. */
static double element(const mfft_kernel *k, const void *table, int odd, int row, int column, double *low) {
  int lane = row % 8 * 4, second = row / 8, input = column / 2, im = column % 2;
  double sum = 0, sign = 1;
  if (k->precision == MFFT_DOUBLE) /* rows hold re and im; the matrix is (re, -im; im, re) */
    sign = !second && im ? -1 : 1;
  for (int part = 0; part < 2; part++) {
    const char *at = (const char *)table + ((size_t)(2 * odd + part) * 32 + (size_t)(lane + input % 4)) * 16;
    double x = 0;
    if (k->precision == MFFT_DOUBLE)
      x = part == input / 4 ? ((const double *)at)[second ^ im] : 0;
    else
      x = (double)mfft_half_to_float(((const uint16_t *)at)[2 * (second + 2 * (input / 4)) + im]);
    if (part && k->precision == MFFT_SINGLE && fabs(x) > *low) *low = fabs(x);
    sum += sign * x;
  }
  return sum;
}

static void check_kernel(mfft_kernel *k, int r) {
  mfft_table table = {0};
  k->chain.radix[0] = r;
  CHECK_OK(mfft_split_matrices(k, &table));
  double complex in[16], out[16];
  double worst = 0, low = 0;
  uint64_t seed = (uint64_t)r;
  for (int i = 0; i < 16; i++) in[i] = CMPLX(test_random(&seed), test_random(&seed));
  const int w = 16 / r;
  for (int odd = 0; odd < 2; odd++)
    for (int g = 0; g < 8; g++) {
      double part[2] = {0, 0}; /* re, im */
      for (int column = 0; column < 16; column++) {
        double complex x = odd ? in[column / 2] - in[column / 2 + 8] : in[column / 2] + in[column / 2 + 8];
        for (int i = 0; i < 2; i++)
          part[i] += element(k, table.data, odd, g + 8 * i, column, &low) * (column % 2 ? cimag(x) : creal(x));
      }
      out[(2 * (g / w) + odd) * w + g % w] = CMPLX(part[0], part[1]);
    }
  for (int u = 0; u < w; u++)
    for (int q = 0; q < r; q++) {
      double complex truth = 0;
      for (int a = 0; a < r; a++) {
        double re, im;
        mfft_root((int64_t)q * a, r, k->sign, &re, &im);
        truth += in[a * w + u] * CMPLX(re, im);
      }
      worst = fmax(worst, cabs(out[q * w + u] - truth));
    }
  double bound = k->precision == MFFT_DOUBLE ? 4e-15 : 6e-7; /* 16 numbers below 1, off by 2^-25 each */
  CHECK(worst < bound, "radix %d, precision %d: off by %.1e", r, k->precision, worst);
  if (k->precision == MFFT_SINGLE) CHECK(low <= ldexp(1, -12), "radix %d: a low part of %.1e", r, low);
  free(table.data);
}

/* Twiddles between merges: a row for each output, divided by the radix if halves are multiplied. */
static void check_merges(mfft_precision precision) {
  mfft_kernel k = {.engine = MFFT_ENGINE_SPLIT, .precision = precision, .chain = {.n = 512, .merges = 3}, .sign = -1};
  k.chain.radix[0] = k.chain.radix[1] = 16, k.chain.radix[2] = 2;
  mfft_table table = {0};
  CHECK_OK(mfft_split_merges(&k, &table));
  int single = precision == MFFT_SINGLE;
  double factor = single ? 1.0 / 16 : 1, worst = 0;
  CHECK(table.bytes == (512 + 32) * (single ? 8 : 16), "%zu bytes", table.bytes);
  for (int q = 0; q < 16; q++)
    for (int p = 0; p < 32; p++) {
      double truth[2];
      (single ? mfft_root : mfft_root_rounded)(p * q, 512, -1, &truth[0], &truth[1]);
      for (int i = 0; i < 2; i++) {
        int at = 2 * (q * 32 + p) + i;
        double x = single ? (double)((const float *)table.data)[at] : ((const double *)table.data)[at];
        worst = fmax(worst, fabs(x - factor * truth[i]));
      }
    }
  CHECK(worst <= (single ? ldexp(factor, -25) : 0), "off by %.1e", worst);
  free(table.data);
}

int main(void) {
  for (int r = 2; r <= 16; r *= 2)
    for (int sign = -1; sign < 2; sign += 2)
      for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
        mfft_kernel k = {.engine = MFFT_ENGINE_SPLIT, .precision = (mfft_precision)p, .chain.merges = 1, .sign = sign};
        check_kernel(&k, r);
      }
  check_merges(MFFT_SINGLE);
  check_merges(MFFT_DOUBLE);
  return test_end();
}
#endif
