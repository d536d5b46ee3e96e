// merge_twiddles.cuh: twiddles between the merges of a pass of tensor.cu.
//
// A persistent block, which processes many tiles, stores its twiddles in registers, if there are enough.  A block with a
// single tile copies them to shared memory while the preceding pass ends, so that merges do not wait for tables, and
// registers remain free for loading the whole tile at once.
#pragma once

#include "columns.cuh"

namespace mfft {

// The twiddles after merge I, times its part of the scale.  The table (tensor_tables.c) has them in the order of lanes.  The
// four columns of a thread have the same twiddles, except in the first merge of contiguous lines, where the first pair has
// two different ones, and the matrix of the second pair includes the additional factor.  In radix 32 each product has its
// own.
template <int I>
struct twiddles {
  static constexpr u32 S = merge_of<I>::S;
  static constexpr int MAP = merge_of<I>::MAP;
  static constexpr bool OWN = MAP == BY_ELEMENT && S == 1, TWO = merge_of<I>::TWO;
  static constexpr u32 SETS = OWN || TWO ? 2 : 1, SHARE = OWN ? 4 : S;
  static constexpr u32 ROWS = STEP / SHARE / (TWO ? 2 : 1);  // rows of the table, for 4 lanes each
  static constexpr u32 COUNT = 4 * 2 * SETS * ROWS;          // pairs of twiddles in the table
  static constexpr u32 BEFORE = twiddles<I - 1>::BEFORE + twiddles<I - 1>::COUNT;
  value w[SETS][4];  // [column of a product; radix 32: product][b]

  __device__ __forceinline__ void load(const float4 *table, u32 round) {
    const u32 row = part_of<MAP>(own_column<I>(round)) / SHARE;
    const float4 *from = table + BEFORE + row * 4 + lane_t();
#pragma unroll
    for (u32 k = 0; k < 2 * SETS; k++) {
      float4 v = from[4 * ROWS * k];
      w[k / 2][k % 2 * 2] = {v.x, v.y};
      w[k / 2][k % 2 * 2 + 1] = {v.z, v.w};
    }
  }
  // The twiddle of row b of column c.
  __device__ __forceinline__ value at(u32 c, u32 b) const { return w[SETS == 1 ? 0 : TWO ? c / 2 : c % 2][b]; }
};
template <>
struct twiddles<-1> {  // after the last merge there are none
  static constexpr bool OWN = false;
  static constexpr u32 BEFORE = 0, COUNT = 0;
  __device__ __forceinline__ void load(const float4 *, u32) {}
};

// The registers for the twiddles of all merges, for the choice whether a persistent block stores them.
__host__ __device__ constexpr u32 twiddles_of_thread(int merges) {
  u32 count = PASS_MAP_IN == BY_ELEMENT ? 4 : 0;
  for (int i = 0; i + 1 < merges; i++) count += radix(i) / 16 * 4;
  return count * ROUNDS;
}
constexpr bool TWIDDLES_IN_REGISTERS = PERSISTENT && twiddles_of_thread(MERGES) <= (PASS_OUTER ? 4 : 12);
template <int I, bool ANY = TWIDDLES_IN_REGISTERS && (I < MERGES - 1)>
struct register_twiddles {
  twiddles<I> w[ROUNDS];
  register_twiddles<I + 1> more;

  __device__ __forceinline__ void load(const float4 *table) {
#pragma unroll
    for (u32 round = 0; round < ROUNDS; round++) w[round].load(table, round);
    more.load(table);
  }
  template <int J>
  __device__ __forceinline__ const twiddles<J> &of(u32 round) const {
    if constexpr (I == J)
      return w[round];
    else
      return more.template of<J>(round);
  }
};
template <int I>
struct register_twiddles<I, false> {
  __device__ __forceinline__ void load(const float4 *) {}
  template <int J>
  __device__ twiddles<J> of(u32) const;
};

// The whole table is copied to shared memory, with the matrix of the last merge if it differs from that of the first.
constexpr bool SHARED_TABLES = !PERSISTENT && MERGES > 1;
constexpr u32 TABLE_TWIDDLES = SHARED_TABLES ? twiddles<MERGES - 2>::BEFORE + twiddles<MERGES - 2>::COUNT : 0,
              TABLES = TABLE_TWIDDLES + (SHARED_TABLES && radix(MERGES - 1) != 16 ? matrix::UNITS : 0);  // units of 16 bytes
__device__ __forceinline__ void copy_tables(float4 *to, const float4 *table, const void *matrices) {
#pragma unroll
  for (u32 first = 0; first < TABLES; first += BLOCK) {
    const u32 i = first + threadIdx.x;
    const float4 *last = (const float4 *)matrices + 2 * matrix::UNITS + i - TABLE_TWIDDLES;
    if (i < TABLES) copy_to_shared(to + i, i < TABLE_TWIDDLES ? table + i : last);
  }
  if (SHARED_TABLES) end_copies();
}

}  // namespace mfft
