// difference.cu: the difference of four points along an axis, of the own cells of a mesh with two layers of ghost cells.
//
// The operations are those of particles/difference.c, in the same sequence, so that the results have the same bits.
#include "particle.cuh"

namespace mfft {

template <typename real>
__device__ __forceinline__ double load_cell(const mfft_difference_args &a, const long long at[3], int away) {
  const long long along = at[a.axis] + away;
  const bool below = along < 0, own = !below && along < a.n[a.axis];
  const long long *stride = own ? a.stride : a.rim_stride[!below];
  long long element = own ? 0 : a.rim_start[!below];
#pragma unroll
  for (int d = 0; d < 3; d++) element += (d == a.axis ? along : at[d]) * stride[d];
  return (double)((const real *)(own ? a.own : a.rims))[element];
}

template <typename real>
__device__ __forceinline__ void take(const mfft_difference_args &a, const long long at[3]) {
  const double near = mfft_n_add(load_cell<real>(a, at, 1), -load_cell<real>(a, at, -1));
  const double far = mfft_n_add(load_cell<real>(a, at, 2), -load_cell<real>(a, at, -2));
  const double value = mfft_n_mul(mfft_n_add(mfft_n_mul(8, near), -far), a.factor);
  ((real *)a.out)[at[0] * a.stride[0] + at[1] * a.stride[1] + at[2] * a.stride[2]] = (real)value;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_difference_args a) {
  const u64 all = (u64)(a.n[0] * a.n[1] * a.n[2]), step = (u64)gridDim.x * PARTICLE_BLOCK;
  const u32 across = (u32)a.n[1], along = (u32)a.n[2];
  for (u64 i = (u64)blockIdx.x * PARTICLE_BLOCK + threadIdx.x; i < all; i += step) {
    const u64 row = i / along, plane = row / across;
    const long long at[3] = {(long long)plane, (long long)(row - plane * across), (long long)(i - row * along)};
    if (a.single)
      take<float>(a, at);
    else
      take<double>(a, at);
  }
}

}  // namespace mfft
