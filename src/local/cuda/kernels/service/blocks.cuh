// blocks.cuh: the elements of blocks of four nested loops, and copies of a list of blocks, element by element.
#pragma once

#include "block_args.h"
#include "ptx.cuh"

namespace mfft {

// The indices of the loops of a block at its element `at`.  COUNT: an unsigned integer that holds the number of elements.
template <class COUNT>
struct block_indices {
  COUNT i[4];  // [loop] from the outermost to the innermost

  __device__ __forceinline__ block_indices(const long long (&n)[4], COUNT at) {
    const COUNT row = at / (COUNT)n[3], plane = row / (COUNT)n[2];
    i[0] = plane / (COUNT)n[1];
    i[1] = plane - i[0] * (COUNT)n[1];
    i[2] = row - plane * (COUNT)n[2];
    i[3] = at - row * (COUNT)n[3];
  }
  __device__ __forceinline__ long long offset(const long long (&stride)[4]) const {
    return (long long)i[0] * stride[0] + (long long)i[1] * stride[1] + (long long)i[2] * stride[2] +
           (long long)i[3] * stride[3];
  }
};

// Copies the elements of block b, converted by `changed`, with thread blocks of THREADS; a thread issues FLIGHT loads at
// once. COUNT has 32 bits if the block is small enough, since divisions in 64 bits would take longer than the copy.
template <class COUNT, class SOURCE, class TARGET, int THREADS, int FLIGHT, class CHANGE>
__device__ __forceinline__ void move_block(const mfft_copy_args &a, int b, CHANGE changed) {
  const SOURCE *in = (const SOURCE *)a.in[b];
  TARGET *out = (TARGET *)a.out[b];
  const COUNT count = (COUNT)(a.n[b][0] * a.n[b][1] * a.n[b][2] * a.n[b][3]), step = (COUNT)gridDim.x * THREADS * FLIGHT;
  for (COUNT first = (COUNT)blockIdx.x * THREADS * FLIGHT + threadIdx.x; first < count; first += step) {
    SOURCE moved[FLIGHT];
    long long to[FLIGHT];
#pragma unroll
    for (int f = 0; f < FLIGHT; f++) {
      if (first + f * THREADS >= count) break;
      const block_indices<COUNT> at(a.n[b], first + f * THREADS);
      to[f] = at.offset(a.os[b]);
      moved[f] = in[at.offset(a.is[b])];
    }
#pragma unroll
    for (int f = 0; f < FLIGHT; f++)
      if (first + f * THREADS < count) out[to[f]] = changed(moved[f]);
    if (first > (COUNT)-1 - step) break;
  }
}

// Copies block blockIdx.y of the list.
template <class SOURCE, class TARGET, int THREADS, int FLIGHT, class CHANGE>
__device__ __forceinline__ void move_blocks(const mfft_copy_args &a, CHANGE changed) {
  const int b = blockIdx.y;
  wait_for_previous();
  if (a.n[b][0] * a.n[b][1] * a.n[b][2] * a.n[b][3] <= 0x7fffffffll)
    move_block<u32, SOURCE, TARGET, THREADS, FLIGHT>(a, b, changed);
  else
    move_block<unsigned long long, SOURCE, TARGET, THREADS, FLIGHT>(a, b, changed);
}

}  // namespace mfft
