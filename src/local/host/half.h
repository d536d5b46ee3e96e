/* half.h: conversions between single precision and the 16-bit types IEEE binary16 and bfloat16, by integer operations.
 * Conversions to single are exact; those from single round to nearest, ties to even. */
#ifndef MFFT_LOCAL_HOST_HALF_H
#define MFFT_LOCAL_HOST_HALF_H

#include <stdint.h>
#include <string.h>

#include "mfft.h"

static inline float mfft_float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t mfft_bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float mfft_half_to_float(uint16_t half) {
  uint32_t bits = (uint32_t)(half & 0x7fff) << 13;
  float value = mfft_float_of_bits(bits) * 0x1p112f;         /* adjusts the exponent, also of subnormals */
  uint32_t special = bits >= 0x0f800000u ? 0x7f800000u : 0u; /* infinity and NaN */
  return mfft_float_of_bits(mfft_bits_of_float(value) | special | (uint32_t)(half & 0x8000) << 16);
}

static inline uint16_t mfft_half_of_float(float value) {
  uint32_t bits = mfft_bits_of_float(value), sign = bits & 0x80000000u;
  bits ^= sign;
  /* Below 2^-14 the sum with 0.5 leaves the 10 bits of a subnormal half, rounded by the addition. */
  uint32_t small = mfft_bits_of_float(mfft_float_of_bits(bits) + 0.5f) - 0x3f000000u;
  uint32_t normal = (bits - 0x38000000u + 0xfffu + (bits >> 13 & 1)) >> 13;
  uint32_t special = bits > 0x7f800000u ? 0x7e00u : 0x7c00u; /* NaN, or at least 65520 */
  uint32_t half = bits < 0x38800000u ? small : normal;
  return (uint16_t)((bits >= 0x477ff000u ? special : half) | sign >> 16);
}

static inline float mfft_bfloat16_to_float(uint16_t value) { return mfft_float_of_bits((uint32_t)value << 16); }

static inline uint16_t mfft_bfloat16_of_float(float value) {
  uint32_t bits = mfft_bits_of_float(value);
  uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  return (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : rounded);
}

/* Functions that convert a row of n elements, each of `parts` real numbers (1 real, 2 complex), from the stored type to
 * single and back.  Strides count real numbers.  of_float multiplies by `scale` before it rounds. */
typedef struct mfft_half_rows {
  void (*to_float)(int64_t n, int parts, const uint16_t *in, int64_t in_stride, float *out, int64_t out_stride);
  void (*of_float)(int64_t n, int parts, float scale, const float *in, int64_t in_stride, uint16_t *out, int64_t out_stride);
} mfft_half_rows;

/* The functions for MFFT_HALF or MFFT_BFLOAT16; NULL for the other precisions. */
const mfft_half_rows *mfft_half_rows_of(mfft_precision precision);

#endif
