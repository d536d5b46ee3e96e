// deposit.cuh: sums of the shares of particles in the cells of a tile, in shared memory, and their addition to the mesh.
//
// A cell in shared memory is two arrays of 32-bit words, since shared memory adds words of 32 bits only: the addition of the
// low word returns what was there before, from which follows the carry to the high word.  Whatever the sequence of the
// additions, each overflow of a low word is seen by one of them, so that the sums are exact.
//
// The integers are those of particles/kernels_body.inc: the same operations in the same sequence, none fused.
#pragma once

#include "particle.cuh"

namespace mfft {

__device__ __forceinline__ u64 bits_of_share(double share) {
  return mfft_n_bits(mfft_n_add(share, MFFT_SHARE_ROUNDER)) - 0x4338000000000000ull;  // the bits of the rounder
}

__device__ __forceinline__ void add_share(u32 *cell, u64 share) {
  const u32 low = (u32)share, before = atomicAdd(cell, low);
  atomicAdd(cell + TILE_CELLS, (u32)(share >> 32) + (before + low < low));
}

// The weight of a particle as an integer.
__device__ __forceinline__ double find_weight(const void *value, int is_double, long long stride, const double to[2],
                                              u32 index) {
  const double given = value ? load_value(value, is_double, stride, index) : 1;
  return mfft_n_add(mfft_n_add(mfft_n_mul(mfft_n_mul(given, to[0]), to[1]), MFFT_SHARE_ROUNDER), -MFFT_SHARE_ROUNDER);
}

// Calls add(cell of the tile, share) for each point of a window.
template <class Add>
__device__ __forceinline__ void share_particle(const window &v, double weight, const Add &add) {
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
        add(v.lowest + x * PLANE + y * ROW + z, share);
        rest -= share;
      }
    }
  }
  add(v.nearest, rest);
}

// Adds the sums of a tile to the mesh.
__device__ __forceinline__ void add_tile(const mfft_particle_cells &c, const int first[3], const u32 *sums, u64 *own,
                                         u64 *rims) {
  for (int i = threadIdx.x; i < TILE_CELLS; i += PARTICLE_BLOCK) {
    const u64 sum = sums[i] | (u64)sums[TILE_CELLS + i] << 32;
    if (!sum) continue;
    const cell_place to = find_cell(c, first, i);
    atomicAdd((to.own ? own : rims) + to.at, sum);
  }
}

}  // namespace mfft
