/* primes.c: see primes.h. */
#include "base/primes.h"

int64_t mfft_least_prime(int64_t n, int64_t from) {
  for (int64_t p = from; p <= n / p; p++)
    if (n % p == 0) return p;
  return n;
}

int64_t mfft_largest_prime(int64_t n) {
  int64_t prime = 1;
  for (int64_t from = 2; n > 1; n /= prime) from = prime = mfft_least_prime(n, from);
  return prime;
}
