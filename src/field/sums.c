/* sums.c: checksums of slabs. */
#include "field/sums.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "base/checksum.h"

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

uint64_t mfft_sums_whole(const mfft_slabs *slabs, const uint64_t *sums) {
  uint64_t whole = 0;
  for (int64_t slab = 0; slab < slabs->count; slab++) whole += sums[slab];
  return whole;
}

/* Adds to a sum to which other threads may be adding; plain and atomic numbers of 64 bits have the same representation. */
static void add(uint64_t *sum, uint64_t more) {
  atomic_fetch_add_explicit((_Atomic uint64_t *)sum, more, memory_order_relaxed);
}

void mfft_sums_add(const mfft_slabs *slabs, uint64_t *sums, const void *bits, int element_bytes, int64_t first,
                   int64_t count) {
  const char *at = bits;
  int64_t whole = slabs->depth * slabs->plane;
  while (count > 0) {
    int64_t slab = first / whole, part = (slab + 1) * whole - first;
    if (part > count) part = count;
    add(&sums[slab], mfft_checksum(at, element_bytes, first, part));
    at += part * element_bytes;
    first += part;
    count -= part;
  }
}

mfft_status mfft_sums_add_rows(const mfft_slabs *slabs, uint64_t *sums, const mfft_box *box, int64_t first, int64_t count,
                               const uint64_t *checksum) {
  const int64_t across = mfft_box_extent(box, 1), all = mfft_box_empty(box) ? 0 : mfft_box_extent(box, 0) * across;
  if (first < 0 || count < 0 || first > all || count > all - first || (count && !checksum))
    return mfft_fail(MFFT_ERR_ARG, "checksums of rows %" PRId64 " to %" PRId64 " at %p; the box has %" PRId64 " rows", first,
                     first + count - 1, (const void *)checksum, all);
  for (int64_t r = 0; r < count; r++) add(&sums[(box->lo[0] + (first + r) / across) / slabs->depth], checksum[r]);
  return MFFT_SUCCESS;
}
