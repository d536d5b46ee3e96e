/* half.c: conversion of rows of 16-bit values to single precision and back. */
#include "local/host/half.h"

#include "base/precision.h"

/* Convert contiguous binary16 numbers, eight at a time, by instructions of the processor.  Both functions return the number
 * of elements converted. */
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

static int has_f16c(void) { return __builtin_cpu_supports("avx2"); } /* every such processor has F16C */

__attribute__((target("avx,f16c"))) static int64_t wide_to_float(int64_t n, const uint16_t *in, float *out) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(in + i))));
  return i;
}

__attribute__((target("avx,f16c"))) static int64_t wide_of_float(int64_t n, float scale, const float *in, uint16_t *out) {
  const __m256 factor = _mm256_set1_ps(scale);
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(in + i), factor);
    _mm_storeu_si128((__m128i *)(out + i), _mm256_cvtps_ph(scaled, _MM_FROUND_TO_NEAREST_INT));
  }
  return i;
}

static int64_t half_many_to_float(int64_t n, const uint16_t *in, float *out) {
  return has_f16c() ? wide_to_float(n, in, out) : 0;
}
static int64_t half_many_of_float(int64_t n, float scale, const float *in, uint16_t *out) {
  return has_f16c() ? wide_of_float(n, scale, in, out) : 0;
}
#else
#define half_many_to_float(n, in, out)        ((int64_t)0)
#define half_many_of_float(n, scale, in, out) ((int64_t)0)
#endif
#define bfloat16_many_to_float(n, in, out)        ((int64_t)0) /* compilers vectorise the shifts of the general loop */
#define bfloat16_many_of_float(n, scale, in, out) ((int64_t)0)

/* The loops over contiguous numbers are separate, so that compilers can vectorise them. */
#define MFFT_ROWS(type)                                                                                                \
  static void type##_to_float(int64_t n, int parts, const uint16_t *in, int64_t in_stride, float *out,                 \
                              int64_t out_stride) {                                                                    \
    if (in_stride == parts && out_stride == parts) {                                                                   \
      for (int64_t i = type##_many_to_float(n * parts, in, out); i < n * parts; i++)                                   \
        out[i] = mfft_##type##_to_float(in[i]);                                                                        \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      for (int p = 0; p < parts; p++) out[i * out_stride + p] = mfft_##type##_to_float(in[i * in_stride + p]);         \
  }                                                                                                                    \
  static void type##_of_float(int64_t n, int parts, float scale, const float *in, int64_t in_stride, uint16_t *out,    \
                              int64_t out_stride) {                                                                    \
    if (in_stride == parts && out_stride == parts) {                                                                   \
      for (int64_t i = type##_many_of_float(n * parts, scale, in, out); i < n * parts; i++)                            \
        out[i] = mfft_##type##_of_float(in[i] * scale);                                                                \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      for (int p = 0; p < parts; p++) out[i * out_stride + p] = mfft_##type##_of_float(in[i * in_stride + p] * scale); \
  }

MFFT_ROWS(half)
MFFT_ROWS(bfloat16)

const mfft_half_rows *mfft_half_rows_of(mfft_precision precision) {
  static const mfft_half_rows rows[MFFT_PRECISION_COUNT] = {
      [MFFT_HALF] = {half_to_float, half_of_float},
      [MFFT_BFLOAT16] = {bfloat16_to_float, bfloat16_of_float},
  };
  return rows[precision].to_float ? &rows[precision] : NULL;
}
