// exchange.cuh: the tile of a block in shared memory, through which threads hand each other values between merges.
#pragma once

#include "memory.cuh"

namespace mfft {

// All maps by line: lines are innermost, so that neighbouring threads meet neighbouring banks.  Otherwise each line is a row
// with one gap in 16, because merges write at distances of their radix.
constexpr bool LINE_INNER = PASS_MAP_IN == BY_LINE && PASS_MAP_MID == BY_LINE && PASS_MAP_OUT == BY_LINE;
constexpr int PITCH = (N + N / 16) | 1;
__host__ __device__ constexpr int slot(int line, int pos) {
  return LINE_INNER ? pos * LINES + line : line * PITCH + pos + pos / 16;
}
constexpr int SLOTS = LINE_INNER ? N * LINES : PITCH * LINES;

// Lines that no two warps share need only the warp to be in step.
constexpr bool WARP_LOCAL = !PASS_STAGED_IN && !PASS_STAGED_OUT && PASS_MAP_IN == BY_ELEMENT && PASS_MAP_MID == BY_ELEMENT &&
                            PASS_MAP_OUT == BY_ELEMENT && 32 % THREADS == 0;
__device__ __forceinline__ void in_step() {
  if constexpr (WARP_LOCAL)
    __syncwarp();
  else
    __syncthreads();
}

// The two coordinates of a thread under a map.
template <int MAP>
__device__ __forceinline__ int line_of_thread() {
  return MAP == BY_LINE ? threadIdx.x % LINES : threadIdx.x / THREADS;
}
template <int MAP>
__device__ __forceinline__ int part_of_thread() {
  return MAP == BY_LINE ? threadIdx.x / LINES : threadIdx.x % THREADS;
}

// Where output q of butterfly j goes, after merges whose radices multiply to S (Stockham: natural order at the end).
template <int R, int S>
__device__ __forceinline__ int written(int j, int q) {
  return j / S * (S * R) + j % S + q * S;
}

}  // namespace mfft
