/* twiddle.c: the twiddle between the two passes of a four-step transform.
 *
 * The array is processed in tiles of rows r0 + i and columns c0 + j, with w = exp(sign 2 pi i / length):
 *
 *     w^((r0 + i)(c0 + j)) = w^((r0 + i) c0) * [ w^(r0 j) * w^(i j) ]
 *
 * One sincos for each row of a tile gives the first factor; the bracket is computed once for all tiles of the same rows.
 * Every angle is first reduced modulo length in integers, so the error is that of three sincos and two products at any
 * length.  Arithmetic is double for every precision. */
#include <math.h>
#include <string.h>

#include "local/host/host.h"
#include "local/host/stored.h"

enum { TILE = 2048, TILE_ROWS = 16 };

typedef struct factor {
  double re, im;
} factor;

/* a*b mod length for 0 <= a, b < length; 128-bit arithmetic only if needed. */
static int64_t product(int64_t a, int64_t b, int64_t length) {
  if ((a | b) >> 31 == 0) return a * b % length;
  return (int64_t)((__int128)a * b % length);
}

/* exp(sign 2 pi i m / length) for 0 <= m < length.  The angle is reduced to [-pi/4, pi/4], where it and its sine have the
 * smallest error. */
static factor root(int64_t m, int64_t length, double sign) {
  int64_t quarter; /* nearest multiple of pi/2, 0 to 4 */
  double rest;     /* in units of pi/2 over length; exact below 2^53 */
  if (length >> 59 == 0) {
    quarter = (8 * m / length + 1) / 2;
    rest = (double)(4 * m - quarter * length);
  } else {
    quarter = (int64_t)(((__int128)8 * m / length + 1) / 2);
    rest = (double)((__int128)4 * m - (__int128)quarter * length);
  }
  double angle = rest * (1.57079632679489661923 / (double)length);
  double c = cos(angle), s = sin(angle);
  const factor turned[4] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  factor f = turned[quarter % 4];
  f.im *= sign;
  return f;
}

static factor times(factor a, factor b) { return (factor){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

/* Multiplies n contiguous elements by factors; one function for each stored type. */
typedef void (*apply)(int64_t n, const factor *by, void *data);

#define APPLY(precision, name, type)                                                                           \
  static void apply_##name(int64_t n, const factor *by, void *data) {                                          \
    type *x = data;                                                                                            \
    for (int64_t j = 0; j < n; j++) {                                                                          \
      const factor y = times((factor){mfft_##name##_load(x[2 * j]), mfft_##name##_load(x[2 * j + 1])}, by[j]); \
      x[2 * j] = mfft_##name##_store(y.re);                                                                    \
      x[2 * j + 1] = mfft_##name##_store(y.im);                                                                \
    }                                                                                                          \
  }
MFFT_STORED_TYPES(APPLY)

#define ENTRY(precision, name, type) [precision] = apply_##name,
static const apply apply_for[] = {MFFT_STORED_TYPES(ENTRY)};

mfft_status mfft_host_twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0,
                              int64_t col0, int64_t length, void *data, void *stream) {
  (void)stream;
  const double sign = direction == MFFT_FORWARD ? -1 : 1;
  const int64_t element = 2 * (int64_t)mfft_real_bytes(precision);
  const int64_t rows = n[1] < TILE_ROWS ? n[1] : TILE_ROWS;
  const int64_t columns = rows == 0 || n[2] < TILE / rows ? n[2] : TILE / rows;
  factor inner[TILE], bracket[TILE], by[TILE]; /* [rows][columns] twice, [columns] */
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) inner[i * columns + j] = root(i * j % length, length, sign);

  for (int64_t r = 0; r < n[1]; r += rows) {
    const int64_t row = (row0 + r) % length, more_rows = n[1] - r < rows ? n[1] - r : rows;
    for (int64_t j = 0; j < columns; j++) {
      const factor along = root(product(row, j % length, length), length, sign);
      for (int64_t i = 0; i < more_rows; i++) bracket[i * columns + j] = times(along, inner[i * columns + j]);
    }
    for (int64_t c = 0; c < n[2]; c += columns) {
      const int64_t column = (col0 + c) % length, count = n[2] - c < columns ? n[2] - c : columns;
      for (int64_t i = 0; i < more_rows; i++) {
        const factor start = root(product((row + i) % length, column, length), length, sign);
        for (int64_t j = 0; j < count; j++) by[j] = times(start, bracket[i * columns + j]);
        for (int64_t b = 0; b < n[0]; b++)
          apply_for[precision](count, by, (char *)data + ((b * n[1] + r + i) * n[2] + c) * element);
      }
    }
  }
  return MFFT_SUCCESS;
}
