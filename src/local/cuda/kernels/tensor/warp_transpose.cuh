// warp_transpose.cuh: a transposition of the lanes of a warp between registers and device memory.
//
// A fragment gives eight lanes that are served together four rows of memory (fragment.cuh), where four times eight lanes
// could have a row each.  So lane 8 t + g loads and stores what lane 4 g + t computes with: eight lanes access one row, and
// a quarter of the cache lines each time.  Lanes exchange by shuffles, of which four cost as much as 512 bytes from memory.
#pragma once

#include "ptx.cuh"

namespace mfft {

// The thread whose elements this one loads and stores, and the lane that loads and stores those of this one.
__device__ __forceinline__ u32 transposed_thread() {
  return (threadIdx.x & ~31u) | (threadIdx.x & 7) << 2 | (threadIdx.x >> 3 & 3);
}
__device__ __forceinline__ u32 transposed_lane() { return (threadIdx.x & 3) << 3 | (threadIdx.x >> 2 & 7); }

// Whether that pays: where a warp has `together` bytes of each row, `most` at most, and rows are `distance` bytes from one
// to the next.  Eight lanes access so many cache lines in four rows, or in a row of eight; and a shuffle costs as much as a
// line.
constexpr u32 FAR_ROWS = 128;
__host__ __device__ constexpr bool transpose_pays(u32 together, u32 most, u32 distance) {
  const u32 by_four = distance < FAR_ROWS ? (distance + 31) / 32 : 4, by_eight = 128 / (together < most ? together : most);
  return by_eight + 1 < by_four;
}

}  // namespace mfft
