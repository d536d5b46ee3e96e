// loops.cuh: the place of a number that nested loops reach after a number of steps.
#pragma once

#include "ptx.cuh"

namespace mfft {

// Calls visit(loop, index of the loop) for the first LOOPS of nested loops, the innermost first, after `step` steps.
template <int LOOPS, int ALL, class VISIT>
__device__ __forceinline__ void visit_loops(unsigned long long step, const unsigned long long (&n)[ALL], VISIT visit) {
#pragma unroll
  for (int loop = LOOPS - 1; loop >= 0; loop--) {
    const unsigned long long rest = step / n[loop];
    visit(loop, step - rest * n[loop]);
    step = rest;
  }
}

// Offset of the number that the loops reach after `step` steps.
template <int LOOPS>
__device__ __forceinline__ long long place_in_loops(unsigned long long step, const unsigned long long (&n)[LOOPS],
                                                    const long long (&stride)[LOOPS]) {
  long long at = 0;
  visit_loops<LOOPS>(step, n, [&](int loop, unsigned long long index) { at += (long long)index * stride[loop]; });
  return at;
}

// Calls visit(row, lane, width) for the rows along the innermost loop that a thread processes: `width` = 2^a.shift
// neighbouring threads of the 256 of a block take a row together, of which this thread is number `lane`.
template <class ARGS, class VISIT>
__device__ __forceinline__ void visit_rows(const ARGS &a, VISIT visit) {
  const unsigned long long rows = a.n[0] * a.n[1] * a.n[2];
  const u32 width = 1u << a.shift, lane = threadIdx.x & (width - 1), height = 256u >> a.shift;
  for (unsigned long long r = blockIdx.x * (unsigned long long)height + (threadIdx.x >> a.shift); r < rows;
       r += gridDim.x * (unsigned long long)height)
    visit(r, lane, width);
}

// The same as place_in_loops for an array of `count` numbers; without divisions if the innermost loop alone has all of them.
template <int LOOPS>
__device__ __forceinline__ long long place_of_number(unsigned long long index, unsigned long long count,
                                                     const unsigned long long (&n)[LOOPS],
                                                     const long long (&stride)[LOOPS]) {
  if (n[LOOPS - 1] == count) return (long long)index * stride[LOOPS - 1];
  return place_in_loops(index, n, stride);
}

}  // namespace mfft
