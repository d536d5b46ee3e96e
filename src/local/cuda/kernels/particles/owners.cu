// owners.cu: lists the particles by the ranks that own them, in two launches.  PARTICLE_STEP 0: each warp counts how many of
// its particles each rank owns.  1: it lists them, after the host has replaced each count by the place in the list where
// the warp's particles of that rank begin.
//
// A warp takes its particles one after another, 32 at a time, so that those of a rank stay in their sequence.
#include "owner_args.h"
#include "particle.cuh"

namespace mfft {

enum : u32 { NO_RANK = 0xffffffff };

// The index of the interval between edges that contains a cell.
__device__ __forceinline__ int find_interval(const long long *edge, int edges, long long cell) {
  int low = 0, high = edges - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (edge[middle] <= cell)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// The rank that owns a particle; NO_RANK if its position is not finite.
__device__ __forceinline__ u32 find_owner(const mfft_owners_args &a, u64 i) {
  int at = 0;
  bool finite = true;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    double g = 0;
    finite &= find_coordinate(position_bits(a.position[d], (long long)i * a.stride, a.type), a.type, a.scale[d], a.n[d], &g);
    at = at * (a.edges[d] - 1) + find_interval(a.edge[d], a.edges[d], (long long)g);
  }
  if (!finite) atomicMax(&a.words->nonfinite, ~i);
  return finite ? (u32)a.rank[at] : NO_RANK;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_owners_args a) {
  const u32 lane = threadIdx.x % 32, warp = blockIdx.x * MFFT_OWNERS_WARPS + threadIdx.x / 32;
  if (warp >= a.warps) return;
  u32 *row = a.table + (u64)warp * (u32)a.ranks;
  const u64 begin = a.count * warp / a.warps, end = a.count * (warp + 1) / a.warps;
  for (u64 first = begin; first < end; first += 32) {
    const u64 i = first + lane;
    const u32 owner = i < end ? find_owner(a, i) : NO_RANK;
    const u32 same = __match_any_sync(0xffffffff, owner), leader = (u32)__ffs((int)same) - 1;
    u32 before = 0;
    if (lane == leader && owner != NO_RANK) {
      before = row[owner];
      row[owner] = before + (u32)__popc(same);
    }
#if PARTICLE_STEP == 1
    before = __shfl_sync(0xffffffff, before, leader);
    if (owner != NO_RANK) a.order[before + (u32)__popc(same & ((1u << lane) - 1))] = (u32)i;
#endif
    __syncwarp();  // another lane may be the next leader of this rank
  }
}

}  // namespace mfft
