/* wire.c: the half-width format on the host. */
#include <math.h>
#include <string.h>

#include "local/host/half.h"
#include "local/host/host.h"
#include "local/wire.h"

/* Calls a function for elements [first, first + count) of the block, in the order of the segment. */
typedef struct walk {
  const mfft_block *block;
  int64_t at[4];  /* [loop] */
  int64_t offset; /* offset in the array, in elements */
} walk;

static walk start_at(const mfft_block *block, int64_t first) {
  walk w = {.block = block, .offset = block->in_offset};
  for (int d = 3; d >= 0; d--) {
    w.at[d] = first % block->n[d];
    first /= block->n[d];
    w.offset += w.at[d] * block->is[d];
  }
  return w;
}

static void step(walk *w) {
  for (int d = 3; d >= 0; d--) {
    w->offset += w->block->is[d];
    if (++w->at[d] < w->block->n[d]) return;
    w->offset -= w->at[d] * w->block->is[d];
    w->at[d] = 0;
  }
}

/* 2^exponent as two factors, neither of which overflows. */
typedef struct power {
  double first, second;
} power;

static power power_of(int exponent) { return (power){ldexp(1, exponent / 2), ldexp(1, exponent - exponent / 2)}; }

static int exponent_of(double most) {
  int exponent = 0;
  if (most > 0 && isfinite(most)) frexp(most, &exponent);
  return exponent;
}

static double number_at(mfft_precision precision, const void *array, int64_t at) {
  return precision == MFFT_DOUBLE ? ((const double *)array)[at] : ((const float *)array)[at];
}

/* Converts one tile in two passes: the first finds its largest number. */
static void pack_tile(mfft_precision precision, int components, const mfft_block *block, int64_t first, int64_t count,
                      const void *in, int32_t *exponent, void *narrow) {
  double most = 0;
  walk w = start_at(block, first);
  for (int64_t i = 0; i < count; i++, step(&w))
    for (int c = 0; c < components; c++) most = fmax(most, fabs(number_at(precision, in, w.offset * components + c)));
  *exponent = most > 0 ? exponent_of(most) - (precision == MFFT_DOUBLE ? MFFT_WIRE_TOP_SINGLE : MFFT_WIRE_TOP_HALF) : 0;
  power p = power_of(-*exponent);
  w = start_at(block, first);
  for (int64_t i = first; i < first + count; i++, step(&w))
    for (int c = 0; c < components; c++) {
      double scaled = number_at(precision, in, w.offset * components + c) * p.first * p.second;
      if (precision == MFFT_DOUBLE)
        ((float *)narrow)[i * components + c] = (float)scaled;
      else
        ((uint16_t *)narrow)[i * components + c] = mfft_half_of_float((float)scaled);
    }
}

static void unpack_tile(mfft_precision precision, int components, const mfft_block *block, int64_t first, int64_t count,
                        void *out, int32_t exponent, const void *narrow) {
  walk w = start_at(block, first);
  power p = power_of(exponent);
  for (int64_t i = first; i < first + count; i++, step(&w))
    for (int c = 0; c < components; c++) {
      int64_t at = w.offset * components + c, from = i * components + c;
      if (precision == MFFT_DOUBLE)
        ((double *)out)[at] = ((const float *)narrow)[from] * p.first * p.second;
      else
        ((float *)out)[at] = (float)(mfft_half_to_float(((const uint16_t *)narrow)[from]) * p.first * p.second);
    }
}

mfft_status mfft_host_convert(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int components, int packs,
                              const void *in, void *out, void *stream) {
  (void)stream;
  for (int64_t b = 0; b < nblocks; b++) {
    const mfft_block *block = &blocks[b];
    int64_t count = block->n[0] * block->n[1] * block->n[2] * block->n[3];
    char *segment = (packs ? (char *)out : (char *)(uintptr_t)in) + block->out_offset;
    int32_t *exponent = (int32_t *)segment;
    char *narrow = segment + mfft_wire_header_bytes(count);
    for (int64_t first = 0; first < count; first += MFFT_WIRE_TILE) {
      int64_t n = count - first < MFFT_WIRE_TILE ? count - first : MFFT_WIRE_TILE;
      if (packs)
        pack_tile(precision, components, block, first, n, in, &exponent[first / MFFT_WIRE_TILE], narrow);
      else
        unpack_tile(precision, components, block, first, n, out, exponent[first / MFFT_WIRE_TILE], narrow);
    }
  }
  return MFFT_SUCCESS;
}
