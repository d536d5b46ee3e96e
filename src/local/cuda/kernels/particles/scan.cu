// scan.cu: the second launch of the sort: adds up the particles of the tiles before each tile, and lists the items.
//
// A block does so for MFFT_PARTICLE_SCAN_TILES tiles.  It counts the particles of all tiles before these itself, which takes
// less time than to wait for other blocks: there are few tiles for each block.
#include "particle.cuh"

namespace mfft {

// A word with the particles of a tile in its low half and its items in the high half, so that both are summed at once.
__device__ __forceinline__ u64 both_of(u32 particles) { return particles | (u64)items_of(particles) << 32; }

// The sum over the threads of the block before this one, and over all of them.
struct block_sums {
  u64 before, all;
};
__device__ __forceinline__ block_sums block_scan(u64 sum, u64 *warps) {
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u64 scanned = warp_scan(sum, lane);
  __syncthreads();  // all threads have read the words of a scan before this one
  if (lane == 31) warps[warp] = scanned;
  __syncthreads();
  const u64 ends = warp_scan(warps[lane], lane), preceding = __shfl_sync(0xffffffff, ends, (warp - 1) & 31);
  return {scanned - sum + (warp ? preceding : 0), __shfl_sync(0xffffffff, ends, 31)};
}

extern "C" __global__ void __launch_bounds__(1024) mfft_pass(const __grid_constant__ mfft_particle_sort_args a) {
  constexpr u32 THREADS = MFFT_PARTICLE_SCAN_THREADS, EACH = MFFT_PARTICLE_SCAN_TILES / THREADS;
  __shared__ u64 warps[32];
  const u32 first = blockIdx.x * MFFT_PARTICLE_SCAN_TILES, tile = first + threadIdx.x * EACH;
  u32 particles[EACH];
  u64 sum = 0, earlier = 0;
#pragma unroll 8
  for (u32 t = threadIdx.x; t < first; t += THREADS) earlier += both_of(a.tile_particles[t]);
  const u64 preceding = block_scan(earlier, warps).all;
#pragma unroll
  for (u32 i = 0; i < EACH; i++) {
    particles[i] = tile + i < a.tile_count ? a.tile_particles[tile + i] : 0;
    sum += both_of(particles[i]);
  }
  const block_sums scanned = block_scan(sum, warps);
  u64 at = preceding + scanned.before;
#pragma unroll
  for (u32 i = 0; i < EACH; i++) {
    if (tile + i >= a.tile_count) break;
    a.start[tile + i] = (u32)at;
    const u32 items = (u32)(both_of(particles[i]) >> 32);
    for (u32 k = 0; k < items; k++) ((uint2 *)a.item)[(at >> 32) + k] = make_uint2(tile + i, k);
    at += both_of(particles[i]);
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    a.start[a.tile_count] = (u32)(preceding + scanned.all);
    a.words->items = (preceding + scanned.all) >> 32;
  }
}

}  // namespace mfft
