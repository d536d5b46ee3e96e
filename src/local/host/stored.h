/* stored.h: arithmetic on numbers of any precision, for loops that are written once and compiled for each precision.  The
 * arithmetic is long double for long double, and double for all other precisions. */
#ifndef MFFT_LOCAL_HOST_STORED_H
#define MFFT_LOCAL_HOST_STORED_H

#include "local/host/half.h"

/* X(precision, name, type, real): mfft_name_load returns the value of a stored number in `real`, the type of the arithmetic;
 * mfft_name_store rounds a value to the stored type.  There is one list for each arithmetic, and one of all types. */
#define MFFT_STORED_IN_DOUBLE(X)         \
  X(MFFT_DOUBLE, double, double, double) \
  X(MFFT_SINGLE, single, float, double)  \
  X(MFFT_HALF, half, uint16_t, double)   \
  X(MFFT_BFLOAT16, bfloat16, uint16_t, double)
#define MFFT_STORED_IN_LONG_DOUBLE(X) X(MFFT_LONG_DOUBLE, long_double, long double, long double)
#define MFFT_STORED_TYPES(X)          MFFT_STORED_IN_DOUBLE(X) MFFT_STORED_IN_LONG_DOUBLE(X)

static inline double mfft_double_load(double stored) { return stored; }
static inline double mfft_single_load(float stored) { return stored; }
static inline double mfft_half_load(uint16_t stored) { return mfft_half_to_float(stored); }
static inline double mfft_bfloat16_load(uint16_t stored) { return mfft_bfloat16_to_float(stored); }
static inline long double mfft_long_double_load(long double stored) { return stored; }

static inline double mfft_double_store(double value) { return value; }
static inline float mfft_single_store(double value) { return (float)value; }
static inline uint16_t mfft_half_store(double value) { return mfft_half_of_float((float)value); }
static inline uint16_t mfft_bfloat16_store(double value) { return mfft_bfloat16_of_float((float)value); }
static inline long double mfft_long_double_store(long double value) { return value; }

#endif
