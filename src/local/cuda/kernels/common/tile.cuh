// tile.cuh: tiles of columns in registers, as the kernels on tensor cores load, multiply, twiddle, exchange and store them.
//
// A line of N elements is a matrix of 16 rows: element part + (N/16) row is row `row` of column `part`.  A merge of radix r
// multiplies every column by F_r (x) I: with row = a (16/r) + u the 16 rows hold 16/r butterflies u of r inputs a.  Columns
// of all lines of a block are counted together (columns.cuh).
//
//   unit         16 contiguous bytes, one access of a lane: four complexes of 16 bits, two of single or one of double
//   input tile   four rows of the columns of a unit, the operands of a lane for mma (mma.cuh): lane 4 g + t has the rows
//                t, t + 4, t + 8 and t + 12
//   result tile  the rows of the products in a lane
//
// In function names, tiles are loaded from and stored to device memory, read from and written to shared memory, and copied
// asynchronously from device to shared memory; between reading and writing they are multiplied by matrices and twiddles.
#pragma once

#include "load.cuh"
#include "store.cuh"

namespace mfft {

#if PASS_PRECISION < 2
typedef value element;  // an element in registers and in memory
#else
typedef u32 element;  // two numbers of 16 bits
#endif
constexpr u32 UNIT = 16 / sizeof(element);  // elements of a unit

struct __align__(16) unit {
  element x[UNIT];
};

// Copies between registers and shared memory.
__device__ __forceinline__ unit read_unit(const void *from) { return *(const unit *)from; }
__device__ __forceinline__ void write_unit(void *to, const unit &x) { *(unit *)to = x; }

#if PASS_PRECISION >= 2

__device__ __forceinline__ unit as_unit(uint4 v) { return {{v.x, v.y, v.z, v.w}}; }
__device__ __forceinline__ uint4 as_uint4(const unit &v) { return make_uint4(v.x[0], v.x[1], v.x[2], v.x[3]); }
__device__ __forceinline__ uint2 read_pair(const void *from) { return *(const uint2 *)from; }
__device__ __forceinline__ void write_pair(void *to, u32 x, u32 y) { *(uint2 *)to = make_uint2(x, y); }

// Four rows of four columns, as registers of operand A of two products, of two columns each (fragment.cuh).
struct input_tile {
  u32 a[2][2][4];  // [product][half of the depth][register]

  __device__ __forceinline__ u32 &at(u32 column, u32 i) {
    return a[column / 2][i % 2][i / 2 * 2 + column % 2];
  }  // row t + 4 i
  __device__ __forceinline__ u32 at(u32 column, u32 i) const { return a[column / 2][i % 2][i / 2 * 2 + column % 2]; }
  __device__ __forceinline__ void set_row(u32 i, const unit &row) {
#pragma unroll
    for (u32 c = 0; c < 4; c++) at(c, i) = row.x[c];
  }
  __device__ __forceinline__ void set_pair(u32 product, u32 i, uint2 row) {
    at(2 * product, i) = row.x, at(2 * product + 1, i) = row.y;
  }
};

// Four rows of four columns, rounded.
struct result_tile {
  u32 x[4][4];  // [column][b] rows as in fragment.cuh

  __device__ __forceinline__ unit row(u32 b) const { return {{x[0][b], x[1][b], x[2][b], x[3][b]}}; }
  __device__ __forceinline__ unit column(u32 c) const { return {{x[c][0], x[c][1], x[c][2], x[c][3]}}; }
};

__device__ __forceinline__ u32 rounded(value v) { return pack_half(v.re, v.im); }
__device__ __forceinline__ unit rounded(const value (&v)[4]) {
  return {{rounded(v[0]), rounded(v[1]), rounded(v[2]), rounded(v[3])}};
}

// Copies a unit from device to shared memory asynchronously, element by element if the pointer is not aligned to 16 bytes.
// The copy has no cache hint, regardless of LAST_USE_IN: with a hint, ptxas 13.0 may leave the register of the cache policy
// unset, which causes an illegal instruction.
template <bool ALIGNED>
__device__ __forceinline__ void copy_unit(void *to, const u32 *from) {
  if constexpr (ALIGNED) {
    copy_to_shared((uint4 *)to, (const uint4 *)from);
  } else {
#pragma unroll
    for (u32 i = 0; i < 4; i++) copy_to_shared((u32 *)to + i, from + i);
  }
}

// Stores a unit to device memory, element by element if the pointer is not aligned.
template <bool ALIGNED>
__device__ __forceinline__ void store_unit(u32 *to, const unit &v) {
  if constexpr (ALIGNED) {
    to_memory((uint4 *)to, as_uint4(v));
  } else {
#pragma unroll
    for (u32 i = 0; i < 4; i++) to_memory(to + i, v.x[i]);
  }
}

#else

// Four rows of the columns of a unit.
struct input_tile {
  unit row[4];  // t + 4 i
};

// Rows 2 g and 2 g + 1 of the columns of two units.
struct result_tile {
  unit row[2][2];  // [odd][unit]
};

#endif

}  // namespace mfft
