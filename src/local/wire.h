/* wire.h: the half-width format of messages: double sent as single, single as half, long double as double.  Passes that
 * convert while they store and load use another format, of single complex numbers (cuda/kernels/common/half_width.cuh).
 *
 * A segment holds the elements of a region in a fixed order, in tiles of MFFT_WIRE_TILE elements.  Each tile has a power
 * of two of its own, such that its largest number fills the range of the narrow type (block floating point):
 *
 *     int32 exponent [tiles], padded to 64 bytes | narrow numbers [elements][components]
 *
 * number = narrow * 2^exponent.  The relative error of the largest numbers of a tile is half a unit in the last place of
 * the narrow type (2^-12 for half, 2^-25 for single, 2^-54 for double); the error of far smaller numbers is relatively
 * larger. */
#ifndef MFFT_LOCAL_WIRE_H
#define MFFT_LOCAL_WIRE_H

#include "base/cache_line.h"
#include "local/backend.h"

enum { MFFT_WIRE_TILE = 1024 };

/* The exponent e, |number| < 2^e, to which a tile is scaled: below the overflow of the narrow type. */
enum { MFFT_WIRE_TOP_HALF = 15, MFFT_WIRE_TOP_SINGLE = 120, MFFT_WIRE_TOP_DOUBLE = 1000 };

static inline int64_t mfft_wire_header_bytes(int64_t elements) {
  return mfft_line_bytes((elements + MFFT_WIRE_TILE - 1) / MFFT_WIRE_TILE * 4);
}

/* Bytes of a segment; element_bytes is that of the array. */
static inline int64_t mfft_wire_bytes(int64_t elements, int64_t element_bytes) {
  return mfft_wire_header_bytes(elements) + elements * element_bytes / 2;
}

#endif
