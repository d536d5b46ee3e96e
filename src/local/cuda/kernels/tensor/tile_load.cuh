// tile_load.cuh: how the tiles of resident.cu come from device memory to shared memory, by asynchronous copies.
//
// A tile of a single block comes to where it is merged, as in memory; the next one, unit by unit, as the last merge has read
// what lies there.  In half the first merge begins when one half of it has come.  With AHEAD there is room for most of the
// next tile behind this one: each thread copies what it will take itself, and waits for nobody else, so that copies have all
// merges of a tile to arrive in.  That is faster where tiles are small, for all the room that it takes; docs/performance.md
// says where.
#pragma once

#include "block_float.cuh"
#include "tile_layout.cuh"

namespace mfft {

static_assert(AHEAD || BLOCK_BITS == 0, "a block of a cluster cannot tell when the others have read what lies there");

constexpr u32 PEAKS = LINES > 1 ? LINES : 2;

struct block {  // and the tile it has in hand
  const mfft_pass_args &a;
  char *shared;
  u32 *peaks;                         // [LINES] of bfloat16
  u32 rank;                           // in the cluster
  u32 thread;                         // in the block
  line_number first_line, next_line;  // of this tile, and of the one after it,
  bool more;                          // if there is one

  __device__ __forceinline__ u32 column(u32 of) const { return rank << (OWN_BITS - 6) | of >> 2; }  // of the first round
  __device__ __forceinline__ u32 column() const { return column(thread); }
  __device__ __forceinline__ u32 t() const { return thread & 3; }
};

// Beyond the last line that line is repeated: columns do not mix, and its results are written once more.  Lines in fours
// where a unit holds four.
__device__ __forceinline__ line_number no_further(const block &on, line_number line, bool fours) {
  return min(line, (line_number)on.a.lines - (fours ? 4 : 1));
}

// Where unit i of a round lies.
template <int I>
__device__ __forceinline__ char *unit_at(const block &on, u32 base, u32 round, u32 i) {
  return in_tile<15 * 8>(on.shared, base, place_of<I>(round << THREAD_BITS) ^ unit_place<I>(i));
}

// With AHEAD, a thread copies what it takes in the first merge itself, a group of copies for each round: to where that merge
// puts its results in the last round, else to places behind the tile, which are free again when they have been read.
__device__ __forceinline__ char *raw_unit(const block &on, u32 home, u32 round, u32 i) {
  return round < ROUNDS - 1 ? on.shared + PASS_EXCHANGE_BYTES + ((4 * round + i) * BLOCK + on.thread) * 16
                            : unit_at<0>(on, home, round, i);
}
__device__ __forceinline__ void copy_round(const block &on, line_number first_line, u32 round) {
  constexpr u32 STEP = 1u << (axis_bits(FIRST) - 4);
  constexpr bool ACROSS = PASS_MAP_IN == BY_LINE;
  const u32 own = on.column(), columns = round << THREAD_BITS;
  const long long step = ACROSS ? again(on.a.in_stride) : 1, far = PLANES ? again(on.a.line_in) : 0;
  const line_number line = no_further(on, first_line + (part_of<0, LINE>(own) | part_of<0, LINE>(columns)), ACROSS);
  const u32 *from = (const u32 *)on.a.in + find_line<false>(on.a, line).offset;
  from += (part_of<0, FIRST>(own) + on.t() * STEP) * step + part_of<0, SECOND>(own) * far;
  from += part_of<0, FIRST>(columns) * step + part_of<0, SECOND>(columns) * far;
  const u32 home = place_of<0>(own) ^ lane_place<0>(on.t());
#pragma unroll
  for (u32 i = 0; i < 4; i++) copy_unit<(PASS_VECTOR & 1) != 0>(raw_unit(on, home, round, i), from + 4 * i * STEP * step);
}

// Units of a tile that a round of the last merge has read, from device memory.
__device__ __forceinline__ void load(const block &on, line_number first_line, u32 round) {
  constexpr int UNIT_BITS = log2_of(BLOCK) + 2;
  const u32 own = on.thread;
  const long long step = PASS_MAP_IN == BY_LINE ? again(on.a.in_stride) : 1, far = PLANES ? again(on.a.line_in) : 0;
#pragma unroll
  for (u32 j = 0; j < 4; j++) {
    const u32 more = j * BLOCK | round << UNIT_BITS;
    const line_number line =
        no_further(on, first_line + (load_part<LINE>(own) | load_part<LINE>(more)), PASS_MAP_IN == BY_LINE);
    const u32 *from = (const u32 *)on.a.in + find_line<false>(on.a, line).offset;
    from += load_part<FIRST>(own) * step + load_part<SECOND>(own) * far;
    from += load_part<FIRST>(more) * step + load_part<SECOND>(more) * far;
    copy_unit<(PASS_VECTOR & 1) != 0>(in_tile(on.shared, load_place(own), load_place(more)), from);
  }
}

// Of PIPED tiles, half of the rounds of the first merge: a barrier for each round costs as much as it brings.
__device__ __forceinline__ void await_half(u32 round) {
  if (round == 0) await_copies_but<ROUNDS / 2>();
  if (round == ROUNDS / 2) await_copies();
  if (round % (ROUNDS / 2) == 0) __syncthreads();
}

// Lines across units, four by four, are told by these bits of the thread; others by none of its lane.
constexpr int LINE_BIT = AHEAD ? 2 : 0;
__host__ __device__ constexpr bool lanes_tell_lines() {
  const images &lines = AHEAD ? merge_map<0>::PART[LINE] : load_map::PART[LINE];
  for (int j = 0; j < (PASS_MAP_IN == BY_LINE ? axis_bits(LINE) - 2 : 5 - LINE_BIT); j++)
    if (lines.of[j] != (PASS_MAP_IN == BY_LINE ? 4u << j : 0)) return false;
  return true;
}

// The largest number of each line of the tile, of what this thread has copied, to `peaks`.
__device__ __forceinline__ void find_peaks(const block &on) {
  constexpr bool ACROSS = PASS_MAP_IN == BY_LINE;  // the four of a unit are of four lines
  constexpr u32 HELD = ACROSS || LINES > 4 ? 4 : LINES, TELL = ACROSS ? (LINES / 4 - 1) << LINE_BIT : 0;
  static_assert(!LEVELLED || ACROSS || LINES <= 4, "a thread holds the peaks of four lines");
  static_assert(!LEVELLED || lanes_tell_lines(), "what a thread copies is of four lines");
  const u32 own = AHEAD ? on.column() : on.thread;
  const u32 home = place_of<0>(own) ^ lane_place<0>(on.t()), line = AHEAD ? part_of<0, LINE>(own) : load_part<LINE>(own);
  u32 most[4] = {};
  if (AHEAD) await_copies_but<1>();
#pragma unroll
  for (u32 i = 0; i < 4 * ROUNDS; i++) {
    const u32 round = i / 4;
    if (AHEAD && i == 4 * (ROUNDS - 1)) await_copies();
    quad v =
        read_quad(AHEAD ? raw_unit(on, home, round, i % 4) : in_tile(on.shared, load_place(own), load_place(i * BLOCK)));
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      const u32 k = ACROSS ? c : (AHEAD ? part_of<0, LINE>(round << THREAD_BITS) : load_part<LINE>(i * BLOCK)) % 4;
      most[k] = greater_sizes(most[k], v.x[c]);
    }
  }
#pragma unroll
  for (u32 k = 0; k < HELD; k++) {
    u32 m = larger_half(most[k]);
#pragma unroll
    for (u32 lanes = 1; lanes < 32; lanes *= 2)
      if (!(TELL & lanes)) m = max(m, __shfl_xor_sync(~0u, m, lanes));
    if ((on.thread & 31 & ~TELL) == 0) atomicMax(on.peaks + (line | k), m);
  }
}

// The peaks of all blocks of the cluster, to those that follow.
__device__ __forceinline__ void join_peaks(block &on) {
  u32 *const joined = on.peaks + PEAKS;
  cluster_arrive(true), cluster_wait();
  for (u32 line = 2 * on.thread; line < PEAKS; line += 2 * BLOCK) {
    uint2 most = {0, 0};
#pragma unroll
    for (u32 b = 0; b < PASS_CLUSTER; b++) {
      uint2 m = load_from_block(on.peaks + line, b);
      most.x = max(most.x, m.x), most.y = max(most.y, m.y);
    }
    joined[line] = most.x, joined[line + 1] = most.y;
  }
  on.peaks = joined;
}

// What this thread has copied for a round of the first merge.
__device__ __forceinline__ void take(const block &on, u32 home, u32 round, quad (&x)[2][2]) {
  await_copies_but<ROUNDS - 1>();
#pragma unroll
  for (u32 i = 0; i < 4; i++) hold(x, i, read_quad(raw_unit(on, home, round, i)));
}

}  // namespace mfft
