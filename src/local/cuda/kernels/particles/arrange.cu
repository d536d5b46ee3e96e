// arrange.cu: copies the elements of a column into another sequence of particles.  PARTICLE_STEP 0: into that of sorted
// particles; 1: into that of a list of indices, out[i] = in[index[i]]; 2: out of that sequence, out[index[i]] = in[i].
//
// Neighbouring threads copy neighbouring words of the array in the sequence of the sort or of the list.
#include "owner_args.h"
#include "particle.cuh"

namespace mfft {

// The index of the particle that is number `at` of the sequence.
__device__ __forceinline__ u64 index_of(const mfft_arrange_args &a, u64 at) {
#if PARTICLE_STEP == 0
  if (!a.record) return at;
  return narrow_position(a.type) ? ((const uint4 *)a.record)[at].w : (u32)((const wide_words *)a.record)[2 * at + 1].b;
#else
  return ((const u32 *)a.record)[at];
#endif
}

template <typename word>
__device__ __forceinline__ void arrange_words(const mfft_arrange_args &a) {
  const u64 step = (u64)gridDim.x * PARTICLE_BLOCK, all = a.count * a.words;
  for (u64 i = (u64)blockIdx.x * PARTICLE_BLOCK + threadIdx.x; i < all; i += step) {
    const u64 at = i / a.words, other = index_of(a, at) * a.words + i % a.words;
    ((word *)a.out)[PARTICLE_STEP == 2 ? other : i] = ((const word *)a.in)[PARTICLE_STEP == 2 ? i : other];
  }
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_arrange_args a) {
  if (a.word_bytes == 8)
    arrange_words<u64>(a);
  else if (a.word_bytes == 4)
    arrange_words<u32>(a);
  else
    arrange_words<unsigned char>(a);
}

}  // namespace mfft
