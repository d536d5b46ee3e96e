// tile_load.cuh: asynchronous copies of the tiles of resident.cu from device memory to shared memory.
//
// A tile of a single block is copied in the order of memory to where it is merged; each unit of the next tile follows after
// the last merge has read the unit at its address.  In half precision the first merge begins when one half of the tile has
// arrived.  With PREFETCH there is additional memory for most of the next tile: each thread copies the units that it will
// read itself, without waiting for other threads, so that copies overlap all merges of a tile.  This is faster for small
// tiles, in spite of the memory that it takes (docs/lab/tensor-half.md).
#pragma once

#include "block_float.cuh"
#include "tile_layout.cuh"

namespace mfft {

static_assert(PREFETCH || BLOCK_BITS == 0, "a block of a cluster does not know when other blocks have read its memory");

constexpr u32 PEAKS = LINES > 1 ? LINES : 2;

struct thread_block {  // a block and the tile that it processes
  const mfft_pass_args &a;
  char *shared;                       // [PASS_EXCHANGE_BYTES] this block's part of the tile, in shared memory
  u32 *peaks;                         // [PEAKS] for bfloat16, in shared memory
  u32 rank;                           // index of the block in the cluster
  u32 thread;                         // index of the thread in the block
  line_number first_line, next_line;  // first lines of this tile and of the next one
  bool more;                          // there is a next tile

