// blocks.cuh: copies of a list of blocks, element by element.
#pragma once

#include "block_args.h"
#include "ptx.cuh"

namespace mfft {

// Copies the elements of block b, converted by `changed`, with thread blocks of THREADS; a thread issues FLIGHT loads at
// once. COUNT has 32 bits if the block is small enough, since divisions in 64 bits would take longer than the copy.
template <class COUNT, class SOURCE, class TARGET, int THREADS, int FLIGHT, class CHANGE>
__device__ __forceinline__ void move_block(const mfft_copy_args &a, int b, CHANGE changed) {
  const SOURCE *in = (const SOURCE *)a.in[b];
  TARGET *out = (TARGET *)a.out[b];
  const COUNT n1 = (COUNT)a.n[b][1], n2 = (COUNT)a.n[b][2], n3 = (COUNT)a.n[b][3];
  const COUNT count = (COUNT)a.n[b][0] * n1 * n2 * n3, step = (COUNT)gridDim.x * THREADS * FLIGHT;
  for (COUNT first = (COUNT)blockIdx.x * THREADS * FLIGHT + threadIdx.x; first < count; first += step) {
    SOURCE moved[FLIGHT];
    long long to[FLIGHT];
#pragma unroll
    for (int f = 0; f < FLIGHT; f++) {
      COUNT at = first + f * THREADS;
      if (at >= count) break;
      COUNT row = at / n3, i3 = at - row * n3, plane = row / n2, i2 = row - plane * n2, i0 = plane / n1,
            i1 = plane - i0 * n1;
      to[f] =
          (long long)i0 * a.os[b][0] + (long long)i1 * a.os[b][1] + (long long)i2 * a.os[b][2] + (long long)i3 * a.os[b][3];
      moved[f] = in[(long long)i0 * a.is[b][0] + (long long)i1 * a.is[b][1] + (long long)i2 * a.is[b][2] +
                    (long long)i3 * a.is[b][3]];
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
