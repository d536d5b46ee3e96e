// columns.cuh: which columns of a tile a thread of tensor.cu has, where their elements go, and where they lie in shared
// memory.
#pragma once

#include "fragment.cuh"
#include "unit.cuh"
#include "warp_transpose.cuh"

namespace mfft {

constexpr u32 STEP = N / 16;             // distance of rows, and columns of a line
constexpr u32 COLUMNS = STEP * LINES;    // of the block
constexpr u32 ROUNDS = COLUMNS / BLOCK;  // of a block: a thread takes four columns in each, a quarter of their rows
static_assert(COLUMNS == BLOCK * ROUNDS && BLOCK % 32 == 0, "rounds are whole warps");

// Columns of a block are counted along lines or across them.
template <int MAP>
__host__ __device__ constexpr u32 line_of(u32 column) {
  return MAP == BY_LINE ? column % LINES : column / STEP;
}
template <int MAP>
__host__ __device__ constexpr u32 part_of(u32 column) {
  return MAP == BY_LINE ? column / LINES : column % STEP;
}
template <int MAP>
__host__ __device__ constexpr u32 column_at(u32 line, u32 part) {
  return MAP == BY_LINE ? part * LINES + line : line * STEP + part;
}

template <int I>
struct merge_of {
  static constexpr bool LAST = I == MERGES - 1, TWO = radix(I) == 32;  // a butterfly in both tiles
  static constexpr int MAP = LAST ? PASS_MAP_OUT : I == 0 ? PASS_MAP_IN : PASS_MAP_MID;
  static constexpr u32 S = I == 0 ? 1 : merge_of<I - 1>::S * radix(I ? I - 1 : 0);  // product of the radices before
  // The bit of a column that tells the two tiles: four neighbours, or two and two that are half a line's columns apart.
  static constexpr u32 NEAR = TWO ? 2 : 4, TILE_BIT = TWO ? log2_of(MAP == BY_LINE ? COLUMNS : STEP) - 1 : 1;
  static constexpr u32 OUT = TWO ? STEP / 2 : STEP;  // distance of the last outputs
};
template <>
struct merge_of<-1> {  // the first merge: S is 1
  static constexpr u32 S = 0;
};

__device__ __forceinline__ u32 lane_t(u32 thread = threadIdx.x) { return thread & 3; }
// Column of tile h and neighbour e; `rest` counts the pairs of columns over the block's groups of four lanes.
template <int I>
__host__ __device__ constexpr u32 column(u32 rest, u32 h, u32 e) {
  constexpr u32 B = merge_of<I>::TILE_BIT;
  return e | (rest & ((1u << (B - 1)) - 1)) << 1 | h << B | rest >> (B - 1) << (B + 1);
}
template <int I>
__device__ __forceinline__ u32 own_column(u32 round, u32 thread = threadIdx.x) {
  return column<I>((thread + round * BLOCK) >> 2, 0, 0);
}

// Which ends of the pass are carried (carry.cuh).
template <int I>
__host__ __device__ constexpr bool carries() {
  constexpr u32 most = 32 * merge_of<I>::NEAR, along = 4 * (I == 0 ? STEP : merge_of<I>::OUT);
  if (SHORT) return false;
  if (merge_of<I>::MAP == BY_LINE) return worth_carrying(4 * LINES, most, FAR_ROWS);
  return worth_carrying(along, most, I == 0 ? along : lane_row(radix(I)) * along);
}
constexpr bool CARRIED_IN = (PASS_VECTOR & 1) && carries<0>(),
               CARRIED_OUT = (PASS_VECTOR & 2) && !PASS_SHARES && carries<MERGES - 1>();

// Whether a merge puts four neighbours at a time for the next one: columns that are neighbours before, or four outputs.
template <int I>
__host__ __device__ constexpr bool keeps_neighbours() {
  typedef merge_of<I> M;
  return M::MAP == merge_of<I + 1>::MAP && (M::MAP == BY_LINE || M::S > 1);
}
template <int I>
__host__ __device__ constexpr bool puts_units() {
  return keeps_neighbours<I>() || (merge_of<I + 1>::MAP == BY_ELEMENT && merge_of<I>::S == 1);
}

// Element of a line that an output row goes to, in Stockham order.
template <int I>
__host__ __device__ constexpr u32 written(u32 part, u32 row) {
  constexpr u32 S = merge_of<I>::S;
  return merge_of<I>::LAST ? part + row * merge_of<I>::OUT : part / S * (radix(I) * S) + part % S + row * S;
}

// Where an element of a column lies in shared memory, and where merge I puts an output row for the next one, but for turns.
__host__ __device__ constexpr u32 flat_place(u32 column, u32 row) { return row * COLUMNS + column; }
template <int I>
__host__ __device__ constexpr u32 flat_put(u32 column, u32 row) {
  constexpr int MAP = merge_of<I>::MAP, NEXT = merge_of<I + 1>::MAP;
  u32 pos = written<I>(part_of<MAP>(column), row);
  return flat_place(column_at<NEXT>(line_of<MAP>(column), pos % STEP), pos / STEP);
}

// Lanes differ in a row, by 1 and 2 where they read and by 4 and 8 where they write, and in the next four columns.
template <int I = 0>
__host__ __device__ constexpr void add_trios(trios &all) {
  if constexpr (I < MERGES - 1) {
    if (puts_units<I>())
      all.of[all.count++] = {{log2_of(flat_put<I>(0, 4)), log2_of(flat_put<I>(0, 8)), log2_of(flat_put<I>(4, 0))}};
    all.of[all.count++] = {{log2_of(flat_place(0, 1)), log2_of(flat_place(0, 2)), log2_of(flat_place(4, 0))}};
    add_trios<I + 1>(all);
  }
}
__host__ __device__ constexpr turns make_turns() {
  trios all = {};
  add_trios(all);
  return find_turns(all, log2_of(COLUMNS) + 4);
}
struct banks {
  static constexpr turns TURN = make_turns();
  static_assert(TURN.found, "lanes meet in a bank");
};

// The same as bytes.  Everything is a power of two, so a place is made of its coordinates' bits by exclusive or:
// place(a | b) = place(a) ^ place(b).
template <int BIT = 5>
__host__ __device__ constexpr u32 turned(u32 place) {
  if constexpr (BIT < log2_of(COLUMNS) + 4) {
    constexpr u32 image = banks::TURN.of[BIT] << 4;
    return (place >> BIT & 1) * image ^ turned<BIT + 1>(place);
  }
  return 4 * place;
}
__host__ __device__ constexpr u32 place_of(u32 column, u32 row) { return turned(flat_place(column, row)); }
template <int I>
__host__ __device__ constexpr u32 put_place(u32 column, u32 row) {
  return turned(flat_put<I>(column, row));
}
// The same of output b of the c-th column of a thread: of radix 32 the second tile has rows 16 further on.
template <int I>
__host__ __device__ constexpr u32 put_place_of(u32 c, u32 b) {
  return merge_of<I>::TWO ? put_place<I>(column<I>(0, 0, c % 2), b + 16 * (c / 2))
                          : put_place<I>(column<I>(0, c / 2, c % 2), b);
}

}  // namespace mfft
