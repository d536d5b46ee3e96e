// warp_transpose.cuh: who of a warp moves what between registers and device memory.
//
// A fragment gives eight lanes that are served together four rows of memory (fragment.cuh), where four times eight lanes
// could have a row each.  So lane 8 t + g carries what lane 4 g + t has: eight lanes, one row, and a quarter of the cache
// lines for each eight.  Lanes exchange by shuffles, of which four cost as much as 512 bytes from memory do.
#pragma once

#include "ptx.cuh"

namespace mfft {

// The thread whose elements this one carries, and the lane that carries those of this one.
__device__ __forceinline__ u32 carried_thread() {
  return (threadIdx.x & ~31u) | (threadIdx.x & 7) << 2 | (threadIdx.x >> 3 & 3);
}
__device__ __forceinline__ u32 carrier_lane() { return (threadIdx.x & 3) << 3 | (threadIdx.x >> 2 & 7); }

// Whether that pays: where a warp has `together` bytes of each row, `most` at most, and rows are `apart` bytes from one to
// the next.  Eight lanes meet so many cache lines in four rows, or in a row of eight; and a shuffle costs as much as a line.
constexpr u32 FAR_ROWS = 128;
__host__ __device__ constexpr bool worth_carrying(u32 together, u32 most, u32 apart) {
  const u32 by_four = apart < FAR_ROWS ? (apart + 31) / 32 : 4, by_eight = 128 / (together < most ? together : most);
  return by_eight + 1 < by_four;
}

}  // namespace mfft
