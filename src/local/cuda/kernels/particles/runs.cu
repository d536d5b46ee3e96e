// runs.cu: sums of the shares of particles in the sequence of the caller, as 64-bit integers.
//
// A block takes MFFT_PARTICLE_RUN particles that are neighbours in memory.  It finds their tiles, and for as many of these
// as a.tiles says, each that of the first particle which is left, it adds the particles of the tile to the cells of that
// tile in shared memory, and these to the mesh.  Particles that are left then are added to the mesh one by one.  Particles
// that are nearly sorted by tiles need few tiles, and no sort; with a.tiles 0 the mesh gets each share by an atomic of its
// own.
#include "deposit.cuh"

namespace mfft {

struct run {
  u32 begin, count;
  u32 *tile;  // [MFFT_PARTICLE_RUN] in shared memory; NO_TILE: refused, added, or beyond the last particle
};

__device__ __forceinline__ void find_tiles(const mfft_runs_args &a, const run &r, u32 *block_changes) {
  u32 changes = 0;
  for (u32 k = threadIdx.x; k < MFFT_PARTICLE_RUN; k += PARTICLE_BLOCK) {
    const bool exists = k < r.count;
    const u32 tile = exists ? find_tile(a.cells, a.position, a.stride, a.type, a.words, r.begin + k) : NO_TILE;
    r.tile[k] = tile;
    changes += changes_tile(tile, exists);
  }
  if (changes) atomicAdd(block_changes, changes);
}

__device__ __forceinline__ window window_of(const mfft_runs_args &a, const int first[3], u32 i) {
  double g[3];
#pragma unroll
  for (int d = 0; d < 3; d++)
    find_coordinate(position_bits(a.position[d], i * a.stride, a.type), a.type, a.cells.scale[d], a.cells.n[d], &g[d]);
  return find_window(a.cells, first, g);
}

__device__ __forceinline__ double weight_of(const mfft_runs_args &a, u32 i) {
  return find_weight(a.value, a.value_double, a.value_stride, a.to, i);
}

// Adds the particles of this thread that are in a tile to the sums of that tile.
__device__ __forceinline__ void add_run(const mfft_runs_args &a, const run &r, u32 tile, const int first[3], u32 *sums) {
  for (u32 k = threadIdx.x; k < r.count; k += PARTICLE_BLOCK) {
    if (r.tile[k] != tile) continue;
    r.tile[k] = NO_TILE;
    share_particle(window_of(a, first, r.begin + k), weight_of(a, r.begin + k),
                   [&](int cell, u64 share) { add_share(sums + cell, share); });
  }
}

// Adds the particles of this thread that are left to the mesh.
__device__ __forceinline__ void add_rest(const mfft_runs_args &a, const run &r) {
  for (u32 k = threadIdx.x; k < r.count; k += PARTICLE_BLOCK) {
    int first[3];
    if (r.tile[k] == NO_TILE) continue;
    find_first(a.cells, r.tile[k], first);
    share_particle(window_of(a, first, r.begin + k), weight_of(a, r.begin + k), [&](int cell, u64 share) {
      const cell_place to = find_cell(a.cells, first, cell);
      atomicAdd((to.own ? a.own : a.rims) + to.at, share);
    });
  }
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_runs_args a) {
  extern __shared__ __align__(16) u32 tiles[];  // [MFFT_PARTICLE_RUN], then, if a.tiles, [low and high words][TILE_CELLS]
  __shared__ u32 next, block_changes;           // next: complement of the first particle that is left; 0: none is
  u32 *const sums = tiles + MFFT_PARTICLE_RUN;
  run r = {blockIdx.x * MFFT_PARTICLE_RUN, 0, tiles};
  r.count = a.count - r.begin < MFFT_PARTICLE_RUN ? a.count - r.begin : MFFT_PARTICLE_RUN;
  if (threadIdx.x == 0) block_changes = 0;
  __syncthreads();
  find_tiles(a, r, &block_changes);
  for (int pass = 0; pass < a.tiles; pass++) {
    if (threadIdx.x == 0) next = 0;
    for (int i = threadIdx.x; i < 2 * TILE_CELLS; i += PARTICLE_BLOCK) sums[i] = 0;
    u32 mine = threadIdx.x;
    while (mine < r.count && tiles[mine] == NO_TILE) mine += PARTICLE_BLOCK;
    __syncthreads();
    if (mine < r.count) atomicMax(&next, ~mine);
    __syncthreads();
    if (!next) break;
    const u32 tile = tiles[~next];
    int first[3];
    find_first(a.cells, tile, first);
    __syncthreads();
    add_run(a, r, tile, first, sums);
    __syncthreads();
    add_tile(a.cells, first, sums, a.own, a.rims);
    __syncthreads();
  }
  add_rest(a, r);
  __syncthreads();
  if (threadIdx.x == 0 && block_changes) atomicAdd(&a.words->changes, (u64)block_changes);
}

}  // namespace mfft
