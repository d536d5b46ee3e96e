/* ascending.h: comparisons for qsort and bsearch that order numbers from the least to the largest.  NaN has no place in the
 * order. */
#ifndef MFFT_BASE_ASCENDING_H
#define MFFT_BASE_ASCENDING_H

#include <stdint.h>

static inline int mfft_ascending_double(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline int mfft_ascending_int64(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

#endif
