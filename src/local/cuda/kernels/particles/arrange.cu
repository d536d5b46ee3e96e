// arrange.cu: copies the elements of a column into the sequence of sorted particles.  Neighbouring threads copy neighbouring
// words of the result, since writes of parts of a sector cost more than reads.
#include "particle.cuh"

namespace mfft {

__device__ __forceinline__ u32 index_of(const mfft_arrange_args &a, u32 at) {
  return narrow_position(a.type) ? ((const uint4 *)a.record)[at].w : (u32)((const wide_words *)a.record)[2ull * at + 1].b;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_arrange_args a) {
  const u64 step = (u64)gridDim.x * PARTICLE_BLOCK, all = (u64)a.count * a.words;
  for (u64 i = (u64)blockIdx.x * PARTICLE_BLOCK + threadIdx.x; i < all; i += step) {
    const u32 at = (u32)(i / a.words), word = (u32)(i % a.words);
    const u64 from = (u64)index_of(a, at) * a.words + word;
    if (a.wide)
      ((u64 *)a.out)[i] = ((const u64 *)a.in)[from];
    else
      ((u32 *)a.out)[i] = ((const u32 *)a.in)[from];
  }
}

}  // namespace mfft
