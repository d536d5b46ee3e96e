/* primes.h: prime factors of lengths. */
#ifndef MFFT_BASE_PRIMES_H
#define MFFT_BASE_PRIMES_H

#include <stdint.h>

/* The least prime factor of n that is `from` or larger, where n has none below `from`, such as 2; n itself where n is prime,
 * and 1 of 1.  Takes sqrt(n) divisions. */
int64_t mfft_least_prime(int64_t n, int64_t from);

/* The largest prime factor of n >= 1; 1 of 1. */
int64_t mfft_largest_prime(int64_t n);

#endif
