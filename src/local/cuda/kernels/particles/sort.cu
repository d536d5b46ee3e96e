// sort.cu: a counting sort of particles by tiles, in three launches, of which the second is scan.cu.
//
// PARTICLE_STEP 0 finds the tile of each particle, and the place of the particle among those of the tile.  A warp uses one
// atomic for each tile in which it has particles, since neighbours in memory are often neighbours in space.  It also counts
// how often neighbours of a warp are in different tiles, which tells how much the sequence of the particles has decayed.
// PARTICLE_STEP 1 copies each particle to its place, as a record.
//
// PARTICLE_STEP 2 and 3 are the same two launches for particles in no order: each particle has an atomic of its own, and a
// thread takes four particles at a time.  Blocks of both launches then take the same particles at about the same time, so
// that records which share a sector of memory are often written before the cache evicts it.
//
// The sequence of the particles of a tile differs from run to run.  No result depends on it: sums are integers, and each
// value that is read at a particle is computed from that particle alone.
#include "particle.cuh"

namespace mfft {

constexpr bool IN_NO_ORDER = PARTICLE_STEP >= 2;
constexpr u32 EACH = IN_NO_ORDER ? 4 : 1, STEP = EACH * PARTICLE_BLOCK;  // particles of a thread, and of a block, at a time

#if PARTICLE_STEP % 2 == 0

// The place of a particle among those of its tile.
__device__ __forceinline__ u32 find_rank(const mfft_particle_sort_args &a, u32 tile) {
  if (IN_NO_ORDER) return tile == NO_TILE ? NO_TILE : atomicAdd(&a.tile_particles[tile], 1u);
  const u32 lane = threadIdx.x % 32, same = __match_any_sync(0xffffffff, tile), leader = (u32)__ffs((int)same) - 1;
  u32 before = 0;
  if (lane == leader && tile != NO_TILE) before = atomicAdd(&a.tile_particles[tile], (u32)__popc(same));
  before = __shfl_sync(0xffffffff, before, leader);
  return tile == NO_TILE ? NO_TILE : before + (u32)__popc(same & ((1u << lane) - 1));
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_particle_sort_args a) {
  __shared__ u32 block_changes;
  u32 changes = 0;
  if (threadIdx.x == 0) block_changes = 0;
  __syncthreads();
  for (u32 first = blockIdx.x * STEP; first < a.count; first += gridDim.x * STEP) {
    u32 tile[EACH], rank[EACH];
#pragma unroll
    for (u32 k = 0; k < EACH; k++) {
      const u32 i = first + k * PARTICLE_BLOCK + threadIdx.x;
      double g[3];
      tile[k] = i < a.count ? find_tile(a.cells, a.position, a.stride, a.type, a.words, i, g) : NO_TILE;
    }
#pragma unroll
    for (u32 k = 0; k < EACH; k++) {
      changes += changes_tile(tile[k], first + k * PARTICLE_BLOCK + threadIdx.x < a.count);
      rank[k] = find_rank(a, tile[k]);
    }
#pragma unroll
    for (u32 k = 0; k < EACH; k++) {
      const u32 i = first + k * PARTICLE_BLOCK + threadIdx.x;
      if (i < a.count) a.rank[i] = rank[k];
    }
  }
  if (changes) atomicAdd(&block_changes, changes);
  __syncthreads();
  if (threadIdx.x == 0 && block_changes) atomicAdd(&a.words->changes, (u64)block_changes);
}

#else

// The place of a particle among the records, given its rank in its tile and the bits of its position.
__device__ __forceinline__ u32 find_place(const mfft_particle_sort_args &a, u32 rank, const u64 bits[3]) {
  int cell[3];
#pragma unroll
  for (int d = 0; d < 3; d++) {
    double g = 0;
    find_coordinate(bits[d], a.type, a.cells.scale[d], a.cells.n[d], &g);
    cell[d] = (int)g - (int)a.cells.lo[d];
  }
  return a.start[tile_of_cell(a.cells, cell)] + rank;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_particle_sort_args a) {
  for (u32 first = blockIdx.x * STEP; first < a.count; first += gridDim.x * STEP) {
    u64 bits[EACH][3];
    u32 at[EACH];
#pragma unroll
    for (u32 k = 0; k < EACH; k++) {
      const u32 i = first + k * PARTICLE_BLOCK + threadIdx.x;
      at[k] = i < a.count ? a.rank[i] : NO_TILE;
#pragma unroll
      for (int d = 0; d < 3; d++) bits[k][d] = i < a.count ? position_bits(a.position[d], i * a.stride, a.type) : 0;
    }
#pragma unroll
    for (u32 k = 0; k < EACH; k++)
      if (at[k] != NO_TILE) at[k] = find_place(a, at[k], bits[k]);
#pragma unroll
    for (u32 k = 0; k < EACH; k++) {
      const u32 i = first + k * PARTICLE_BLOCK + threadIdx.x;
      if (at[k] == NO_TILE) continue;
      if (narrow_position(a.type)) {
        ((uint4 *)a.record)[at[k]] = make_uint4((u32)bits[k][0], (u32)bits[k][1], (u32)bits[k][2], i);
      } else {
        ((wide_words *)a.record)[2ull * at[k]] = {bits[k][0], bits[k][1]};
        ((wide_words *)a.record)[2ull * at[k] + 1] = {bits[k][2], i};
      }
    }
  }
}

#endif

}  // namespace mfft
