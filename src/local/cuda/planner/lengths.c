/* lengths.c: see lengths.h. */
#include "local/cuda/planner/lengths.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/primes.h"

int64_t mfft_rest_of_length(int64_t n) {
  static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31}; /* [11] */
  for (int i = 0; i < 11; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n;
}

int64_t mfft_held_of_odd(int64_t n) {
  for (int64_t a = 15; a > 1; a -= 2)
    if (n % a == 0) return n / a * ((a + 1) / 2);
  return n;
}

/* Writes the distinct prime factors that no kernel has a radix for, such as "31 and 41". */
static void name_primes(int64_t rest, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int64_t prime = 2, next; rest > 1 && used < size; prime = next) {
    next = mfft_least_prime(rest, prime);
    while (rest % next == 0) rest /= next;
    const char *before = !used ? "" : rest > 1 ? ", " : " and ";
    used += (size_t)snprintf(text + used, size - used, "%s%lld", before, (long long)next);
  }
}

mfft_status mfft_check_length(int64_t n) {
  if (n <= INT_MAX) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: length %lld exceeds %d; use a shorter one, or backend \"fftw\"",
                   (long long)n, INT_MAX);
}

mfft_status mfft_check_smooth(int64_t n) {
  MFFT_TRY(mfft_check_length(n));
  const int64_t rest = mfft_rest_of_length(n);
  if (rest != 1) {
    char primes[160];
    name_primes(rest, primes, sizeof primes);
    return mfft_fail(
        MFFT_ERR_UNSUPPORTED,
        "cuda: length %lld has the prime factor%s %s; in a part of a longer transform this backend takes lengths "
        "with prime factors up to %d (mfft_next_fast_length, or backend fftw)",
        (long long)n, strpbrk(primes, " ") ? "s" : "", primes, MFFT_LARGEST_RADIX_PRIME);
  }
  return MFFT_SUCCESS;
}

int64_t mfft_split_into(int64_t n, int parts, int64_t most, int64_t factor[MFFT_MAX_FACTORS]) {
  if (parts == 1) {
    factor[0] = n;
    return n <= most ? n : 0;
  }
  int64_t best = 0;
  for (int64_t f = 1; f <= most && f <= n; f++) {
    if (n % f) continue;
    int64_t rest[MFFT_MAX_FACTORS], limit = best && best < most ? best : most;
    int64_t largest = mfft_split_into(n / f, parts - 1, limit, rest);
    if (!largest) continue;
    if (f > largest) largest = f;
    if (best && largest >= best) continue;
    best = largest;
    factor[0] = f;
    memcpy(factor + 1, rest, (size_t)(parts - 1) * sizeof *rest);
  }
  return best;
}
