// cells.cu: the sums of own cells: 0: zeros before a deposit; 1: their conversion to numbers of the mesh after it.
#include "particle.cuh"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_sums_of_cells_args a) {
  const u64 all = (u64)(a.n[0] * a.n[1] * a.n[2]), step = (u64)gridDim.x * PARTICLE_BLOCK;
  const u32 across = (u32)a.n[1], along = (u32)a.n[2];
#if PARTICLE_STEP == 1
  u64 found = 0;
#endif
  for (u64 i = (u64)blockIdx.x * PARTICLE_BLOCK + threadIdx.x; i < all; i += step) {
    const u64 row = i / along, plane = row / across;
    const long long at = (long long)plane * a.stride[0] + (long long)(row - plane * across) * a.stride[1] +
                         (long long)(i - row * along) * a.stride[2];
#if PARTICLE_STEP == 0
    ((u64 *)a.out)[at] = 0;
#else
    const long long sum = (long long)a.sums[at] - a.mean;
    if (a.single) {
      float *out = (float *)a.out + at;
      const float value = (float)mfft_n_mul(mfft_n_mul((double)(float)sum, a.from[0]), a.from[1]);
      *out = a.add ? *out + value : value;
      found += !(value - value == 0);
    } else {  // `out` may be the array of the sums
      double *out = (double *)a.out + at;
      const double value = mfft_n_mul(mfft_n_mul((double)sum, a.from[0]), a.from[1]);
      *out = a.add ? mfft_n_add(*out, value) : value;
      found += !(value - value == 0);
    }
#endif
  }
#if PARTICLE_STEP == 1
#pragma unroll
  for (int step = 16; step; step /= 2) found += __shfl_xor_sync(0xffffffff, found, step);
  if (threadIdx.x % 32 == 0 && found) atomicAdd(&a.words->infinite, found);
#endif
}

}  // namespace mfft
