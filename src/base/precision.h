/* precision.h: the size of the numbers of each precision. */
#ifndef MFFT_BASE_PRECISION_H
#define MFFT_BASE_PRECISION_H

#include "mfft.h"

/* Bytes of one stored real number. */
static inline size_t mfft_real_bytes(mfft_precision precision) {
  return precision == MFFT_DOUBLE ? 8 : precision == MFFT_SINGLE ? 4 : 2;
}

#endif
