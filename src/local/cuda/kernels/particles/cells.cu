// cells.cu: clears the sums of own cells before a deposit (PARTICLE_STEP 0), and converts them to numbers of the mesh after
// it (1).
//
// A block takes segments of rows, so that a thread divides by the lengths of axes once for all of its cells of a segment.
#include "particle.cuh"

namespace mfft {

constexpr int EACH = MFFT_PARTICLE_CELLS / PARTICLE_BLOCK;  // cells of a thread in a segment

struct segment {
  long long at;    // element of its first cell
  long long left;  // cells from there to the end of the row
};
__device__ __forceinline__ segment find_segment(const mfft_sums_of_cells_args &a, u64 number) {
  const u64 row = number / a.segments, plane = row / (u64)a.n[1];
  const long long first = (long long)(number - row * a.segments) * MFFT_PARTICLE_CELLS;
  return {(long long)plane * a.stride[0] + (long long)(row - plane * (u64)a.n[1]) * a.stride[1] + first * a.stride[2],
          a.n[2] - first};
}

#if PARTICLE_STEP == 1
// Stores the number of the mesh that a sum becomes.  The result is 1 if it is not finite.  A mesh of doubles may be in the
// array of the sums.
__device__ __forceinline__ u32 store_sum(const mfft_sums_of_cells_args &a, long long at, u64 bits) {
  const long long sum = (long long)bits - a.mean;
  if (a.single) {
    float *out = (float *)a.out + at;
    const float value = (float)mfft_n_mul(mfft_n_mul((double)(float)sum, a.from[0]), a.from[1]);
    *out = a.add ? *out + value : value;
    return !(value - value == 0);
  }
  double *out = (double *)a.out + at;
  const double value = mfft_n_mul(mfft_n_mul((double)sum, a.from[0]), a.from[1]);
  *out = a.add ? mfft_n_add(*out, value) : value;
  return !(value - value == 0);
}
#endif

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_sums_of_cells_args a) {
  const u64 all = (u64)(a.n[0] * a.n[1]) * a.segments;
#if PARTICLE_STEP == 1
  u32 found = 0;
#endif
  for (u64 number = blockIdx.x; number < all; number += gridDim.x) {
    const segment s = find_segment(a, number);
#if PARTICLE_STEP == 0
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const long long cell = i * PARTICLE_BLOCK + (int)threadIdx.x;
      if (cell < s.left) ((u64 *)a.out)[s.at + cell * a.stride[2]] = 0;
    }
#else
    u64 sums[EACH];  // all are loaded before the first is stored
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const long long cell = i * PARTICLE_BLOCK + (int)threadIdx.x;
      sums[i] = cell < s.left ? a.sums[s.at + cell * a.stride[2]] : 0;
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const long long cell = i * PARTICLE_BLOCK + (int)threadIdx.x;
      if (cell < s.left) found += store_sum(a, s.at + cell * a.stride[2], sums[i]);
    }
#endif
  }
#if PARTICLE_STEP == 1
#pragma unroll
  for (int step = 16; step; step /= 2) found += __shfl_xor_sync(0xffffffff, found, step);
  if (threadIdx.x % 32 == 0 && found) atomicAdd(&a.words->infinite, (u64)found);
#endif
}

}  // namespace mfft
