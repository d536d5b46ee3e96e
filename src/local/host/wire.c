/* wire.c: converts between arrays and messages of half the width (local/wire.h). */
#include <math.h>
#include <string.h>

#include "local/host/half.h"
#include "local/host/host.h"
#include "local/wire.h"

/* A position in a block, which moves over the elements in the order of the segment. */
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

/* X(precision, name, wide, real, narrow, function, top): the types of numbers in arrays, in the arithmetic and in messages,
 * the names of the functions of <math.h> for the arithmetic, and the exponent to which a tile is scaled. */
#define OF_DOUBLE(f)      f
#define OF_LONG_DOUBLE(f) f##l
#define WIRED(X)                                                                 \
  X(MFFT_DOUBLE, double, double, double, float, OF_DOUBLE, MFFT_WIRE_TOP_SINGLE) \
  X(MFFT_SINGLE, single, float, double, uint16_t, OF_DOUBLE, MFFT_WIRE_TOP_HALF) \
  X(MFFT_LONG_DOUBLE, long_double, long double, long double, double, OF_LONG_DOUBLE, MFFT_WIRE_TOP_DOUBLE)

static inline double narrow_long_double(long double value) { return (double)value; }
static inline float narrow_double(double value) { return (float)value; }
static inline uint16_t narrow_single(double value) { return mfft_half_of_float((float)value); }
static inline long double widen_long_double(double value) { return value; }
static inline double widen_double(float value) { return value; }
static inline double widen_single(uint16_t value) { return mfft_half_to_float(value); }

/* Convert one tile.  pack makes two passes, of which the first finds the largest number.  The scale 2^e is multiplied as two
 * factors, neither of which overflows. */
#define TILE(precision, name, wide, real, narrow, function, top)                                                   \
  static void pack_##name(int components, const mfft_block *block, int64_t first, int64_t count, const void *in,   \
                          int32_t *exponent, void *out) {                                                          \
    const wide *from = in;                                                                                         \
    narrow *to = out;                                                                                              \
    real most = 0;                                                                                                 \
    int above = 0;                                                                                                 \
    walk w = start_at(block, first);                                                                               \
    for (int64_t i = 0; i < count; i++, step(&w))                                                                  \
      for (int c = 0; c < components; c++)                                                                         \
        most = function(fmax)(most, function(fabs)((real)from[w.offset * components + c]));                        \
    if (most > 0 && isfinite(most)) (void)function(frexp)(most, &above);                                           \
    *exponent = most > 0 ? above - top : 0;                                                                        \
    const real half = function(ldexp)(1, -*exponent / 2), rest = function(ldexp)(1, -*exponent - -*exponent / 2);  \
    w = start_at(block, first);                                                                                    \
    for (int64_t i = first; i < first + count; i++, step(&w))                                                      \
      for (int c = 0; c < components; c++)                                                                         \
        to[i * components + c] = narrow_##name(from[w.offset * components + c] * half * rest);                     \
  }                                                                                                                \
  static void unpack_##name(int components, const mfft_block *block, int64_t first, int64_t count, const void *in, \
                            int32_t exponent, void *out) {                                                         \
    const narrow *from = in;                                                                                       \
    wide *to = out;                                                                                                \
    walk w = start_at(block, first);                                                                               \
    const real half = function(ldexp)(1, exponent / 2), rest = function(ldexp)(1, exponent - exponent / 2);        \
    for (int64_t i = first; i < first + count; i++, step(&w))                                                      \
      for (int c = 0; c < components; c++)                                                                         \
        to[w.offset * components + c] = (wide)(widen_##name(from[i * components + c]) * half * rest);              \
  }
WIRED(TILE)

mfft_status mfft_host_convert(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int components, int packs,
                              const void *in, void *out, void *stream) {
#define ENTRY(precision, name, wide, real, narrow, function, top) [precision] = {pack_##name, unpack_##name},
  static const struct {
    void (*pack)(int, const mfft_block *, int64_t, int64_t, const void *, int32_t *, void *);
    void (*unpack)(int, const mfft_block *, int64_t, int64_t, const void *, int32_t, void *);
  } calls[MFFT_PRECISION_COUNT] = {WIRED(ENTRY)};
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
        calls[precision].pack(components, block, first, n, in, &exponent[first / MFFT_WIRE_TILE], narrow);
      else
        calls[precision].unpack(components, block, first, n, narrow, exponent[first / MFFT_WIRE_TILE], out);
    }
  }
  return MFFT_SUCCESS;
}
