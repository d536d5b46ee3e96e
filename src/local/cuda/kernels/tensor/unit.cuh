// unit.cuh: units of 16 bytes, four 16-bit complexes, in shared memory.
#pragma once

#include "memory.cuh"

namespace mfft {

__host__ __device__ constexpr u32 log2_of(u32 n) { return n < 2 ? 0 : 1 + log2_of(n / 2); }

struct quad {
  u32 x[4];
};
__device__ __forceinline__ quad as_quad(uint4 v) { return {{v.x, v.y, v.z, v.w}}; }
__device__ __forceinline__ quad read_quad(const void *p) { return as_quad(*(const uint4 *)p); }
// Row t + 4 i of four neighbouring columns, for the operands of two tiles: [h][half of the rows].
__device__ __forceinline__ void hold(quad (&x)[2][2], u32 i, const quad &row) {
#pragma unroll
  for (u32 c = 0; c < 4; c++) x[c / 2][i % 2].x[i / 2 * 2 + c % 2] = row.x[c];
}
// The same of two, for one tile.
__device__ __forceinline__ void hold_pair(quad (&x)[2], u32 i, uint2 row) {
  x[i % 2].x[i / 2 * 2] = row.x, x[i % 2].x[i / 2 * 2 + 1] = row.y;
}
__device__ __forceinline__ uint2 read_half(const void *p) { return *(const uint2 *)p; }
__device__ __forceinline__ void write_half(void *p, u32 x, u32 y) { *(uint2 *)p = make_uint2(x, y); }
__device__ __forceinline__ void write_quad(void *p, u32 x, u32 y, u32 z, u32 w) { *(uint4 *)p = make_uint4(x, y, z, w); }

// From device to shared memory, on its way until it is waited for; one by one as below.  It stays in cache whatever
// PASS_ONCE says: with a cache hint, ptxas 13.0 may leave the register of the policy unset, which is an illegal instruction.
template <bool WIDE>
__device__ __forceinline__ void copy_unit(void *to, const u32 *from) {
  if constexpr (!WIDE) {
#pragma unroll
    for (u32 i = 0; i < 4; i++) copy_to_shared((u32 *)to + i, from + i);
  } else {
    copy_to_shared((uint4 *)to, (const uint4 *)from);
  }
}

// To device memory, where all four are neighbours; one by one where the pointer is not aligned to 16 bytes.
template <bool WIDE>
__device__ __forceinline__ void store_unit(u32 *to, u32 x, u32 y, u32 z, u32 w) {
  if constexpr (WIDE)
    to_memory((uint4 *)to, make_uint4(x, y, z, w));
  else
    to_memory(to, x), to_memory(to + 1, y), to_memory(to + 2, z), to_memory(to + 3, w);
}

// A place counts elements: bits 0 and 1 of it tell the four of a unit, bits 2 .. 4 which of the eight units of all banks
// that is in, turned by higher bits by exclusive or.
constexpr int MOST_BITS = 20;
struct turns {
  int of[MOST_BITS];  // [bit of a place]
  bool found;
};
// Of each access, the three bits of places in which eight lanes differ that are served together.
struct trio {
  int place[3];
};
struct trios {
  trio of[12];  // [count]
  int count;
};
// Whether those lanes never meet, as far as the turns of bits up to `known` tell.
__host__ __device__ constexpr bool apart(const turns &turn, const trio &t, int known) {
  int v[3] = {}, count = 0;
  for (int j = 0; j < 3; j++)
    if (t.place[j] <= known) v[count++] = t.place[j] < 5 ? 1 << (t.place[j] - 2) : turn.of[t.place[j]];
  for (int j = 0; j < count; j++)
    for (int k = 0; k < count; k++)
      if (v[j] == 0 || (j != k && v[j] == v[k])) return false;
  return count < 3 || (v[0] ^ v[1]) != v[2];
}
__host__ __device__ constexpr bool find_turns(turns &turn, const trios &all, int bits, int place) {
  if (place >= bits) return true;
  bool wanted = false;
  for (int i = 0; i < all.count; i++)
    for (int j = 0; j < 3; j++) wanted = wanted || all.of[i].place[j] == place;
  for (int v = 0; v < (wanted && place >= 5 ? 8 : 1); v++) {
    turn.of[place] = v;
    bool fits = true;
    for (int i = 0; wanted && i < all.count; i++) fits = fits && apart(turn, all.of[i], place);
    if (fits && find_turns(turn, all, bits, place + 1)) return true;
  }
  return false;
}
// Of a tile of 2^bits elements; bits beyond that are of another block, and are not turned.
__host__ __device__ constexpr turns find_turns(const trios &all, int bits) {
  turns turn = {};
  turn.found = find_turns(turn, all, bits, 2);
  return turn;
}

// Places are made of their coordinates' bits by exclusive or.  The place whose coordinates add the bits of `more`, known at
// compile time, to those of `base`: only turned bits need more than an offset.
template <u32 TURNED = 7 * 16>
__device__ __forceinline__ char *in_tile(char *shared, u32 base, u32 more) {
  return shared + (base ^ (more & TURNED)) + (more & ~TURNED);
}

}  // namespace mfft
