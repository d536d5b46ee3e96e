/* twiddle.c: the twiddle between the two passes of a four-step transform.
 *
 * The array is processed in tiles of rows r0 + i and columns c0 + j, with w = exp(sign 2 pi i / length):
 *
 *     w^((r0 + i)(c0 + j)) = w^((r0 + i) c0) * [ w^(r0 j) * w^(i j) ]
 *
 * The first factor takes one sincos for each row of a tile, and the bracket is computed once for all tiles of the same rows.
 * Every exponent is reduced modulo length in integers, so that the error is that of three sincos and two products at any
 * length.  The arithmetic is that of stored.h; twiddle.inc is the body for both. */
#include <math.h>
#include <string.h>

#include "local/host/host.h"
#include "local/host/stored.h"

enum { TILE = 2048, TILE_ROWS = 16 };

/* a*b mod length for 0 <= a, b < length; 128-bit arithmetic only if needed. */
static int64_t product(int64_t a, int64_t b, int64_t length) {
  if ((a | b) >> 31 == 0) return a * b % length;
  return (int64_t)((__int128)a * b % length);
}

#define REAL         double
#define NAME(name)   name
#define FUNCTION(f)  f
#define STORED_TYPES MFFT_STORED_IN_DOUBLE
#include "local/host/twiddle.inc"
#undef REAL
#undef NAME
#undef FUNCTION
#undef STORED_TYPES

#define REAL         long double
#define NAME(name)   long_##name
#define FUNCTION(f)  f##l
#define STORED_TYPES MFFT_STORED_IN_LONG_DOUBLE
#include "local/host/twiddle.inc"

mfft_status mfft_host_twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0,
                              int64_t col0, int64_t length, void *data, void *stream) {
  (void)stream;
  (precision == MFFT_LONG_DOUBLE ? long_twiddle : twiddle)(precision, direction, n, row0, col0, length, data);
  return MFFT_SUCCESS;
}
