/* sums.c: checksums of slabs. */
#include "field/sums.h"

static const uint64_t A = 0x9e3779b97f4a7c15u, B = 0xbf58476d1ce4e5b9u, C = 0x94d049bb133111ebu;

mfft_slabs mfft_slabs_of(const int64_t n[3], int64_t depth) {
  mfft_slabs slabs = {depth, n[0] / depth + (n[0] % depth != 0), n[1] * n[2], n[0] * n[1] * n[2]};
  return slabs;
}

mfft_slabs mfft_slabs_choose(const int64_t n[3]) {
  int64_t depth = 1;
  while (depth < n[0] && (depth * n[1] * n[2] < MFFT_SLAB_LEAST_ELEMENTS || n[0] / depth >= MFFT_SLAB_MOST)) depth *= 2;
  return mfft_slabs_of(n, depth);
}

int64_t mfft_slab_elements(const mfft_slabs *slabs, int64_t slab) {
  int64_t whole = slabs->depth * slabs->plane, left = slabs->elements - slab * whole;
  return left < whole ? left : whole;
}

static inline uint64_t mix(uint64_t bits, uint64_t key) {
  uint64_t v = (bits ^ key) * B;
  v = (v ^ v >> 29) * C;
  return v ^ v >> 32;
}

static uint64_t sum4(const uint32_t *bits, int64_t count, uint64_t first) {
  uint64_t sum = 0, key = first * A;
  for (int64_t i = 0; i < count; i++, key += A) sum += mix(bits[i], key);
  return sum;
}

static uint64_t sum8(const uint64_t *bits, int64_t count, uint64_t first) {
  uint64_t sum = 0, key = first * A;
  for (int64_t i = 0; i < count; i++, key += A) sum += mix(bits[i], key);
  return sum;
}

void mfft_sums_add(const mfft_slabs *slabs, uint64_t *sums, const void *bits, int element_bytes, int64_t first,
                   int64_t count) {
  const char *at = bits;
  int64_t whole = slabs->depth * slabs->plane;
  while (count > 0) {
    int64_t slab = first / whole, part = (slab + 1) * whole - first;
    if (part > count) part = count;
    sums[slab] += element_bytes == 4 ? sum4((const uint32_t *)(const void *)at, part, (uint64_t)first)
                                     : sum8((const uint64_t *)(const void *)at, part, (uint64_t)first);
    at += part * element_bytes;
    first += part;
    count -= part;
  }
}
