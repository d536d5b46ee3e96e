// product.cu: an array plus the product of two, element by element (mfft_plan_multiply_add in mfft_array.h).
#include "memory.cuh"
#include "rounded.h"

namespace mfft {

__device__ __forceinline__ long long place_of(const mfft_product_args &a, unsigned long long index) {
  if (a.n[4] == a.count) return (long long)index * a.stride[4];  // dense
  long long at = 0;
#pragma unroll
  for (int loop = 4; loop >= 0; loop--) {
    const unsigned long long rest = index / a.n[loop];
    at += (long long)(index - rest * a.n[loop]) * a.stride[loop];
    index = rest;
  }
  return at;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_product_args a) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < a.count; i += gridDim.x * 256ull) {
    const long long at = place_of(a, i);
    const double x = widen_real(((const stored_real *)a.a)[at]), y = widen_real(((const stored_real *)a.b)[at]);
    stored_real *to = (stored_real *)a.c + at;
    double sum = mfft_n_mul(a.alpha, mfft_n_mul(x, y));
    if (a.beta != 0) sum = mfft_n_add(mfft_n_mul(a.beta, (double)widen_real(*to)), sum);
    *to = narrow_real((real)sum);
  }
}

}  // namespace mfft
