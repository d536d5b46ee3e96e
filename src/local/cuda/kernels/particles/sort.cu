// sort.cu: a counting sort of particles by tiles, in three launches, of which the second is scan.cu.
//
// 0: each particle finds its tile and its place among the particles of the tile, by one atomic of a warp for each tile that
// it meets, since neighbours in memory are often neighbours in space.  How often neighbours of a warp are in different tiles
// is counted, and tells how much the sequence of the particles has decayed.  1: each particle is copied to its place, as a
// record.
//
// The sequence of the particles of a tile differs from run to run.  No result depends on it: sums are integers, and each
// value that is read at a particle is computed from that particle alone.
#include "particle.cuh"

namespace mfft {

#if PARTICLE_STEP == 0

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_particle_sort_args a) {
  __shared__ u32 block_changes;
  const u32 lane = threadIdx.x % 32;
  u32 changes = 0;
  if (threadIdx.x == 0) block_changes = 0;
  __syncthreads();
  for (u32 first = blockIdx.x * PARTICLE_BLOCK; first < a.count; first += gridDim.x * PARTICLE_BLOCK) {
    const u32 i = first + threadIdx.x;
    double g[3];
    const u32 tile = i < a.count ? find_tile(a.cells, a.position, a.stride, a.type, a.words, i, g) : NO_TILE;
    const u32 same = __match_any_sync(0xffffffff, tile), leader = (u32)__ffs((int)same) - 1;
    u32 before = 0;
    if (lane == leader && tile != NO_TILE) before = atomicAdd(&a.tile_particles[tile], (u32)__popc(same));
    before = __shfl_sync(0xffffffff, before, leader);
    if (i < a.count) a.rank[i] = tile == NO_TILE ? NO_TILE : before + (u32)__popc(same & ((1u << lane) - 1));
    changes += changes_tile(tile, i < a.count);
  }
  if (changes) atomicAdd(&block_changes, changes);
  __syncthreads();
  if (threadIdx.x == 0 && block_changes) atomicAdd(&a.words->changes, (u64)block_changes);
}

#else

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_particle_sort_args a) {
  for (u32 i = blockIdx.x * PARTICLE_BLOCK + threadIdx.x; i < a.count; i += gridDim.x * PARTICLE_BLOCK) {
    const u32 rank = a.rank[i];
    if (rank == NO_TILE) continue;
    u64 bits[3];
    u32 tile = 0;
#pragma unroll
    for (int d = 0; d < 3; d++) {
      constexpr int LOGS[3] = {MFFT_PARTICLE_LOG_X, MFFT_PARTICLE_LOG_Y, MFFT_PARTICLE_LOG_Z};
      double g = 0;
      bits[d] = position_bits(a.position[d], i * a.stride, a.type);
      find_coordinate(bits[d], a.type, a.cells.scale[d], a.cells.n[d], &g);
      tile = tile * (u32)a.cells.tiles[d] + (u32)(((int)g - (int)a.cells.lo[d]) >> LOGS[d]);
    }
    const u32 at = a.start[tile] + rank;
    if (narrow_position(a.type)) {
      ((uint4 *)a.record)[at] = make_uint4((u32)bits[0], (u32)bits[1], (u32)bits[2], i);
    } else {
      ((wide_words *)a.record)[2ull * at] = {bits[0], bits[1]};
      ((wide_words *)a.record)[2ull * at + 1] = {bits[2], i};
    }
  }
}

#endif

}  // namespace mfft
