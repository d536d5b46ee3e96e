/* primes.h: prime factors of lengths. */
#ifndef MFFT_BASE_PRIMES_H
#define MFFT_BASE_PRIMES_H

#include <stdint.h>

/* The least prime factor of n that is at least `from`. n must have no prime factor below `from` (pass 2 if nothing is
 * known).  Returns n if n is prime, and 1 if n is 1.  Costs at most sqrt(n) divisions. */
int64_t mfft_least_prime(int64_t n, int64_t from);

/* The largest prime factor of n >= 1; 1 of 1. */
int64_t mfft_largest_prime(int64_t n);

#endif
