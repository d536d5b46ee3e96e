// resize.cu: copies of blocks of complexes between arrays of which one has half the width (wired.cuh).  RESIZE_DOUBLE: of
// double, else single; RESIZE_NARROWS: the output, else the input.
#include "args.h"
#include "wired.cuh"

namespace mfft {

enum { THREADS = 256, FLIGHT = 4 };  // FLIGHT loads of a thread wait together

#if RESIZE_DOUBLE
typedef double real;
typedef double2 whole;
#else
typedef float real;
typedef float2 whole;
#endif
typedef half_width<real>::wired wired;

#if RESIZE_NARROWS
typedef whole source;
typedef wired target;
__device__ __forceinline__ target resized(source x) { return to_wire<real>(x.x, x.y); }
#else
typedef wired source;
typedef whole target;
__device__ __forceinline__ target resized(source x) {
  whole v;
  from_wire<real>(x, &v.x, &v.y);
  return v;
}
#endif

template <class COUNT>
__device__ __forceinline__ void copy(const mfft_copy_args &a, int b) {
  const source *in = (const source *)a.in[b];
  target *out = (target *)a.out[b];
  const COUNT n1 = (COUNT)a.n[b][1], n2 = (COUNT)a.n[b][2], n3 = (COUNT)a.n[b][3], count = (COUNT)a.n[b][0] * n1 * n2 * n3;
  for (COUNT first = (COUNT)blockIdx.x * THREADS * FLIGHT + threadIdx.x; first < count;
       first += (COUNT)gridDim.x * THREADS * FLIGHT) {
    source moved[FLIGHT];
    long long to[FLIGHT];
#pragma unroll
    for (int f = 0; f < FLIGHT; f++) {
      const COUNT at = first + f * THREADS;
      if (at >= count) break;
      const COUNT row = at / n3, i3 = at - row * n3, plane = row / n2, i2 = row - plane * n2, i0 = plane / n1,
                  i1 = plane - i0 * n1;
      to[f] =
          (long long)i0 * a.os[b][0] + (long long)i1 * a.os[b][1] + (long long)i2 * a.os[b][2] + (long long)i3 * a.os[b][3];
      moved[f] = in[(long long)i0 * a.is[b][0] + (long long)i1 * a.is[b][1] + (long long)i2 * a.is[b][2] +
                    (long long)i3 * a.is[b][3]];
    }
#pragma unroll
    for (int f = 0; f < FLIGHT; f++)
      if (first + f * THREADS < count) out[to[f]] = resized(moved[f]);
  }
}

extern "C" __global__ void __launch_bounds__(THREADS) mfft_pass(const __grid_constant__ mfft_copy_args a) {
  const int b = blockIdx.y;
  wait_for_previous();
  if (a.n[b][0] * a.n[b][1] * a.n[b][2] * a.n[b][3] <= 0x3fffffffll)  // and a step beyond
    copy<u32>(a, b);
  else
    copy<unsigned long long>(a, b);
}

}  // namespace mfft
