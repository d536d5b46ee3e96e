// deposit.cu: sums of the shares of particles that are sorted by tiles, as 64-bit integers.
//
// A block adds the particles of an item to the cells of its tile and their ghost cells, in shared memory, and then adds
// these to the mesh.
#include "deposit.cuh"

namespace mfft {

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
