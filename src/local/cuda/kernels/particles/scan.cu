// scan.cu: the second launch of the sort: one block adds up the particles of the tiles before each tile, and lists the
// items.
#include "particle.cuh"

namespace mfft {

// Particles in the low half of a word, items in the high half.
__device__ __forceinline__ u64 both_of(u32 particles) {
  return particles | (u64)((particles + MFFT_PARTICLE_ITEM - 1) / MFFT_PARTICLE_ITEM) << 32;
}

// The sum over the lanes of the warp up to this one.
__device__ __forceinline__ u64 warp_scan(u64 sum, u32 lane) {
#pragma unroll
  for (u32 step = 1; step < 32; step *= 2) {
    const u64 other = __shfl_sync(0xffffffff, sum, (lane - step) & 31);
    if (lane >= step) sum += other;
  }
  return sum;
}

extern "C" __global__ void __launch_bounds__(1024) mfft_pass(const __grid_constant__ mfft_particle_sort_args a) {
  constexpr int EACH = MFFT_PARTICLE_SCAN_EACH;
  __shared__ u64 warps[32];
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  u64 preceding = 0;  // particles and items of all tiles of preceding steps
  for (u32 step = 0; step < a.tile_count; step += MFFT_PARTICLE_SCAN_THREADS * EACH) {
    const u32 tile = step + threadIdx.x * EACH;
    u32 particles[EACH];
    u64 sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      particles[i] = tile + i < a.tile_count ? a.tile_particles[tile + i] : 0;
      sum += both_of(particles[i]);
    }
    const u64 scanned = warp_scan(sum, lane);
    __syncthreads();  // all threads have read the words of the preceding step
    if (lane == 31) warps[warp] = scanned;
    __syncthreads();
    const u64 ends = warp_scan(warps[lane], lane), all = __shfl_sync(0xffffffff, ends, 31);
    const u64 warps_before = __shfl_sync(0xffffffff, ends, (warp - 1) & 31);
    u64 at = preceding + (scanned - sum) + (warp ? warps_before : 0);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      if (tile + i >= a.tile_count) break;
      a.start[tile + i] = (u32)at;
      const u32 items = (u32)(both_of(particles[i]) >> 32);
      for (u32 k = 0; k < items; k++) {
        u32 *item = a.item + 2 * ((at >> 32) + k);
        item[0] = tile + i;
        item[1] = k;
      }
      at += both_of(particles[i]);
    }
    preceding += all;
  }
  if (threadIdx.x == 0) {
    a.start[a.tile_count] = (u32)preceding;
    a.words->items = preceding >> 32;
  }
}

}  // namespace mfft
