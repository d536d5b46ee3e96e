/* multiply.c: multiplies a spectrum by that of a convolution kernel, in place.  The arithmetic is that of stored.h, and each
 * product is rounded once when it is stored. */
#include "local/host/filter.h"
#include "local/host/host.h"
#include "local/host/stored.h"

/* Multiplies n complex numbers of an array by those of the kernel (sign 1) or by their conjugates (-1).  Each stored type
 * has such a function. */
typedef void (*product)(int64_t n, int64_t stride, double sign, const void *kernel, void *array);

#define PRODUCT(precision, name, type, real)                                                                       \
  static void product_##name(int64_t n, int64_t stride, double sign, const void *kernel, void *array) {            \
    const type *k = kernel;                                                                                        \
    type *x = array;                                                                                               \
    for (int64_t i = 0; i < n; i++, k += 2 * stride, x += 2 * stride) {                                            \
      const real a = mfft_##name##_load(k[0]), b = sign * mfft_##name##_load(k[1]), re = mfft_##name##_load(x[0]), \
                 im = mfft_##name##_load(x[1]);                                                                    \
      x[0] = mfft_##name##_store(a * re - b * im);                                                                 \
      x[1] = mfft_##name##_store(a * im + b * re);                                                                 \
    }                                                                                                              \
  }
MFFT_STORED_TYPES(PRODUCT)

#define ENTRY(precision, name, type, real) [precision] = product_##name,
static const product product_for[] = {MFFT_STORED_TYPES(ENTRY)};

mfft_status mfft_host_multiply_spectra(mfft_precision precision, const mfft_filter_shape *s, int conjugate,
                                       const void *kernel, void *array, void *stream) {
  (void)stream;
  const product multiply = product_for[precision];
  const int64_t element = 2 * (int64_t)mfft_real_bytes(precision);
  int axis[3]; /* [loop] axes in descending order of strides */
  mfft_host_sort_axes(s, axis);
  const int u = axis[0] + 1, v = axis[1] + 1, w = axis[2] + 1;
  for (int64_t b = 0; b < s->n[0]; b++)
    for (int64_t i = 0; i < s->n[u]; i++)
      for (int64_t j = 0; j < s->n[v]; j++) {
        const int64_t at = i * s->stride[u] + j * s->stride[v];
        multiply(s->n[w], s->stride[w], conjugate ? -1 : 1, (const char *)kernel + at * element,
                 (char *)array + (b * s->stride[0] + at) * element);
      }
  return MFFT_SUCCESS;
}
