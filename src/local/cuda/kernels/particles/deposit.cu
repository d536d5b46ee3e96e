// deposit.cu: sums the shares of particles that are sorted by tiles, as 64-bit integers.
//
// A block adds the particles of an item to the cells of its tile and their ghost cells, in shared memory, and then adds
// these to the mesh.  A cell in shared memory is two arrays of 32-bit words, since shared memory adds words of 32 bits only:
// the addition to the low word returns its former value, from which follows the carry to the high word.  In any sequence of
// the additions, each overflow of a low word is noticed by the one that causes it, so that the sums are exact.
#include "deposit.cuh"

namespace mfft {

__device__ __forceinline__ void add_share(u32 *cell, u64 share) {
  const u32 low = (u32)share, before = atomicAdd(cell, low);
  atomicAdd(cell + TILE_CELLS, (u32)(share >> 32) + (before + low < low));
}

// Adds the sums of a tile to the mesh.
__device__ __forceinline__ void add_tile(const mfft_deposit_args &a, const int first[3], const u32 *sums) {
  for (int i = threadIdx.x; i < TILE_CELLS; i += PARTICLE_BLOCK) {
    const u64 sum = sums[i] | (u64)sums[TILE_CELLS + i] << 32;
    if (!sum) continue;
    int at[3];
    (void)find_cell(a.cells, first, i, at);
    const cell_place to = place_cell(a.cells, at);
    u64 *array = to.own ? a.own : a.rims;
    if (array) atomicAdd(array + (to.own ? a.own_start : 0) + to.at, sum);
  }
}

// Whether a particle may have shares in ghost cells.
__device__ __forceinline__ bool near_ghosts(const mfft_particle_cells &c, const double g[3]) {
  bool near = false;
#pragma unroll
  for (int a = 0; a < 3; a++) {
    const int cell = (int)g[a] - (int)c.lo[a];
    near |= cell < LOW || cell >= c.extent[a] - HIGH;
  }
  return near;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_deposit_args a) {
  extern __shared__ __align__(16) u32 sums[];  // [low and high words][TILE_CELLS]
  const tile_item t = find_item(a.cells, a.from.start, a.from.item);
  const int along = a.axis == 0 ? t.first[0] : a.axis == 1 ? t.first[1] : t.first[2];
  if (along < a.lo || along >= a.hi || (!a.own && inside_own(a.cells, t.first, 0))) return;
  for (int i = threadIdx.x; i < 2 * TILE_CELLS; i += PARTICLE_BLOCK) sums[i] = 0;
  __syncthreads();
  for (u32 i = t.begin + threadIdx.x; i < t.end; i += PARTICLE_BLOCK) {
    const particle p = load_particle(a.cells, a.from, i);
    if (!a.own && !near_ghosts(a.cells, p.g)) continue;
    const double weight = find_weight(a.value, a.value_double, a.value_stride, a.to, p.index);
    share_particle(find_window(a.cells, t.first, p.g), weight, [&](int cell, u64 share) { add_share(sums + cell, share); });
  }
  __syncthreads();
  add_tile(a, t.first, sums);
}

}  // namespace mfft