  // The group of four columns that thread `of` has in the first round.
  __device__ __forceinline__ u32 column(u32 of) const { return rank << (OWN_BITS - 6) | of >> 2; }
  __device__ __forceinline__ u32 column() const { return column(thread); }
  __device__ __forceinline__ u32 t() const { return thread & 3; }
};

// In place of lines beyond the last, the last line is processed again, and its results are stored once more: columns are
// independent.  If a unit has elements of four lines, the last four lines are repeated.
__device__ __forceinline__ line_number existing_line(const thread_block &block, line_number line, bool fours) {
  return min(line, (line_number)block.a.lines - (fours ? 4 : 1));
}

// Address of unit i of a round.
template <int I>
__device__ __forceinline__ char *unit_at(const thread_block &block, u32 base, u32 round, u32 i) {
  return swizzled<15 * 8>(block.shared, base, column_offset<I>(round << THREAD_BITS) ^ unit_offset<I>(i));
}

// With PREFETCH a thread copies the units that it reads itself in the first merge, with a group of copies for each round.
// Address of such a unit: in the last round the one to which that merge writes its results, otherwise after the tile, where
// memory is free again once the unit has been read.
__device__ __forceinline__ char *copied_unit(const thread_block &block, u32 base, u32 round, u32 i) {
  return round < ROUNDS - 1 ? block.shared + PASS_EXCHANGE_BYTES + ((4 * round + i) * BLOCK + block.thread) * 16
                            : unit_at<0>(block, base, round, i);
}
__device__ __forceinline__ void copy_own_units(const thread_block &block, line_number first_line, u32 round) {
  constexpr u32 STEP = 1u << (axis_bits(FIRST) - 4);
  constexpr bool ACROSS = PASS_MAP_IN == BY_LINE;
  const u32 own = block.column(), columns = round << THREAD_BITS;
  const long long step = ACROSS ? opaque(block.a.in_stride) : 1, far = PLANES ? opaque(block.a.line_in) : 0;
  const line_number line = existing_line(block, first_line + (part_of<0, LINE>(own) | part_of<0, LINE>(columns)), ACROSS);
  const u32 *from = (const u32 *)block.a.in + find_line<false>(block.a, line).offset;
  from += (part_of<0, FIRST>(own) + block.t() * STEP) * step + part_of<0, SECOND>(own) * far;
  from += part_of<0, FIRST>(columns) * step + part_of<0, SECOND>(columns) * far;
  const u32 base = column_offset<0>(own) ^ lane_offset<0>(block.t());
#pragma unroll
  for (u32 i = 0; i < 4; i++) copy_unit<ALIGNED_IN>(copied_unit(block, base, round, i), from + 4 * i * STEP * step);
}

// Copies units of a tile to the addresses that a round of the last merge has read.
__device__ __forceinline__ void copy_units(const thread_block &block, line_number first_line, u32 round) {
  constexpr int UNIT_BITS = log2_of(BLOCK) + 2;
  const u32 own = block.thread;
  const long long step = PASS_MAP_IN == BY_LINE ? opaque(block.a.in_stride) : 1, far = PLANES ? opaque(block.a.line_in) : 0;
#pragma unroll
  for (u32 j = 0; j < 4; j++) {
    const u32 more = j * BLOCK | round << UNIT_BITS;
    const line_number line =
        existing_line(block, first_line + (loaded_part<LINE>(own) | loaded_part<LINE>(more)), PASS_MAP_IN == BY_LINE);
    const u32 *from = (const u32 *)block.a.in + find_line<false>(block.a, line).offset;
    from += loaded_part<FIRST>(own) * step + loaded_part<SECOND>(own) * far;
    from += loaded_part<FIRST>(more) * step + loaded_part<SECOND>(more) * far;
    copy_unit<ALIGNED_IN>(swizzled(block.shared, loaded_offset(own), loaded_offset(more)), from);
  }
}

// Waits for half of the rounds of the first merge of PIPELINED tiles; waiting for each round would need more barriers and
// was not faster.
__device__ __forceinline__ void await_copied_half(u32 round) {
  if (round == 0) await_copies_but<ROUNDS / 2>();
  if (round == ROUNDS / 2) await_copies();
  if (round % (ROUNDS / 2) == 0) __syncthreads();
}

// The bits of the thread on which the four lines of a unit depend, if units are across lines; otherwise the line does not
// depend on the lane.
constexpr int LINE_BIT = PREFETCH ? 2 : 0;
__host__ __device__ constexpr bool lanes_tell_lines() {
  const images &lines = PREFETCH ? merge_map<0>::PART[LINE] : load_map::PART[LINE];
  for (int j = 0; j < (PASS_MAP_IN == BY_LINE ? axis_bits(LINE) - 2 : 5 - LINE_BIT); j++)
    if (lines.of[j] != (PASS_MAP_IN == BY_LINE ? 4u << j : 0)) return false;
  return true;
}

// Computes the peaks of the lines of the tile, from the units that each thread has copied.
__device__ __forceinline__ void find_peaks(const thread_block &block) {
  constexpr bool ACROSS = PASS_MAP_IN == BY_LINE;  // the four elements of a unit belong to four lines
  constexpr u32 HELD = ACROSS || LINES > 4 ? 4 : LINES, TELL = ACROSS ? (LINES / 4 - 1) << LINE_BIT : 0;
  static_assert(!BLOCK_FLOAT || ACROSS || LINES <= 4, "a thread holds the peaks of four lines");
  static_assert(!BLOCK_FLOAT || lanes_tell_lines(), "the units that a thread copies belong to four lines");
  const u32 own = PREFETCH ? block.column() : block.thread;
  const u32 base = column_offset<0>(own) ^ lane_offset<0>(block.t()),
            line = PREFETCH ? part_of<0, LINE>(own) : loaded_part<LINE>(own);
  u32 most[4] = {};
  if (PREFETCH) await_copies_but<1>();
#pragma unroll
  for (u32 i = 0; i < 4 * ROUNDS; i++) {
    const u32 round = i / 4;
    if (PREFETCH && i == 4 * (ROUNDS - 1)) await_copies();
    unit v = read_unit(PREFETCH ? copied_unit(block, base, round, i % 4)
                                : swizzled(block.shared, loaded_offset(own), loaded_offset(i * BLOCK)));
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      const u32 k = ACROSS ? c : (PREFETCH ? part_of<0, LINE>(round << THREAD_BITS) : loaded_part<LINE>(i * BLOCK)) % 4;
      most[k] = greater_sizes(most[k], v.x[c]);
    }
  }
#pragma unroll
  for (u32 k = 0; k < HELD; k++) raise_peak<31 & ~TELL>(block.peaks, line | k, larger_size(most[k]), block.thread);
}

// Combines the peaks of all blocks of the cluster, in the memory after the peaks of this block.
__device__ __forceinline__ void combine_peaks(thread_block &block) {
  u32 *const combined = block.peaks + PEAKS;
  cluster_arrive(true), cluster_wait();
  for (u32 line = 2 * block.thread; line < PEAKS; line += 2 * BLOCK) {
    uint2 most = {0, 0};
#pragma unroll
    for (u32 b = 0; b < PASS_CLUSTER; b++) {
      uint2 m = load_from_block(block.peaks + line, b);
      most.x = max(most.x, m.x), most.y = max(most.y, m.y);
    }
    combined[line] = most.x, combined[line + 1] = most.y;
  }
  block.peaks = combined;
}

// Reads the units that this thread has copied for a round of the first merge.
__device__ __forceinline__ void read_copied(const thread_block &block, u32 base, u32 round, input_tile &x) {
  await_copies_but<ROUNDS - 1>();
#pragma unroll
  for (u32 i = 0; i < 4; i++) x.set_row(i, read_unit(copied_unit(block, base, round, i)));
}

}  // namespace mfft
