/* filter.c: multiplying an array by a filter (mfft_filter in mfft.h).
 *
 * The value of the filter is computed once for a run of neighbours, and serves all arrays of the batch.  Arithmetic is
 * double for every precision. */
#include "local/host/host.h"
#include "local/host/stored.h"

enum { RUN = 512 };

/* Multiplies n elements by real values, and by i where odd; one function a stored type. */
typedef void (*apply)(int64_t n, int64_t stride, const double *value, int odd, const void *in, void *out);

#define APPLY(precision, name, type)                                                                                       \
  static void apply_##name(int64_t n, int64_t stride, const double *value /* [n] */, int odd, const void *in, void *out) { \
    const type *from = in;                                                                                                 \
    type *to = out;                                                                                                        \
    for (int64_t j = 0; j < n; j++, from += 2 * stride, to += 2 * stride) {                                                \
      const double re = value[j] * mfft_##name##_load(from[0]), im = value[j] * mfft_##name##_load(from[1]);               \
      to[0] = mfft_##name##_store(odd ? -im : re);                                                                         \
      to[1] = mfft_##name##_store(odd ? re : im);                                                                          \
    }                                                                                                                      \
  }
MFFT_STORED_TYPES(APPLY)

#define ENTRY(precision, name, type) [precision] = apply_##name,
static const apply apply_for[] = {MFFT_STORED_TYPES(ENTRY)};

static int64_t distance(const mfft_filter_shape *s, int axis) {
  return s->n[axis + 1] == 1 ? INT64_MAX : s->stride[axis + 1]; /* an axis of one element is the outermost loop */
}

/* The axes from the farthest to the nearest neighbours. */
static void sort_axes(const mfft_filter_shape *s, int axis[3]) {
  for (int a = 0; a < 3; a++) {
    int i = a;
    for (; i > 0 && distance(s, axis[i - 1]) < distance(s, a); i--) axis[i] = axis[i - 1];
    axis[i] = a;
  }
}

mfft_status mfft_host_filter(mfft_precision precision, const mfft_filter_shape *s, const void *tables, const void *in,
                             void *out, void *stream) {
  (void)stream;
  const double *head = tables, *pairs = head + MFFT_FILTER_HEAD;
  const double scale = head[MFFT_FILTER_SCALE], singular = scale * head[MFFT_FILTER_SINGULAR];
  const int odd = head[MFFT_FILTER_ODD] != 0;
  const int64_t element = 2 * (int64_t)mfft_real_bytes(precision);
  int axis[3]; /* [far to near] */
  sort_axes(s, axis);
  const int u = axis[0], v = axis[1], w = axis[2];
  const double *tu = pairs + 2 * s->table[u], *tv = pairs + 2 * s->table[v], *tw = pairs + 2 * s->table[w];
  const int64_t count = s->n[w + 1], stride = s->stride[w + 1];
  double value[RUN]; /* [element of a run] */

  for (int64_t i = 0; i < s->n[u + 1]; i++)
    for (int64_t j = 0; j < s->n[v + 1]; j++) {
      const double factor = scale * tu[2 * i] * tv[2 * j], divisor = tu[2 * i + 1] + tv[2 * j + 1];
      const int64_t row = i * s->stride[u + 1] + j * s->stride[v + 1];
      for (int64_t k = 0; k < count; k += RUN) {
        const int64_t run = count - k < RUN ? count - k : RUN;
        for (int64_t l = 0; l < run; l++) {
          const double *pair = tw + 2 * (k + l), d = divisor + pair[1],
                       safe = d != 0 ? d : 1; /* 1 / 0 traps where floating-point exceptions are enabled */
          const double quotient = factor * pair[0] / safe;
          value[l] = d != 0 ? quotient : singular;
        }
        for (int64_t b = 0; b < s->n[0]; b++) {
          const int64_t at = (b * s->stride[0] + row + k * stride) * element;
          apply_for[precision](run, stride, value, odd, (const char *)in + at, (char *)out + at);
        }
      }
    }
  return MFFT_SUCCESS;
}
