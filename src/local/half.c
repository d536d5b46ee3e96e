/* half.c: rows of 16-bit values to single precision and back. */
#include "local/half.h"

/* The contiguous case on its own, so that the compiler can use wide registers. */
#define MFFT_ROWS(type)                                                                                                \
  static void type##_to_float(int64_t n, int parts, const uint16_t *in, int64_t in_stride, float *out,                 \
                              int64_t out_stride) {                                                                    \
    if (in_stride == parts && out_stride == parts) {                                                                   \
      for (int64_t i = 0; i < n * parts; i++) out[i] = mfft_##type##_to_float(in[i]);                                  \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      for (int p = 0; p < parts; p++) out[i * out_stride + p] = mfft_##type##_to_float(in[i * in_stride + p]);         \
  }                                                                                                                    \
  static void type##_of_float(int64_t n, int parts, float scale, const float *in, int64_t in_stride, uint16_t *out,    \
                              int64_t out_stride) {                                                                    \
    if (in_stride == parts && out_stride == parts) {                                                                   \
      for (int64_t i = 0; i < n * parts; i++) out[i] = mfft_##type##_of_float(in[i] * scale);                          \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      for (int p = 0; p < parts; p++) out[i * out_stride + p] = mfft_##type##_of_float(in[i * in_stride + p] * scale); \
  }

MFFT_ROWS(half)
MFFT_ROWS(bfloat16)

const mfft_half_rows *mfft_half_rows_of(mfft_precision precision) {
  static const mfft_half_rows rows[] = {
      [MFFT_HALF] = {half_to_float, half_of_float},
      [MFFT_BFLOAT16] = {bfloat16_to_float, bfloat16_of_float},
  };
  return rows[precision].to_float ? &rows[precision] : NULL;
}
