// tile_layout.cuh: the layout in shared memory of a tile that is merged in place (resident.cu).
//
// All sizes are powers of two, so a layout is a map of bits: each bit of a coordinate is a bit of the offset.  Bits 0 and 1
// of the offset are the index in a unit of four elements, 16 bytes, the highest ones the block of the cluster.  A merge maps
// elements as in tensor.cu: element part + N/16 row of a line becomes part / S * 16 S + part % S + S row, Stockham's order.
// However, a thread writes its 16 results to the addresses of its 16 inputs: of the four bits of a row, two are t = 0 .. 3,
// its lane, for inputs as well as results, and the other two are i = 0 .. 3, its unit.  No thread writes to addresses that
// another one reads, so a merge needs one barrier, and registers for one round of columns only.
//
// If results are contiguous in memory but the corresponding inputs are not, the first merge transposes its units: it
// exchanges the four columns of a unit with the four results that a thread has of each.
#pragma once

#include "bank_layout.cuh"
#include "fragment.cuh"

namespace mfft {

enum axis { FIRST = 0, SECOND = 1, LINE = 2 };

constexpr int LAST = MERGES + PASS_SECOND_MERGES - 1;  // merges of both axes are numbered consecutively
constexpr bool PREFETCH = PASS_TWO_AREAS;  // the next tile has its own memory and is copied while this one is merged
constexpr bool PLANES = PASS_SECOND_MERGES > 0, TRANSPOSED = PASS_MAP_OUT == BY_ELEMENT;
constexpr int BLOCK_BITS = log2_of(PASS_CLUSTER), TILE_BITS = log2_of(N) + log2_of(PASS_SECOND_N) + log2_of(LINES),
              OWN_BITS = TILE_BITS - BLOCK_BITS;        // bits of the offset within a block
constexpr u32 ROUNDS = (1u << (OWN_BITS - 4)) / BLOCK;  // in each round a thread has a quarter of the rows of four columns
constexpr int THREAD_BITS = log2_of(BLOCK / 4), COLUMN_BITS = TILE_BITS - 6;
static_assert(ROUNDS >= 1 && BLOCK % 32 == 0 && (1 << (OWN_BITS - 4)) == BLOCK * ROUNDS, "rounds are whole warps");

__host__ __device__ constexpr int second_radix(int i) {
  constexpr int list[] = {PASS_SECOND_R0, PASS_SECOND_R1, PASS_SECOND_R2, PASS_SECOND_R3,
                          PASS_SECOND_R4, PASS_SECOND_R5, PASS_SECOND_R6, PASS_SECOND_R7};  // [SECOND_MERGES] count
  return list[i];
}
__host__ __device__ constexpr int axis_bits(int axis) {
  return log2_of(axis == FIRST ? N : axis == SECOND ? PASS_SECOND_N : LINES);
}
__host__ __device__ constexpr int axis_of(int merge) { return merge < MERGES ? FIRST : SECOND; }
__host__ __device__ constexpr int radix_of(int merge) {
  return merge < MERGES ? radix(merge) : second_radix(merge - MERGES);
}
__host__ __device__ constexpr bool ends_axis(int merge) { return merge == MERGES - 1 || merge == LAST; }
// log2 of S, limited to the bits below those of a row.
__host__ __device__ constexpr int before_bits(int merge) {
  int bits = 4 * (merge < MERGES ? merge : merge - MERGES), most = axis_bits(axis_of(merge)) - 4;
  return bits < most ? bits : most;
}

struct layout {
  int of[3][MOST_BITS];  // [axis][bit of the index] bit of the offset
};

// The layout in which the tile is loaded.  The highest bits of the last digit, which are rows of the last merge, select the
// block.
__host__ __device__ constexpr layout loaded_layout() {
  layout at = {};
  int next = 0, last = log2_of(radix_of(LAST));
  for (int k = 0; k < 3; k++) {
    int axis = PASS_MAP_IN == BY_LINE ? (k + 2) % 3 : k;
    for (int b = 0; b < axis_bits(axis); b++) {
      bool shared_out = axis == axis_of(LAST) && b < last && b >= last - BLOCK_BITS;
      at.of[axis][b] = shared_out ? OWN_BITS + b - (last - BLOCK_BITS) : next++;
    }
  }
  return at;
}

// The layout after a merge.
__host__ __device__ constexpr layout merged_layout(layout at, int merge) {
  int axis = axis_of(merge), bits = axis_bits(axis), low = before_bits(merge);
  int in[4] = {}, out[4] = {};
  for (int j = 0; j < 4; j++) in[j] = at.of[axis][bits - 4 + j];
  for (int j = 0; j < 4; j++) out[j] = in[lane_row(radix_of(merge)) == 1 ? j : j ^ 2];
  if (TRANSPOSED && merge == 0) {
    for (int k = 0; k < 3; k++)
      for (int b = 0; b < axis_bits(k); b++)
        if (at.of[k][b] < 2) at.of[k][b] = in[2 + at.of[k][b]];
    out[0] = 0, out[1] = 1;
  }
  for (int j = bits - 5; j >= low; j--) at.of[axis][j + 4] = at.of[axis][j];
  for (int j = 0; j < 4; j++) at.of[axis][low + j] = out[j];
  return at;
}
__host__ __device__ constexpr layout layout_before(int merge) {
  layout at = loaded_layout();
  for (int m = 0; m < merge; m++) at = merged_layout(at, m);
  return at;
}

// An order of bits of the offset, for numbering rows, columns or units.
struct bit_order {
  int bit[MOST_BITS], count;
  __host__ __device__ constexpr bool has(int x) const {
    for (int i = 0; i < count; i++)
      if (bit[i] == x) return true;
    return false;
  }
};

// The bits of the offset that number the 16 rows of a merge: those of t, then those of i.
__host__ __device__ constexpr bit_order row_bits(int merge) {
  bit_order rows = {};
  for (int j = 0; j < 4; j++)
    rows.bit[rows.count++] = layout_before(merge).of[axis_of(merge)][axis_bits(axis_of(merge)) - 4 + j];
  return rows;
}

// Whether the four columns of a unit have different twiddles: in the first merge of contiguous lines.
__host__ __device__ constexpr bool spreads(int merge) { return merge == 0 && PASS_MAP_IN == BY_ELEMENT; }

// The bits of the offset that number the rounds of both the last and the first merge, as far as there are such bits: loads
// of a round must be whole cache lines, and elements that lanes store at once must be in one round.
constexpr int ROUND_BITS = log2_of(ROUNDS), CACHE_LINE_BITS = 5;
__host__ __device__ constexpr bit_order round_bits() {
  bit_order found = {}, first = row_bits(0), last = row_bits(LAST);
  layout at = layout_before(LAST);
  for (int p = OWN_BITS - 1; p >= CACHE_LINE_BITS && found.count < ROUND_BITS; p--) {
    bool taken = first.has(p) || last.has(p);
    for (int b = 2; TRANSPOSED && b < 5 && b < axis_bits(FIRST); b++) taken = taken || at.of[FIRST][b] == p;
    if (!taken) found.bit[found.count++] = p;
  }
  return found;
}
// PIPELINED: the first merge begins with the first half of the next tile while the second half is being copied, since the
// addresses of a round of the last merge, to which the next tile is copied, are those of a round of the first merge.
// bfloat16 needs the peaks of the whole tile first.
constexpr bool PIPELINED = !PREFETCH && BLOCK_BITS == 0 && PASS_PRECISION == HALF && round_bits().count == ROUND_BITS;

// The bits of the offset that number the columns of a merge, in groups of four.  The lowest ones are those of columns with
// the same twiddles or, in the last merge, those within 128 bytes of memory.  The highest ones are those of rounds, if they
// are the same in both merges, and those of blocks.
__host__ __device__ constexpr bit_order column_bits(int merge) {
  layout at = layout_before(merge);
  bit_order rows = row_bits(merge), columns = {};
  int key[MOST_BITS] = {}, axis = axis_of(merge);
  for (int p = 2; p < TILE_BITS; p++) {
    if (rows.has(p)) continue;
    int rank = p;
    if (merge == LAST && TRANSPOSED)
      for (int b = 2; b < 5 && b < axis_bits(FIRST); b++)
        if (at.of[FIRST][b] == p) rank = b - 10;
    if (!ends_axis(merge) && !(PREFETCH && spreads(merge)))
      for (int b = before_bits(merge); b < axis_bits(axis) - 4; b++)
        if (at.of[axis][b] == p) rank = p + 100;
    if (PIPELINED && (merge == 0 || merge == LAST) && round_bits().has(p)) rank = p + 500;
    if (p >= OWN_BITS) rank = p + 1000;
    int j = columns.count++;
    for (; j > 0 && key[j - 1] > rank; j--) key[j] = key[j - 1], columns.bit[j] = columns.bit[j - 1];
    key[j] = rank, columns.bit[j] = p;
  }
  return columns;
}

// The bits of the offset that number the units of a tile as they are loaded: in the order of memory, but grouped by rounds
// of the last merge if the next tile is copied to the addresses that a round has read.
__host__ __device__ constexpr bit_order load_bits() {
  bit_order columns = column_bits(LAST), units = {}, rounds = {};
  for (int j = THREAD_BITS; j < OWN_BITS - 6 && BLOCK_BITS == 0; j++) rounds.bit[rounds.count++] = columns.bit[j];
  for (int p = 2; p < OWN_BITS; p++)
    if (!rounds.has(p)) units.bit[units.count++] = p;
  for (int j = 0; j < rounds.count; j++) units.bit[units.count++] = rounds.bit[j];
  for (int p = OWN_BITS; p < TILE_BITS; p++) units.bit[units.count++] = p;
  return units;
}

// Lanes that differ in t and in the first bit of their columns are served at once.
__host__ __device__ constexpr swizzle make_swizzle() {
  access_list all = {};
  for (int i = 0; i <= LAST; i++) {
    bit_order rows = row_bits(i), columns = column_bits(i);
    all.of[all.count++] = {{rows.bit[0], rows.bit[1], columns.bit[0]}};
  }
  bit_order units = load_bits();
  all.of[all.count++] = {{units.bit[0], units.bit[1], units.bit[2]}};
  return solve_banks<2>(all, OWN_BITS);
}

// A map of bits: the number that each bit of an index adds to an offset.
struct images {
  u32 of[MOST_BITS];
};
__host__ __device__ constexpr images to_bytes(const bit_order &from, const swizzle &add) {  // offsets in shared memory
  images map = {};
  for (int j = 0; j < from.count; j++) {
    int p = from.bit[j];
    map.of[j] = p >= OWN_BITS ? 0 : (4u << p) ^ (u32)(add.of[p] << 4);
  }
  return map;
}
__host__ __device__ constexpr images to_index(const bit_order &from, const layout &at, int axis) {
  images map = {};
  for (int j = 0; j < from.count; j++)
    for (int b = 0; b < axis_bits(axis); b++)
      if (at.of[axis][b] == from.bit[j]) map.of[j] = 1u << b;
  return map;
}

struct banks {
  static constexpr swizzle SWIZZLE = make_swizzle();
  static_assert(SWIZZLE.found, "bank conflict");
};
template <int I>
struct merge_map {
  static constexpr images ROW = to_bytes(row_bits(I), banks::SWIZZLE), COLUMN = to_bytes(column_bits(I), banks::SWIZZLE);
  static constexpr images PART[3] = {to_index(column_bits(I), layout_before(I), FIRST),
                                     to_index(column_bits(I), layout_before(I), SECOND),
                                     to_index(column_bits(I), layout_before(I), LINE)};
};
struct load_map {
  static constexpr images UNIT = to_bytes(load_bits(), banks::SWIZZLE);
  static constexpr images PART[3] = {to_index(load_bits(), loaded_layout(), FIRST),
                                     to_index(load_bits(), loaded_layout(), SECOND),
                                     to_index(load_bits(), loaded_layout(), LINE)};
};

// Offset in bytes of the first unit of columns `x`, and the increments for the lane and for unit i.
template <int I, int J = 0>
__device__ __forceinline__ u32 column_offset(u32 x) {
  if constexpr (J < COLUMN_BITS) {
    constexpr u32 image = merge_map<I>::COLUMN.of[J];
    return (x >> J & 1) * image ^ column_offset<I, J + 1>(x);
  }
  return 0;
}
template <int I>
__device__ __forceinline__ u32 lane_offset(u32 t) {
  return (t & 1) * merge_map<I>::ROW.of[0] ^ (t >> 1) * merge_map<I>::ROW.of[1];
}
template <int I>
__device__ __forceinline__ u32 unit_offset(u32 i) {
  return (i & 1) * merge_map<I>::ROW.of[2] ^ (i >> 1) * merge_map<I>::ROW.of[3];
}
// Index on an axis of columns `x`, before merge I.
template <int I, int AXIS, int J = 0>
__device__ __forceinline__ u32 part_of(u32 x) {
  if constexpr (J < COLUMN_BITS) {
    constexpr u32 image = merge_map<I>::PART[AXIS].of[J];
    return (x >> J & 1) * image | part_of<I, AXIS, J + 1>(x);
  }
  return 0;
}
// Offset and index of units in the order of loading.
template <int J = 0>
__device__ __forceinline__ u32 loaded_offset(u32 y) {
  if constexpr (J < TILE_BITS - 2) {
    constexpr u32 image = load_map::UNIT.of[J];
    return (y >> J & 1) * image ^ loaded_offset<J + 1>(y);
  }
  return 0;
}
template <int AXIS, int J = 0>
__device__ __forceinline__ u32 loaded_part(u32 y) {
  if constexpr (J < TILE_BITS - 2) {
    constexpr u32 image = load_map::PART[AXIS].of[J];
    return (y >> J & 1) * image | loaded_part<AXIS, J + 1>(y);
  }
  return 0;
}

}  // namespace mfft
