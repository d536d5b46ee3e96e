// bank_layout.cuh: layouts of tiles in shared memory whose accesses are free of bank conflicts, found by the compiler.
//
// All counts are powers of two, so the bits of an offset are bits of the coordinates of its element.  Eight lanes whose
// accesses are served at once access eight units of 16 bytes, which must be in eight different groups of four banks.  The
// lowest bits of an offset are the index in the unit, the next three the group of banks; each higher bit is also added to
// those three by exclusive or (a swizzle in the sense of CuTe).  The solver chooses these additions by backtracking.
#pragma once

#include "ptx.cuh"

namespace mfft {

__host__ __device__ constexpr u32 log2_of(u32 n) { return n < 2 ? 0 : 1 + log2_of(n / 2); }

constexpr int MOST_BITS = 20;
struct swizzle {
  int of[MOST_BITS];  // [bit of an offset] number, 0 .. 7, that it adds to the group of banks
  bool found;
};
// The three bits of offsets in which eight lanes differ whose accesses are served at once.
struct access {
  int bit[3];
};
struct access_list {
  access of[12];  // [count]
  int count;
};
// Whether those lanes access eight different groups of banks, given the additions of bits up to `known`.  The three bits
// from UNIT_BITS on are the group of banks itself; lower bits are the index in the unit.  The lanes differ in three bits,
// whose additions must be independent as vectors over GF(2): none is 0, no two are equal, and no one is the sum of the
// others.
template <int UNIT_BITS>
__host__ __device__ constexpr bool conflict_free(const swizzle &s, const access &a, int known) {
  int v[3] = {}, count = 0;
  for (int j = 0; j < 3; j++)
    if (a.bit[j] >= UNIT_BITS && a.bit[j] <= known)
      v[count++] = a.bit[j] < UNIT_BITS + 3 ? 1 << (a.bit[j] - UNIT_BITS) : s.of[a.bit[j]];
  for (int j = 0; j < count; j++)
    for (int k = 0; k < count; k++)
      if (v[j] == 0 || (j != k && v[j] == v[k])) return false;
  return count < 3 || (v[0] ^ v[1]) != v[2];
}
// Chooses the additions of the bits from `bit` on by backtracking; false if no choice is free of conflicts.
template <int UNIT_BITS>
__host__ __device__ constexpr bool solve_banks(swizzle &s, const access_list &all, int bits, int bit) {
  if (bit >= bits) return true;
  bool used = false;
  for (int i = 0; i < all.count; i++)
    for (int j = 0; j < 3; j++) used = used || all.of[i].bit[j] == bit;
  for (int v = 0; v < (used && bit >= UNIT_BITS + 3 ? 8 : 1); v++) {
    s.of[bit] = v;
    bool fits = true;
    for (int i = 0; used && i < all.count; i++) fits = fits && conflict_free<UNIT_BITS>(s, all.of[i], bit);
    if (fits && solve_banks<UNIT_BITS>(s, all, bits, bit + 1)) return true;
  }
  return false;
}
// Finds the swizzle of a tile of 2^bits elements, 2^UNIT_BITS of them a unit.  Higher bits are the block of a cluster and
// add nothing.
template <int UNIT_BITS>
__host__ __device__ constexpr swizzle solve_banks(const access_list &all, int bits) {
  swizzle s = {};
  s.found = solve_banks<UNIT_BITS>(s, all, bits, UNIT_BITS);
  return s;
}

// The bits of the group of banks to which a swizzle adds the bits that are `distance` higher.
__host__ __device__ constexpr u32 moved_bits(const swizzle &s, int unit_bits, int bits, int distance) {
  u32 mask = 0;
  for (int j = 0; j < 3; j++) {
    int from = unit_bits + j + distance;
    if (from >= unit_bits + 3 && from < bits && (s.of[from] >> j & 1)) mask |= 1u << (unit_bits + j);
  }
  return mask;
}
// Applies a swizzle to an offset in elements.  Bits with the same distance to the bits that they are added to are shifted at
// once.
template <class BANKS, int BITS, int DISTANCE = 1>
__host__ __device__ constexpr u32 add_swizzle(u32 offset) {
  if constexpr (DISTANCE < BITS) {
    constexpr u32 mask = moved_bits(BANKS::SWIZZLE, BANKS::UNIT_BITS, BITS, DISTANCE);
    return (offset >> DISTANCE & mask) ^ add_swizzle<BANKS, BITS, DISTANCE + 1>(offset);
  }
  return offset;
}

// Adds the bits of `more`, a constant, to those of `base`, both in bytes.  Only bits that a swizzle changes need more than
// the immediate offset of the instruction.
template <u32 SWIZZLED = 7 * 16>
__device__ __forceinline__ char *swizzled(char *shared, u32 base, u32 more) {
  return shared + (base ^ (more & SWIZZLED)) + (more & ~SWIZZLED);
}

}  // namespace mfft
