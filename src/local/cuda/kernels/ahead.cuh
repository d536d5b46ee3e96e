// ahead.cuh: tiles that are copied to shared memory while a block works on the one before.  What a thread loads has places
// of its own there, [VALUES][BLOCK], so that it waits for its own copies only, and threads beside each other meet banks
// beside each other.
#pragma once

#include "exchange.cuh"

namespace mfft {

// copy(to, line, pos) begins to copy an element of the first merge of chain C.
template <class C, class F>
__device__ __forceinline__ void copy_ahead(value *ahead, F copy) {
  constexpr int R = C::radix(0);
  C::template each<0>({}, [&](int b, int line, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) copy(ahead + (b * R + q) * BLOCK + threadIdx.x, line, j + q * (C::N / R));
  });
}

template <class C>
__device__ __forceinline__ void take_ahead(value *v, const value *ahead) {
  constexpr int R = C::radix(0);
  await_copies();
  C::template each<0>({}, [&](int b, int, int) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = ahead[(b * R + q) * BLOCK + threadIdx.x];
  });
}

}  // namespace mfft
