/* host_twiddle.c: the twiddle between the two passes of a four-step transform.
 *
 * Row i of the array turns by the step (row0 + i)/length at each column.  A row is done in runs of RUN columns: one factor
 * at the start of a run times one of RUN powers of the step.  Every angle is reduced modulo length in integers first, so the
 * error is that of two sincos and one product at any length.  Arithmetic is double for every precision. */
#include <math.h>
#include <string.h>

#include "local/half.h"
#include "local/host.h"

enum { RUN = 64 };

typedef struct factor {
  double re, im;
} factor;

/* exp(sign 2 pi i m / length) for 0 <= m < length.  The angle is folded into [-pi/4, pi/4], where it and its sine lose
 * least. */
static factor root(int64_t m, int64_t length, double sign) {
  int64_t quarter = (int64_t)(((__int128)8 * m / length + 1) / 2);      /* nearest multiple of a quarter turn, 0 to 4 */
  double rest = (double)((__int128)4 * m - (__int128)quarter * length); /* exact below 2^53 */
  double angle = rest * (1.57079632679489661923 / (double)length);
  double c = cos(angle), s = sin(angle);
  const factor turned[4] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  factor f = turned[quarter % 4];
  f.im *= sign;
  return f;
}

static factor times(factor a, factor b) { return (factor){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

/* Multiplies n elements, one after another, by factors; one function a stored type. */
typedef void (*apply)(int64_t n, const factor *by, void *data);

#define APPLY(name, type, load, store)                                       \
  static void apply_##name(int64_t n, const factor *by, void *data) {        \
    type *x = data;                                                          \
    for (int64_t j = 0; j < n; j++) {                                        \
      factor y = times((factor){load(x[2 * j]), load(x[2 * j + 1])}, by[j]); \
      x[2 * j] = store(y.re);                                                \
      x[2 * j + 1] = store(y.im);                                            \
    }                                                                        \
  }
#define HALF_STORE(value)     mfft_half_of_float((float)(value))
#define BFLOAT16_STORE(value) mfft_bfloat16_of_float((float)(value))
APPLY(double, double, (double), (double))
APPLY(single, float, (double), (float))
APPLY(half, uint16_t, mfft_half_to_float, HALF_STORE)
APPLY(bfloat16, uint16_t, mfft_bfloat16_to_float, BFLOAT16_STORE)

static const apply apply_for[] = {
    [MFFT_DOUBLE] = apply_double,
    [MFFT_SINGLE] = apply_single,
    [MFFT_HALF] = apply_half,
    [MFFT_BFLOAT16] = apply_bfloat16,
};

mfft_status mfft_host_twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0,
                              int64_t col0, int64_t length, void *data, void *stream) {
  (void)stream;
  const double sign = direction == MFFT_FORWARD ? -1 : 1;
  const size_t element = 2 * mfft_real_bytes(precision);
  const int64_t powers = n[2] < RUN ? n[2] : RUN;
  for (int64_t i = 0; i < n[1]; i++) {
    const int64_t row = (row0 + i) % length;
    factor power[RUN], by[RUN]; /* [powers] */
    for (int64_t j = 0; j < powers; j++) power[j] = root((int64_t)((__int128)row * j % length), length, sign);
    for (int64_t j = 0; j < n[2]; j += RUN) {
      const factor start = root((int64_t)((__int128)row * ((col0 + j) % length) % length), length, sign);
      const int64_t count = n[2] - j < RUN ? n[2] - j : RUN;
      for (int64_t k = 0; k < count; k++) by[k] = times(start, power[k]);
      for (int64_t b = 0; b < n[0]; b++)
        apply_for[precision](count, by, (char *)data + (size_t)((b * n[1] + i) * n[2] + j) * element);
    }
  }
  return MFFT_SUCCESS;
}
