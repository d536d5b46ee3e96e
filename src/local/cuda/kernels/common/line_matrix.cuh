// line_matrix.cuh: lines as matrices of 16 rows (tile.cuh), whose columns tensor.cu and split.cu merge: the numbering of the
// columns of a block, and the destinations of the results of a merge.
#pragma once

#include "config.cuh"

namespace mfft {

constexpr u32 STEP = N / 16;           // distance of rows; columns of a line
constexpr u32 COLUMNS = STEP * LINES;  // columns of the block

// Numbering of the columns of a block, along lines or across them.
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

// The numbering in merge I.  With staged copies of lines it is by element.
template <int I>
__host__ __device__ constexpr int map_of() {
  return I == 0 && !PASS_STAGED_IN ? PASS_MAP_IN : I == MERGES - 1 && !PASS_STAGED_OUT ? PASS_MAP_OUT : PASS_MAP_MID;
}

// The product S of the radices before merge i.
__host__ __device__ constexpr u32 radices_before(int i) {
  u32 s = 1;
  for (int m = 0; m < i; m++) s *= radix(m);
  return s;
}

// Element of the line to which output q of butterfly j of merge I is written (Stockham autosort: natural order at the end
// without a reordering).
template <int I>
__host__ __device__ constexpr u32 output_position(u32 j, u32 q) {
  constexpr u32 R = radix(I), S = radices_before(I);
  return j / S * (S * R) + j % S + q * S;
}

}  // namespace mfft
