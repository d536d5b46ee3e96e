/* copy.c: strided copies of blocks.
 *
 * A block becomes a nest of at most four loops over byte strides.  Neighbouring loops with compatible strides are merged,
 * and a run that is contiguous on both sides becomes one element.  If input and output have different fastest loops,
 * these two are tiled, which uses each cache line completely while it is in the cache; elements of 4 and 8 bytes are then
 * transposed in vector registers. */
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "local/host/host.h"

typedef struct nest {
  mfft_dim loop[4]; /* [loops] outer to inner by output stride; strides in bytes */
  int loops;
  size_t bytes; /* bytes of one element */
} nest;

static void sort_by_output(mfft_dim *loop, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0; j--) {
      if (loop[j - 1].os > loop[j].os || (loop[j - 1].os == loop[j].os && loop[j - 1].is >= loop[j].is)) break;
      mfft_dim swap = loop[j];
      loop[j] = loop[j - 1];
      loop[j - 1] = swap;
    }
}

static nest make_nest(const mfft_block *block, int64_t element_bytes) {
  nest v = {.bytes = (size_t)element_bytes};
  for (int i = 0; i < 4; i++)
    if (block->n[i] != 1)
      v.loop[v.loops++] = (mfft_dim){block->n[i], block->is[i] * element_bytes, block->os[i] * element_bytes};
  sort_by_output(v.loop, v.loops);
  v.loops = mfft_join_dims(v.loop, v.loops);
  if (v.loops) {
    const mfft_dim *last = &v.loop[v.loops - 1];
    if (last->is == element_bytes && last->os == element_bytes) v.bytes *= (size_t)last->n, v.loops--;
  }
  return v;
}

/* Copies a.n x b.n elements, b inner.  Each element size has a function of its own, in which an element takes one or two
 * moves. */
typedef void (*plane_copy)(const mfft_dim *a, const mfft_dim *b, size_t bytes, const char *in, char *out);

#define PLANE(name, size)                                                                                   \
  static void plane_##name(const mfft_dim *a, const mfft_dim *b, size_t bytes, const char *in, char *out) { \
    (void)bytes;                                                                                            \
    const int64_t bn = b->n, bis = b->is, bos = b->os;                                                      \
    for (int64_t i = 0; i < a->n; i++) {                                                                    \
      const char *from = in + i * a->is;                                                                    \
      char *to = out + i * a->os;                                                                           \
      for (int64_t j = 0; j < bn; j++) memcpy(to + j * bos, from + j * bis, size);                          \
    }                                                                                                       \
  }
PLANE(1, 1)
PLANE(2, 2)
PLANE(4, 4)
PLANE(8, 8)
PLANE(16, 16)
PLANE(any, bytes)

static plane_copy plane_for(size_t bytes) {
  static const plane_copy plane[] = {[1] = plane_1, [2] = plane_2, [4] = plane_4, [8] = plane_8, [16] = plane_16};
  return bytes < sizeof plane / sizeof *plane && plane[bytes] ? plane[bytes] : plane_any;
}

#ifdef __SSE2__
/* Transposes 2 x 2 elements of 8 bytes, and 4 x 4 of 4 bytes: `step` bytes from one line of the input or output to the next.
 */
static inline void transpose_8(const char *in, int64_t in_step, char *out, int64_t out_step) {
  const __m128d x = _mm_loadu_pd((const double *)in), y = _mm_loadu_pd((const double *)(in + in_step));
  _mm_storeu_pd((double *)out, _mm_unpacklo_pd(x, y));
  _mm_storeu_pd((double *)(out + out_step), _mm_unpackhi_pd(x, y));
}

static inline void transpose_4(const char *in, int64_t in_step, char *out, int64_t out_step) {
  __m128 x[4];
  for (int i = 0; i < 4; i++) x[i] = _mm_loadu_ps((const float *)(in + i * in_step));
  _MM_TRANSPOSE4_PS(x[0], x[1], x[2], x[3]);
  for (int i = 0; i < 4; i++) _mm_storeu_ps((float *)(out + i * out_step), x[i]);
}

/* Copies a tile of a.n x b.n elements that are contiguous along a in the input and along b in the output.  All elements of
 * an input line's cache line are taken together: lines of a power-of-two distance compete for few sets of the cache. */
