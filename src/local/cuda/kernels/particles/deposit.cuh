// deposit.cuh: the shares of a particle in the points of its window, as 64-bit integers.
//
// The integers are those of particles/kernels_body.inc: the same operations in the same sequence, none fused.
#pragma once

#include "particle.cuh"

namespace mfft {

// A share, rounded to an integer.
__device__ __forceinline__ u64 bits_of_share(double share) {
  return mfft_n_bits(mfft_n_add(share, MFFT_SHARE_ROUNDER)) - 0x4338000000000000ull;  // the bits of the rounder
}

// The weight of a particle, multiplied by the factors `to` and rounded to an integer.
__device__ __forceinline__ double find_weight(const void *value, int is_double, long long stride, const double to[2],
                                              u64 index) {
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

}  // namespace mfft
