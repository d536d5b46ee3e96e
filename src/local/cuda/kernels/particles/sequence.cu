// sequence.cu: the tables of a sort for a list that is in the sequence of the tiles already, so that it is read in place of
// records.
//
// PARTICLE_STEP 0: finds the first particle of each tile by bisection, as if the list were in that sequence, makes the items
// of the tiles, and computes the positions at which tiles begin.  1: for each item a block checks that all its particles are
// in its tile.  If no check fails, the list is in the sequence of the tiles, since the items together have all particles.
//
// A position is compared with those at which a tile begins and ends by their bits, as unsigned integers, since coordinates
// do not decrease with the bits of positions (cells_of_bits).  This needs no arithmetic in double for each particle.  A
// position that is beyond the box, negative, or not finite fails the check, and the sort of the list that follows reports
// it.
#include "particle.cuh"

namespace mfft {

#if PARTICLE_STEP == 0

// The least bits of a position at or beyond the beginning of tile `number` of an axis; the largest bits if there is none.
__device__ __forceinline__ u64 find_bound(const mfft_particle_sort_args &a, int axis, int log, u32 number) {
  const u64 infinite = a.type == POSITION_SINGLE ? 0x7f800000ull : 0x7ff0000000000000ull;
  const bool fixed = a.type == POSITION_FIXED32 || a.type == POSITION_FIXED64;
  const long long cells = (long long)number << log, extent = a.cells.extent[axis];
  const double begin = (double)(a.cells.lo[axis] + (cells < extent ? cells : extent));
  u64 low = 0, high = !fixed ? infinite : a.type == POSITION_FIXED32 ? 0xffffffffull : ~0ull;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (cells_of_bits(middle, a.type, a.cells.scale[axis], a.cells.n[axis]) >= begin)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Thread t stores bound t of all axes, one axis after another.
__device__ __forceinline__ void store_bounds(const mfft_particle_sort_args &a, u32 thread) {
  constexpr int LOGS[3] = {MFFT_PARTICLE_LOG_X, MFFT_PARTICLE_LOG_Y, MFFT_PARTICLE_LOG_Z};
  u32 first = 0;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    const u32 bounds = (u32)a.cells.tiles[d] + 1;
    if (thread >= first && thread - first < bounds) a.bound[thread] = find_bound(a, d, LOGS[d], thread - first);
    first += bounds;
  }
}

__device__ __forceinline__ u32 tile_of(const mfft_particle_sort_args &a, u32 i) {
  double g[3];
  return find_tile(a.cells, a.position, a.stride, a.type, a.words, i, g);
}

// The first particle of a tile or, if it has none, of the tiles after it; for the tile after the last one, the number of
// particles.
__device__ __forceinline__ u32 first_of(const mfft_particle_sort_args &a, u32 tile) {
  u32 low = 0, high = a.count;
  if (tile >= a.tile_count) return high;
  while (tile && low < high) {
    const u32 middle = low + (high - low) / 2;
    if (tile_of(a, middle) >= tile)
      high = middle;
    else
      low = middle + 1;
  }
  return tile ? low : 0;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_particle_sort_args a) {
  const u32 thread = blockIdx.x * PARTICLE_BLOCK + threadIdx.x, lane = threadIdx.x % 32;
  const u32 tile = thread / 32 * MFFT_SEQUENCE_TILES + lane;  // that of the last lane is also the first of the next warp
  store_bounds(a, thread);
  const u32 begin = first_of(a, tile), end = __shfl_sync(0xffffffff, begin, (lane + 1) & 31);
  const bool mine = lane < MFFT_SEQUENCE_TILES && tile < a.tile_count;
  // The particle in the middle is checked so that a list in no order is noticed here.
  const bool wrong = mine && (begin > end || (begin < end && tile_of(a, begin + (end - begin) / 2) != tile));
  const u32 particles = mine && !wrong ? end - begin : 0, items = items_of(particles);
  const u64 both = items | (u64)(particles && begin % 32) << 32, scanned = warp_scan(both, lane);
  u64 preceding = 0;
  if (lane == 31 && scanned) {
    preceding = atomicAdd(&a.words->items, scanned & 0xffffffff);
    atomicAdd(&a.words->changes, scanned >> 32);
  }
  preceding = __shfl_sync(0xffffffff, preceding, 31) + (u32)scanned - items;
  if (wrong) *(volatile u64 *)&a.words->out_of_sequence = 1;
  if (lane < MFFT_SEQUENCE_TILES && tile <= a.tile_count) a.start[tile] = begin;
  for (u32 k = 0; k < items && preceding + k < a.item_count; k++)  // a list in no order may have more
    ((uint2 *)a.item)[preceding + k] = make_uint2(tile, k);
}

#else

// Whether one of this thread's particles of an item is not in the tile.  bits: unsigned integer of the width of a
// coordinate.
template <class bits>
__device__ __forceinline__ bool has_misplaced(const mfft_particle_sort_args &a, const tile_item &t) {
  constexpr int LOGS[3] = {MFFT_PARTICLE_LOG_X, MFFT_PARTICLE_LOG_Y, MFFT_PARTICLE_LOG_Z};
  const u64 *bound = a.bound;
  bits lowest[3], width[3];
#pragma unroll
  for (int d = 0; d < 3; d++) {
    const u64 *of_tile = bound + (t.first[d] >> LOGS[d]);
    lowest[d] = (bits)of_tile[0];
    width[d] = (bits)(of_tile[1] - of_tile[0]);
    bound += a.cells.tiles[d] + 1;
  }
  bool found = false;
#pragma unroll 4
  for (u32 i = t.begin + threadIdx.x; i < t.end; i += PARTICLE_BLOCK)
#pragma unroll
    for (int d = 0; d < 3; d++) found |= (bits)(((const bits *)a.position[d])[i * a.stride] - lowest[d]) >= width[d];
  return found;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_particle_sort_args a) {
  __shared__ u64 seen;
  if (threadIdx.x == 0) seen = *(volatile u64 *)&a.words->out_of_sequence;  // once for a block: all read the same address
  __syncthreads();
  if (seen) return;
  const tile_item t = find_item(a.cells, a.start, a.item);
  const bool found = narrow_position(a.type) ? has_misplaced<u32>(a, t) : has_misplaced<u64>(a, t);
  if (found) *(volatile u64 *)&a.words->out_of_sequence = 1;
}

#endif

}  // namespace mfft
