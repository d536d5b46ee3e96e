// deposit.cu: sums of the shares of particles that are sorted by tiles, as 64-bit integers.
//
// A block adds the particles of an item to the cells of its tile and their ghost cells, in shared memory, and then adds
// these to the mesh.  A cell in shared memory is two arrays of 32-bit words, since shared memory adds words of 32 bits only:
// the addition of the low word returns what was there before, from which follows the carry to the high word.  Whatever the
// sequence of the additions, each overflow of a low word is seen by one of them, so that the sums are exact.
#include "deposit.cuh"

namespace mfft {

__device__ __forceinline__ void add_share(u32 *cell, u64 share) {
  const u32 low = (u32)share, before = atomicAdd(cell, low);
  atomicAdd(cell + TILE_CELLS, (u32)(share >> 32) + (before + low < low));
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

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_deposit_args a) {
  extern __shared__ __align__(16) u32 sums[];  // [low and high words][TILE_CELLS]
  const tile_item t = find_item(a.cells, a.start, a.item);
  for (int i = threadIdx.x; i < 2 * TILE_CELLS; i += PARTICLE_BLOCK) sums[i] = 0;
  __syncthreads();
  for (u32 i = t.begin + threadIdx.x; i < t.end; i += PARTICLE_BLOCK) {
    const particle p = load_particle(a.cells, a.record, a.type, i);
    const double weight = find_weight(a.value, a.value_double, a.value_stride, a.to, p.index);
    share_particle(find_window(a.cells, t.first, p.g), weight, [&](int cell, u64 share) { add_share(sums + cell, share); });
  }
  __syncthreads();
  add_tile(a.cells, t.first, sums, a.own, a.rims);
}

}  // namespace mfft
