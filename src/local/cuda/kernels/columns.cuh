// columns.cuh: which columns of a tile a thread of tensor.cu has, where their elements go, and where they lie in shared
// memory.
#pragma once

#include "unit.cuh"

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

constexpr bool SHORT = PASS_VECTOR & 8;  // lines of 16 or 32 that touch in memory

template <int I>
struct merge_of {
  static constexpr bool LAST = I == MERGES - 1, TWO = radix(I) == 32;  // a butterfly in both tiles
  static constexpr int MAP = LAST ? PASS_MAP_OUT : I == 0 ? PASS_MAP_IN : PASS_MAP_MID;
  static constexpr u32 S = I == 0 ? 1 : merge_of<I - 1>::S * 16;  // product of the radices before
  // The bit of a column that tells the two tiles.  The highest of its part makes the next unit, or a butterfly.
  static constexpr u32 TILE_BIT = LAST && !TWO ? 1 : log2_of(MAP == BY_LINE ? COLUMNS : STEP) - 1;
  static constexpr u32 OUT = TWO ? STEP / 2 : STEP;  // distance of the last outputs
};
template <>
struct merge_of<-1> {  // the first merge: S is 1
  static constexpr u32 S = 0;
};

__device__ __forceinline__ u32 lane_t() { return threadIdx.x & 3; }
// Column of tile h and neighbour e; `rest` counts the pairs of columns over the block's groups of four lanes.
template <int I>
__host__ __device__ constexpr u32 column(u32 rest, u32 h, u32 e) {
  constexpr u32 B = merge_of<I>::TILE_BIT;
  return e | (rest & ((1u << (B - 1)) - 1)) << 1 | h << B | rest >> (B - 1) << (B + 1);
}
template <int I>
__device__ __forceinline__ u32 own_column(u32 round) {
  return column<I>((threadIdx.x + round * BLOCK) >> 2, 0, 0);
}

// Element of a line that an output row goes to, in Stockham order.
template <int I>
__host__ __device__ constexpr u32 written(u32 part, u32 row) {
  constexpr u32 S = merge_of<I>::S;
  return merge_of<I>::LAST ? part + row * merge_of<I>::OUT : part / S * (16 * S) + part % S + row * S;
}

// Byte of a column's element in shared memory, where merge I looks for it.  Units are spread over the banks by the bits in
// which the lanes of an access differ.  Everything is a power of two, so a place is made of its coordinates' bits by
// exclusive or: place(a | b) = place(a) ^ place(b).
template <int I>
__host__ __device__ constexpr u32 place_of(u32 column, u32 row) {
  u32 pair = column / 2,
      turn = pair >> 4 ^ ((pair >> 5 ^ pair >> 6) & 2) ^ (row & 1) * 5 ^ (row >> 1 & 1) * 3 ^ (row >> 2 & 1);
  return ((row & 7) * (COLUMNS / 2) + pair ^ turn & 7) * 16 + (row >> 3) * 8 + (column & 1) * 4;
}
template <int I>  // where merge I puts an output row
__host__ __device__ constexpr u32 put_place(u32 column, u32 row) {
  constexpr int MAP = merge_of<I>::MAP, NEXT = merge_of<I + 1>::MAP;
  u32 pos = written<I>(part_of<MAP>(column), row);
  return place_of<I + 1>(column_at<NEXT>(line_of<MAP>(column), pos % STEP), pos / STEP);
}

}  // namespace mfft
