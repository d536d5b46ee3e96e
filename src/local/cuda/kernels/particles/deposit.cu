// deposit.cu: sums of the shares of particles, as 64-bit integers.
//
// A block adds the particles of an item to the cells of its tile and their ghost cells, in shared memory, and then adds
// these to the mesh.  A cell in shared memory is two arrays of 32-bit words, since shared memory adds words of 32 bits only:
// the addition of the low word returns what was there before, from which follows the carry to the high word.  Whatever the
// sequence of the additions, each overflow of a low word is seen by one of them, so that the sums are exact.
//
// The integers are those of particles/kernels_body.inc: the same operations in the same sequence, none fused.
#include "particle.cuh"

namespace mfft {

__device__ __forceinline__ u64 bits_of_share(double share) {
  return mfft_n_bits(mfft_n_add(share, MFFT_SHARE_ROUNDER)) - 0x4338000000000000ull;  // the bits of the rounder
}

__device__ __forceinline__ void add_share(u32 *cell, u64 share) {
  const u32 low = (u32)share, before = atomicAdd(cell, low);
  atomicAdd(cell + TILE_CELLS, (u32)(share >> 32) + (before + low < low));
}

__device__ __forceinline__ void add_particle(u32 *sums, const window &v, double weight) {
  u64 rest = bits_of_share(weight);
  // The only share of a window of one point is the rest.
#pragma unroll
  for (int x = 0; x < (ORDER > 1 ? ORDER : 0); x++) {
    const double wx = mfft_n_mul(weight, v.w[0][x]);
#pragma unroll
    for (int y = 0; y < ORDER; y++) {
      const double wy = mfft_n_mul(wx, v.w[1][y]);
#pragma unroll
      for (int z = 0; z < ORDER; z++) {
        const u64 share = bits_of_share(mfft_n_mul(wy, v.w[2][z]));
        add_share(sums + v.lowest + x * PLANE + y * ROW + z, share);
        rest -= share;
      }
    }
  }
  add_share(sums + v.nearest, rest);
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_deposit_args a) {
  extern __shared__ __align__(16) u32 sums[];  // [low and high words][TILE_CELLS]
  const tile_item t = find_item(a.cells, a.start, a.item);
  for (int i = threadIdx.x; i < 2 * TILE_CELLS; i += PARTICLE_BLOCK) sums[i] = 0;
  __syncthreads();
  for (u32 i = t.begin + threadIdx.x; i < t.end; i += PARTICLE_BLOCK) {
    const particle p = load_particle(a.cells, a.record, a.type, i);
    const double value = a.value ? load_value(a.value, a.value_double, a.value_stride, p.index) : 1;
    const double scaled = mfft_n_add(mfft_n_mul(mfft_n_mul(value, a.to[0]), a.to[1]), MFFT_SHARE_ROUNDER);
    add_particle(sums, find_window(a.cells, t, p), mfft_n_add(scaled, -MFFT_SHARE_ROUNDER));
  }
  __syncthreads();
  for (int i = threadIdx.x; i < TILE_CELLS; i += PARTICLE_BLOCK) {
    const u64 sum = sums[i] | (u64)sums[TILE_CELLS + i] << 32;
    if (!sum) continue;
    const cell_place to = find_cell(a.cells, t, i);
    atomicAdd((to.own ? a.own : a.rims) + to.at, sum);
  }
}

}  // namespace mfft
