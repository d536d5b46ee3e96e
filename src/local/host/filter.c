/* filter.c: multiplies an array by a filter (mfft_filter in mfft_spectrum.h).
 *
 * The values of the filter are computed once for a run of adjacent elements, and used for all arrays of the batch.  The
 * arithmetic is that of stored.h, and sums and products always take the axes in order 0, 1, 2: the layout of the array,
 * which depends on the number of ranks, changes no bit of the result. */
#include "local/host/filter.h"

#include "local/host/host.h"
#include "local/host/stored.h"

enum { RUN = 512 };

/* Multiplies n elements by values of a filter, which have the type of the arithmetic.  Each stored type has two such
 * functions, one for complex and one for real elements. */
typedef void (*apply)(int64_t n, int64_t stride, const void *value, int odd, const void *in, void *out);

#define APPLY(precision, name, type, real)                                                                                  \
  static void apply_##name(int64_t n, int64_t stride, const void *value, int odd, const void *in, void *out) {              \
    const real *values = value; /* [n] */                                                                                   \
    const type *from = in;                                                                                                  \
    type *to = out;                                                                                                         \
    for (int64_t j = 0; j < n; j++, from += 2 * stride, to += 2 * stride) {                                                 \
      const real re = values[j] * mfft_##name##_load(from[0]), im = values[j] * mfft_##name##_load(from[1]);                \
      to[0] = mfft_##name##_store(odd ? -im : re);                                                                          \
      to[1] = mfft_##name##_store(odd ? re : im);                                                                           \
    }                                                                                                                       \
  }                                                                                                                         \
  /* odd is always 0 for real numbers. */                                                                                   \
  static void apply_real_##name(int64_t n, int64_t stride, const void *value, int odd, const void *in, void *out) {         \
    const real *values = value; /* [n] */                                                                                   \
    const type *from = in;                                                                                                  \
    type *to = out;                                                                                                         \
    (void)odd;                                                                                                              \
    for (int64_t j = 0; j < n; j++) to[j * stride] = mfft_##name##_store(values[j] * mfft_##name##_load(from[j * stride])); \
  }
MFFT_STORED_TYPES(APPLY)

void mfft_host_multiply(mfft_precision precision, int64_t n, int64_t stride, const double *value, const void *in,
                        void *out) {
#define ENTRY(precision, name, type, real) [precision] = apply_##name,
  static const apply apply_for[] = {MFFT_STORED_IN_DOUBLE(ENTRY)};
  if (precision != MFFT_LONG_DOUBLE) {
    apply_for[precision](n, stride, value, 0, in, out);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    const long double wide = value[i];
    const int64_t at = 2 * i * stride;
    apply_long_double(1, 1, &wide, 0, (const long double *)in + at, (long double *)out + at);
  }
}

static int64_t distance(const mfft_filter_shape *s, int axis) {
  return s->n[axis + 1] == 1 ? INT64_MAX : s->stride[axis + 1]; /* axes of one element are sorted outermost */
}

void mfft_host_sort_axes(const mfft_filter_shape *s, int axis[3]) {
  for (int a = 0; a < 3; a++) {
    int i = a;
    for (; i > 0 && distance(s, axis[i - 1]) < distance(s, a); i--) axis[i] = axis[i - 1];
    axis[i] = a;
  }
}

/* The entries (numerator, divisor) of the three axes for the first element of a run, and the distance, in doubles, to the
 * entries of the next element: 2 on the axis along which the run goes, 0 on the others. */
typedef struct run_tables {
  const double *pair[3]; /* [axis] */
  int64_t step[3];       /* [axis] */
} run_tables;

/* Computes the values of a run in the arithmetic of the array. */
typedef void (*values)(const run_tables *t, int64_t count, const double head[MFFT_FILTER_HEAD], void *value);

#define VALUES(name, real)                                                                                 \
  static void name(const run_tables *t, int64_t count, const double head[MFFT_FILTER_HEAD], void *value) { \
    real *to = value; /* [count] */                                                                        \
    const double *x = t->pair[0], *y = t->pair[1], *z = t->pair[2];                                        \
    const int64_t dx = t->step[0], dy = t->step[1], dz = t->step[2];                                       \
    const real scale = head[MFFT_FILTER_SCALE], singular = scale * head[MFFT_FILTER_SINGULAR];             \
    for (int64_t l = 0; l < count; l++) {                                                                  \
      const real factor = scale * x[dx * l] * y[dy * l] * z[dz * l];                                       \
      const real d = (real)x[dx * l + 1] + y[dy * l + 1] + z[dz * l + 1];                                  \
      const real safe = d != 0 ? d : 1; /* 1 / 0 traps if floating-point exceptions are enabled */         \
      to[l] = d != 0 ? factor / safe : singular;                                                           \
    }                                                                                                      \
  }
VALUES(values_double, double)
VALUES(values_long_double, long double)

/* The functions for each precision. */
#define IN_DOUBLE(precision, name, type, real)      [precision] = {apply_##name, apply_real_##name, values_double},
#define IN_LONG_DOUBLE(precision, name, type, real) [precision] = {apply_##name, apply_real_##name, values_long_double},
static const struct {
  apply complexes, reals;
  values values;
} calls[] = {MFFT_STORED_IN_DOUBLE(IN_DOUBLE) MFFT_STORED_IN_LONG_DOUBLE(IN_LONG_DOUBLE)};

mfft_status mfft_host_filter(mfft_precision precision, const mfft_filter_shape *s, const void *tables, const void *in,
                             void *out, void *stream) {
  (void)stream;
  const double *head = tables, *pairs = head + MFFT_FILTER_HEAD;
  const int odd = head[MFFT_FILTER_ODD] != 0;
  const apply multiply = s->real ? calls[precision].reals : calls[precision].complexes;
  const int64_t element = (s->real ? 1 : 2) * (int64_t)mfft_real_bytes(precision);
  int axis[3]; /* [loop] axes in descending order of strides */
  mfft_host_sort_axes(s, axis);
  const int u = axis[0], v = axis[1], w = axis[2];
  const int64_t count = s->n[w + 1], stride = s->stride[w + 1];
  long double value[RUN]; /* [element of a run] in the arithmetic of the array, which may be double */
  run_tables t = {.step = {0}};
  t.step[w] = 2;

  for (int64_t i = 0; i < s->n[u + 1]; i++)
    for (int64_t j = 0; j < s->n[v + 1]; j++) {
      const int64_t row = i * s->stride[u + 1] + j * s->stride[v + 1];
      t.pair[u] = pairs + 2 * (s->table[u] + i);
      t.pair[v] = pairs + 2 * (s->table[v] + j);
      for (int64_t k = 0; k < count; k += RUN) {
        const int64_t run = count - k < RUN ? count - k : RUN;
        t.pair[w] = pairs + 2 * (s->table[w] + k);
        calls[precision].values(&t, run, head, value);
        for (int64_t b = 0; b < s->n[0]; b++) {
          const int64_t at = (b * s->stride[0] + row + k * stride) * element;
          multiply(run, stride, value, odd, (const char *)in + at, (char *)out + at);
        }
      }
    }
  return MFFT_SUCCESS;
}
