// columns.cuh: the columns of each thread of tensor.cu, and the addresses of their elements in shared memory.
#pragma once

#include "bank_layout.cuh"
#include "fragment.cuh"
#include "line_matrix.cuh"
#include "warp_transpose.cuh"

namespace mfft {

constexpr u32 ROUNDS = COLUMNS / BLOCK;  // in each round a thread has a quarter of the rows of four columns
static_assert(COLUMNS == BLOCK * ROUNDS && BLOCK % 32 == 0, "rounds are whole warps");

template <int I>
struct merge_of {
  static constexpr bool LAST = I == MERGES - 1, TWO = radix(I) == 32;  // TWO: a butterfly is in both products
  static constexpr int MAP = map_of<I>();
  static constexpr u32 S = radices_before(I);
  // The bit of a column that selects the product: the four columns are neighbours, or two pairs of neighbours, half of a
  // line's columns apart.
  static constexpr u32 NEAR = TWO ? 2 : 4, PRODUCT_BIT = TWO ? log2_of(MAP == BY_LINE ? COLUMNS : STEP) - 1 : 1;
};

__device__ __forceinline__ u32 lane_t(u32 thread = threadIdx.x) { return thread & 3; }
// Column c of the four of a thread.  rest: index of the pair of columns over the block's groups of four lanes.
template <int I>
__host__ __device__ constexpr u32 column(u32 rest, u32 c) {
  constexpr u32 B = merge_of<I>::PRODUCT_BIT;
  return c % 2 | (rest & ((1u << (B - 1)) - 1)) << 1 | c / 2 << B | rest >> (B - 1) << (B + 1);
}
template <int I>
__device__ __forceinline__ u32 own_column(u32 round, u32 thread = threadIdx.x) {
  return column<I>((thread + round * BLOCK) >> 2, 0);
}
// The line of column c, relative to that of the thread's first column.
template <int I>
__host__ __device__ constexpr u32 line_beside(u32 c) {
  return line_of<merge_of<I>::MAP>(column<I>(0, c));
}
template <int I>
__device__ __forceinline__ u32 own_line(u32 round, u32 thread = threadIdx.x) {
  return line_of<merge_of<I>::MAP>(own_column<I>(round, thread));
}

// Element of the line to which an output row of a column is written.  In a last merge of a smaller radix the rows belong to
// several butterflies; radix 32 has 32 rows.
template <int I>
__host__ __device__ constexpr u32 last_step() {
  return merge_of<I>::TWO ? STEP / 2 : STEP;
}
template <int I>
__host__ __device__ constexpr u32 row_position(u32 part, u32 row) {
  return merge_of<I>::LAST ? part + row * last_step<I>() : output_position<I>(part, row);
}

// Whether loads and stores of the pass are transposed (warp_transpose.cuh).
template <int I>
__host__ __device__ constexpr bool transposes() {
  constexpr u32 most = 32 * merge_of<I>::NEAR, along = 4 * (I == 0 ? STEP : last_step<I>());
  if (SHORT) return false;
  if (merge_of<I>::MAP == BY_LINE) return transpose_pays(4 * LINES, most, FAR_ROWS);
  return transpose_pays(along, most, I == 0 ? along : lane_row(radix(I)) * along);
}
constexpr bool TRANSPOSED_IN = ALIGNED_IN && transposes<0>(),
               TRANSPOSED_OUT = ALIGNED_OUT && !PASS_SHARES && transposes<MERGES - 1>();

// Whether a merge writes four contiguous elements at once for the next one: of neighbouring columns, or four outputs.
template <int I>
__host__ __device__ constexpr bool keeps_neighbours() {
  typedef merge_of<I> M;
  return M::MAP == merge_of<I + 1>::MAP && (M::MAP == BY_LINE || M::S > 1);
}
template <int I>
__host__ __device__ constexpr bool writes_units() {
  return keeps_neighbours<I>() || (merge_of<I + 1>::MAP == BY_ELEMENT && merge_of<I>::S == 1);
}

// Offset of an element of a column in shared memory, and the offset to which merge I writes an output row for the next one,
// before the swizzle.
__host__ __device__ constexpr u32 flat_offset(u32 column, u32 row) { return row * COLUMNS + column; }
template <int I>
__host__ __device__ constexpr u32 flat_output(u32 column, u32 row) {
  constexpr int MAP = merge_of<I>::MAP, NEXT = merge_of<I + 1>::MAP;
  u32 pos = row_position<I>(part_of<MAP>(column), row);
  return flat_offset(column_at<NEXT>(line_of<MAP>(column), pos % STEP), pos / STEP);
}

// Lanes served at once differ in the row, by 1 and 2 in reads and by 4 and 8 in writes, and in the next four columns.
template <int I = 0>
__host__ __device__ constexpr void add_accesses(access_list &all) {
  if constexpr (I < MERGES - 1) {
    if (writes_units<I>())
      all.of[all.count++] = {{log2_of(flat_output<I>(0, 4)), log2_of(flat_output<I>(0, 8)), log2_of(flat_output<I>(4, 0))}};
    all.of[all.count++] = {{log2_of(flat_offset(0, 1)), log2_of(flat_offset(0, 2)), log2_of(flat_offset(4, 0))}};
    add_accesses<I + 1>(all);
  }
}
__host__ __device__ constexpr swizzle make_swizzle() {
  access_list all = {};
  add_accesses(all);
  return solve_banks<2>(all, log2_of(COLUMNS) + 4);
}
struct banks {
  static constexpr swizzle SWIZZLE = make_swizzle();
  static_assert(SWIZZLE.found, "bank conflict");
};

// The offset in bytes, with the swizzle.  Bits of coordinates are combined by exclusive or: offset(a | b) = offset(a) ^
// offset(b).
template <int BIT = 5>
__host__ __device__ constexpr u32 swizzled_bytes(u32 offset) {
  if constexpr (BIT < log2_of(COLUMNS) + 4) {
    constexpr u32 image = banks::SWIZZLE.of[BIT] << 4;
    return (offset >> BIT & 1) * image ^ swizzled_bytes<BIT + 1>(offset);
  }
  return 4 * offset;
}
__host__ __device__ constexpr u32 input_offset(u32 column, u32 row) { return swizzled_bytes(flat_offset(column, row)); }
template <int I>
__host__ __device__ constexpr u32 output_offset(u32 column, u32 row) {
  return swizzled_bytes(flat_output<I>(column, row));
}
// The offset of output b of column c of a thread; in radix 32 the rows of the second product are 16 higher.
template <int I>
__host__ __device__ constexpr u32 own_output_offset(u32 c, u32 b) {
  return merge_of<I>::TWO ? output_offset<I>(column<I>(0, c % 2), b + 16 * (c / 2)) : output_offset<I>(column<I>(0, c), b);
}

}  // namespace mfft
