/* precision.h: the size of the numbers of each precision, which all else asks here. */
#ifndef MFFT_BASE_PRECISION_H
#define MFFT_BASE_PRECISION_H

#include "mfft.h"

enum { MFFT_PRECISION_COUNT = MFFT_LONG_DOUBLE + 1 };

/* Bytes of one stored real number.  Those of a long double may have padding in them (x86: 10 of 16 are used). */
static inline size_t mfft_real_bytes(mfft_precision precision) {
  static const unsigned char bytes[MFFT_PRECISION_COUNT] = {
      [MFFT_DOUBLE] = 8, [MFFT_SINGLE] = 4, [MFFT_HALF] = 2, [MFFT_BFLOAT16] = 2, [MFFT_LONG_DOUBLE] = sizeof(long double)};
  return bytes[precision];
}

/* Whether numbers are stored in 16 bits, in which nothing but transforms and copies is computed. */
static inline int mfft_sixteen_bit(mfft_precision precision) { return mfft_real_bytes(precision) == 2; }

#endif
