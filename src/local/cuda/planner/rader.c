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

/* powers[q] = g^q modulo n for the smallest generator g, q < n - 1. */
static void fill_powers(int64_t n, int *powers) {
  const int64_t g = generator(n);
  for (int64_t q = 0, power = 1; q < n - 1; q++, power = power * g % n) powers[q] = (int)power;
}

/* b_m = W^(g^-m), m < N.  Returns 1 if there is no memory. */
static int fill(int64_t n, int sign, const int *powers, mfft_wide *b) {
  mfft_wide_roots roots;
  if (mfft_wide_roots_make(n, sign, &roots)) return 1;
  for (int64_t m = 0; m < n - 1; m++) b[m] = mfft_wide_root(&roots, powers[m ? n - 1 - m : 0]);
  mfft_wide_roots_free(&roots);
  return 0;
}

/* Where the first merge takes element q of the convolution: the digits of the place are the remainders of q by the radices,
 * that of the first one most significant. */
static int64_t place_of_element(const mfft_kernel *k, int64_t q) {
  int64_t place = 0;
  if (!k->coprime) return q;
  for (int i = 0; i < k->chain.merges; i++) place = place * k->chain.radix[i] + q % k->chain.radix[i];
  return place;
}

/* The element of the spectrum that the last merge leaves at a place: its digits, that of the first radix least significant,
 * are the frequencies of the dimensions. */
static int64_t element_at_place(const mfft_kernel *k, int64_t place) {
  int64_t element = 0;
  if (!k->coprime) return place;
  for (int i = 0; i < k->chain.merges; place /= k->chain.radix[i++])
    element += place % k->chain.radix[i] * (k->chain.n / k->chain.radix[i]);
  return element % k->chain.n;
}

mfft_status mfft_table_rader(const mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  const mfft_kernel *k = &pass->kernel;
  const int64_t n = pass->bluestein.n, count = k->chain.n;
  const int sign = pass->bluestein.sign;
  mfft_status status = MFFT_SUCCESS;
  mfft_wide *b = malloc((size_t)count * sizeof *b), *spectrum = malloc((size_t)count * sizeof *b); /* [count] each */
  int *powers = malloc((size_t)count * sizeof *powers), *order = malloc((size_t)count * sizeof *order);
  table[MFFT_TABLE_ORDER] = (mfft_table){.data = order, .bytes = (size_t)count * sizeof *order};
  if (!b || !spectrum || !powers || !order)
    MFFT_GOTO(done, mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory of the host for a line of %lld elements", (long long)n));
  fill_powers(n, powers);
  if (fill(n, sign, powers, b) || mfft_wide_transform(count, sign, b, spectrum))
    MFFT_GOTO(done, mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory of the host for the roots of a line of %lld elements",
                              (long long)n));
  MFFT_GOTO(done, mfft_table_make(k, count, &table[MFFT_TABLE_SPECTRUM]));
  for (int64_t q = 0; q < count; q++) order[place_of_element(k, q)] = powers[q];
  for (int64_t q = 0; q < count; q++) {
    const mfft_wide x = spectrum[element_at_place(k, q)];
    mfft_table_put_number(k, &table[MFFT_TABLE_SPECTRUM], q, x.re / (long double)count, x.im / (long double)count);
  }
done:
  free(b);
  free(spectrum);
  free(powers);
  return status;
}
