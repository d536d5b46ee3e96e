// unit.cuh: units of 16 bytes, four 16-bit complexes, in shared memory.
#pragma once

#include "memory.cuh"

namespace mfft {

__host__ __device__ constexpr u32 log2_of(u32 n) { return n < 2 ? 0 : 1 + log2_of(n / 2); }

struct quad {
  u32 x[4];
};
__device__ __forceinline__ quad read_quad(const void *p) {
  uint4 v = *(const uint4 *)p;
  return {{v.x, v.y, v.z, v.w}};
}
__device__ __forceinline__ uint2 read_half(const void *p) { return *(const uint2 *)p; }
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

// Places are made of their coordinates' bits by exclusive or.  The place whose coordinates add the bits of `more`, known at
// compile time, to those of `base`: only turned bits need more than an offset.
template <u32 TURNED = 7 * 16>
__device__ __forceinline__ char *in_tile(char *shared, u32 base, u32 more) {
  return shared + (base ^ (more & TURNED)) + (more & ~TURNED);
}

}  // namespace mfft
