// copy.cu: strided copies of blocks, one launch for a list.  COPY_BYTES is what a thread moves at a time: 2, 4, 8 or 16.
#include "args.h"
#include "ptx.cuh"

namespace mfft {

#if COPY_BYTES == 16
typedef uint4 element;
#elif COPY_BYTES == 8
typedef uint2 element;
#elif COPY_BYTES == 4
typedef unsigned int element;
#else
typedef unsigned short element;
#endif

enum { THREADS = 256, FLIGHT = 8 };  // FLIGHT loads of a thread wait together

// COUNT is 32 bits wide where the block allows it: divisions in 64 bits would cost more than the copy.
template <class COUNT>
__device__ __forceinline__ void copy(const mfft_copy_args &a, int b) {
  const element *in = (const element *)a.in[b];
  element *out = (element *)a.out[b];
  const COUNT n1 = (COUNT)a.n[b][1], n2 = (COUNT)a.n[b][2], n3 = (COUNT)a.n[b][3];
  const COUNT count = (COUNT)a.n[b][0] * n1 * n2 * n3, step = (COUNT)gridDim.x * THREADS * FLIGHT;
  for (COUNT first = (COUNT)blockIdx.x * THREADS * FLIGHT + threadIdx.x; first < count; first += step) {
    element moved[FLIGHT];
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
      if (first + f * THREADS < count) out[to[f]] = moved[f];
    if (first > (COUNT)-1 - step) break;
  }
}

extern "C" __global__ void __launch_bounds__(THREADS) mfft_pass(const __grid_constant__ mfft_copy_args a) {
  int b = blockIdx.y;
  wait_for_previous();
  if (a.n[b][0] * a.n[b][1] * a.n[b][2] * a.n[b][3] <= 0x7fffffffll)
    copy<u32>(a, b);
  else
    copy<unsigned long long>(a, b);
}

}  // namespace mfft
