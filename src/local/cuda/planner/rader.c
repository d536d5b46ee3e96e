/* rader.c: see rader.h. */
#include "local/cuda/planner/rader.h"

#include <stdlib.h>

#include "base/primes.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/wide_transform.h"

int mfft_rader_suits(int64_t n) {
  return n > MFFT_LARGEST_RADIX_PRIME && mfft_least_prime(n, 2) == n && mfft_rest_of_length(n - 1) == 1;
}

static int64_t power_modulo(int64_t base, int64_t exponent, int64_t n) {
  int64_t result = 1;
  for (; exponent; exponent /= 2, base = base * base % n)
    if (exponent % 2) result = result * base % n;
  return result;
}

/* Whether the powers of g modulo a prime n are all numbers from 1 to n - 1: g^((n - 1) / f) is not 1 for any prime factor f.
 */
static int generates(int64_t g, int64_t n) {
  for (int64_t rest = n - 1, f = 2; rest > 1; rest /= f) {
    f = mfft_least_prime(rest, f);
    if (power_modulo(g, (n - 1) / f, n) == 1) return 0;
  }
  return 1;
}

static int64_t generator(int64_t n) {
  int64_t g = 2;
  while (!generates(g, n)) g++;
  return g;
}

/* b_m = W^(g^-m), m < N.  Returns 1 if there is no memory. */
static int fill(int64_t n, int sign, const int *order, mfft_wide *b) {
  mfft_wide_roots roots;
  if (mfft_wide_roots_make(n, sign, &roots)) return 1;
  for (int64_t m = 0; m < n - 1; m++) b[m] = mfft_wide_root(&roots, order[m ? n - 1 - m : 0]);
  mfft_wide_roots_free(&roots);
  return 0;
}

static void put(const mfft_kernel *kernel, mfft_table *table, int64_t i, mfft_wide x, int64_t count) {
  const long double re = x.re / (long double)count, im = x.im / (long double)count;
  if (is_double(kernel->precision))
    ((double *)table->data)[2 * i] = (double)re, ((double *)table->data)[2 * i + 1] = (double)im;
  else
    ((float *)table->data)[2 * i] = (float)re, ((float *)table->data)[2 * i + 1] = (float)im;
}

static mfft_status table_order(int64_t n, mfft_table *table) {
  const int64_t g = generator(n);
  int *order = malloc((size_t)(n - 1) * sizeof *order); /* [n - 1] */
  if (!order) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for the order of a line of %lld elements", (long long)n);
  for (int64_t q = 0, power = 1; q < n - 1; q++, power = power * g % n) order[q] = (int)power;
  *table = (mfft_table){.data = order, .bytes = (size_t)(n - 1) * sizeof *order};
  return MFFT_SUCCESS;
}

mfft_status mfft_table_rader(const mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  const int64_t n = pass->bluestein.n, count = n - 1;
  const int sign = pass->bluestein.sign;
  mfft_status status = MFFT_SUCCESS;
  MFFT_TRY(table_order(n, &table[MFFT_TABLE_ORDER]));
  mfft_wide *b = malloc((size_t)count * sizeof *b), *spectrum = malloc((size_t)count * sizeof *b); /* [count] each */
  if (!b || !spectrum || fill(n, sign, (const int *)table[MFFT_TABLE_ORDER].data, b) ||
      mfft_wide_transform(count, sign, b, spectrum))
    MFFT_GOTO(done, mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory of the host for the spectrum of a line of %lld elements",
                              (long long)n));
  MFFT_GOTO(done, mfft_table_make(&pass->kernel, count, &table[MFFT_TABLE_SPECTRUM]));
  for (int64_t k = 0; k < count; k++) put(&pass->kernel, &table[MFFT_TABLE_SPECTRUM], k, spectrum[k], count);
done:
  free(b);
  free(spectrum);
  return status;
}