#define TRANSPOSED(name, size)                                                                                   \
  static void transposed_##name(const mfft_dim *a, const mfft_dim *b, size_t bytes, const char *in, char *out) { \
    enum { SIDE = 16 / (size), LINE = 64 / (size) };                                                             \
    const int64_t an = a->n / SIDE * SIDE, bn = b->n / SIDE * SIDE, aos = a->os, bis = b->is;                    \
    for (int64_t i = 0; i < an; i += LINE)                                                                       \
      for (int64_t j = 0; j < bn; j += SIDE)                                                                     \
        for (int64_t k = i; k < i + LINE && k < an; k += SIDE)                                                   \
          transpose_##name(in + k * (size) + j * bis, bis, out + k * aos + j * (size), aos);                     \
    const mfft_dim rows = {a->n - an, a->is, aos}, left = {b->n - bn, bis, b->os}, whole = {an, a->is, aos};     \
    plane_##name(&rows, b, bytes, in + an * (size), out + an * aos);                                             \
    plane_##name(&whole, &left, bytes, in + bn * bis, out + bn * (size));                                        \
  }
TRANSPOSED(4, 4)
TRANSPOSED(8, 8)
#endif

/* The copy of a tile. */
static plane_copy tile_copy(const mfft_dim *a, const mfft_dim *b, size_t bytes) {
#ifdef __SSE2__
  const int transposes = a->is == (int64_t)bytes && b->os == (int64_t)bytes;
  if (transposes && bytes == 4) return transposed_4;
  if (transposes && bytes == 8) return transposed_8;
#endif
  (void)a, (void)b;
  return plane_for(bytes);
}

/* Elements of a tile along a loop.  The elements are few cache lines, so that those of a tile fit in one set of an
 * associative cache even if their addresses differ by a power of two. */
static int64_t tile_length(size_t tile_bytes, int64_t most, size_t bytes) {
  const int64_t length = (int64_t)(tile_bytes / bytes);
  return length < 4 ? 4 : length > most ? most : length;
}

static void copy_tiles(const mfft_dim *a, const mfft_dim *b, size_t bytes, const char *in, char *out) {
  const plane_copy plane = tile_copy(a, b, bytes);
  const int64_t ta = tile_length(256, 32, bytes), tb = tile_length(512, 64, bytes);
  for (int64_t i = 0; i < a->n; i += ta)
    for (int64_t j = 0; j < b->n; j += tb) {
      mfft_dim rows = {a->n - i < ta ? a->n - i : ta, a->is, a->os};
      mfft_dim row = {b->n - j < tb ? b->n - j : tb, b->is, b->os};
      plane(&rows, &row, bytes, in + i * a->is + j * b->is, out + i * a->os + j * b->os);
    }
}

static void copy_nest(nest v, const char *in, char *out) {
  static const mfft_dim once = {1, 0, 0};
  mfft_dim a = once, b = once;
  plane_copy plane = plane_for(v.bytes);
  if (v.loops) b = v.loop[--v.loops];
  if (v.loops) {
    int fastest = v.loops - 1; /* the loop of the smallest input stride */
    for (int i = 0; i < v.loops; i++)
      if (v.loop[i].is < v.loop[fastest].is) fastest = i;
    if (v.loop[fastest].is < b.is)
      plane = copy_tiles;
    else
      fastest = v.loops - 1;
    a = v.loop[fastest];
    v.loops--;
    for (int i = fastest; i < v.loops; i++) v.loop[i] = v.loop[i + 1];
  }
  const mfft_dim outer = v.loops > 1 ? v.loop[0] : once, inner = v.loops ? v.loop[v.loops - 1] : once;
  for (int64_t i = 0; i < outer.n; i++)
    for (int64_t j = 0; j < inner.n; j++)
      plane(&a, &b, v.bytes, in + i * outer.is + j * inner.is, out + i * outer.os + j * inner.os);
}

mfft_status mfft_host_copy(const mfft_block *blocks, int64_t nblocks, int64_t element_bytes, const void *in, void *out,
                           void *stream) {
  (void)stream;
  for (int64_t i = 0; i < nblocks; i++)
    copy_nest(make_nest(&blocks[i], element_bytes), (const char *)in + blocks[i].in_offset * element_bytes,
              (char *)out + blocks[i].out_offset * element_bytes);
  return MFFT_SUCCESS;
}
