// direct.cu: sums the shares of particles in the sequence of the caller, as 64-bit integers, without a sort.
//
// Each share is added to the mesh by an atomic of its own.  The kernel counts how often neighbours of a warp are in
// different tiles, as sort.cu does.
#include "deposit.cuh"

namespace mfft {

__device__ __forceinline__ void deposit(const mfft_direct_args &a, u32 tile, const double g[3], u32 i) {
  int first[3];
  find_first(a.cells, tile, first);
  const double weight = find_weight(a.value, a.value_double, a.value_stride, a.to, i);
  share_particle(find_window(a.cells, first, g), weight, [&](int cell, u64 share) {
    int at[3];
    (void)find_cell(a.cells, first, cell, at);
    const cell_place to = place_cell(a.cells, at);
    atomicAdd((to.own ? a.own : a.rims) + to.at, share);
  });
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_direct_args a) {
  __shared__ u32 block_changes;
  u32 changes = 0;
  if (threadIdx.x == 0) block_changes = 0;
  __syncthreads();
  for (u32 begin = blockIdx.x * PARTICLE_BLOCK; begin < a.count; begin += gridDim.x * PARTICLE_BLOCK) {
    const u32 i = begin + threadIdx.x;
    double g[3];
    const u32 tile = i < a.count ? find_tile(a.cells, a.position, a.stride, a.type, a.words, i, g) : NO_TILE;
    changes += changes_tile(tile, i < a.count);
    if (tile != NO_TILE) deposit(a, tile, g, i);
  }
  if (changes) atomicAdd(&block_changes, changes);
  __syncthreads();
  if (threadIdx.x == 0 && block_changes) atomicAdd(&a.words->changes, (u64)block_changes);
}

}  // namespace mfft
