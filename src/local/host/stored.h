/* stored.h: arithmetic in double on numbers of any precision, for loops that are written once and compiled for each
 * precision. */
#ifndef MFFT_LOCAL_HOST_STORED_H
#define MFFT_LOCAL_HOST_STORED_H

#include "local/host/half.h"

/* X(precision, name, type): mfft_name_load returns the value of a stored number, mfft_name_store rounds one to the stored
 * type. */
#define MFFT_STORED_TYPES(X)     \
  X(MFFT_DOUBLE, double, double) \
  X(MFFT_SINGLE, single, float)  \
  X(MFFT_HALF, half, uint16_t)   \
  X(MFFT_BFLOAT16, bfloat16, uint16_t)

static inline double mfft_double_load(double stored) { return stored; }
static inline double mfft_single_load(float stored) { return stored; }
static inline double mfft_half_load(uint16_t stored) { return mfft_half_to_float(stored); }
static inline double mfft_bfloat16_load(uint16_t stored) { return mfft_bfloat16_to_float(stored); }

static inline double mfft_double_store(double value) { return value; }
static inline float mfft_single_store(double value) { return (float)value; }
static inline uint16_t mfft_half_store(double value) { return mfft_half_of_float((float)value); }
static inline uint16_t mfft_bfloat16_store(double value) { return mfft_bfloat16_of_float((float)value); }

#endif
