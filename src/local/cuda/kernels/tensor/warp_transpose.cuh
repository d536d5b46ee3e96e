// warp_transpose.cuh: a transposition of the lanes of a warp between registers and device memory.
//
// In a fragment, eight lanes that are served at once access four rows of memory (fragment.cuh), although each group of eight
// lanes could access one row.  Therefore lane 8 t + g loads and stores the elements with which lane 4 g + t computes: eight
// lanes access one row, and a quarter of the cache lines at a time.  Lanes exchange elements by shuffles; four shuffles take
// as long as 512 bytes of memory traffic.
#pragma once

#include "ptx.cuh"

namespace mfft {

// The thread whose elements this thread loads and stores, and the lane that loads and stores the elements of this thread.
__device__ __forceinline__ u32 transposed_thread() {
  return (threadIdx.x & ~31u) | (threadIdx.x & 7) << 2 | (threadIdx.x >> 3 & 3);
}
__device__ __forceinline__ u32 transposed_lane() { return (threadIdx.x & 3) << 3 | (threadIdx.x >> 2 & 7); }

constexpr u32 FAR_ROWS = 128;  // rows that are so many bytes apart, or more, have no cache line in common

// Whether a transposition is faster, if a warp has `together` contiguous bytes of each row, at most `most`, and rows are
// `distance` bytes apart.  The estimate compares the cache lines that eight lanes access, in four rows or in one, where a
// shuffle takes as long as a cache line.
__host__ __device__ constexpr bool transpose_pays(u32 together, u32 most, u32 distance) {
  const u32 by_four = distance < FAR_ROWS ? (distance + 31) / 32 : 4, by_eight = 128 / (together < most ? together : most);
  return by_eight + 1 < by_four;
}

}  // namespace mfft
