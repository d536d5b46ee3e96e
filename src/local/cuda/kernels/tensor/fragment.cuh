// fragment.cuh: the product of columns of 16 complex rows with a 16 x 16 matrix, by mma of 16-bit numbers (m16n8k16).
//
// Data is operand A: its 16 rows are columns of data, and k counts re and im of 8 rows.  The matrix is operand B.  Thus a
// register of A is one complex as in memory, and two results of a lane are re and im of one complex.  Lane 4 g + t has, for
// the data columns g and g + 8 (e = 0, 1):
//
//   A  a[e], a[2 + e]: rows t + 4 half and t + 4 half + 8
//   D  d[2 e], d[2 e + 1]: re and im of row lane_row t + next_row b, in the b-th of four products
//
// For lines of 16 and 32 that are contiguous in memory, a lane has rows 4t .. 4t + 3 of A instead.
//
// FOLDED: rows n and n + 8 are inputs of the same butterfly, with equal factors or factors of opposite sign (decimation in
// frequency).  Their sums give its even outputs and their differences the odd ones, eight rows deep: half the products, and
// half the registers of a matrix.  The sums are rounded to halves.  If the scale permits, half of each sum is used instead,
// so that none overflows, with a matrix of twice the magnitude.
#pragma once

#include "mma.cuh"
#include "tile.cuh"

namespace mfft {

constexpr bool FOLDED = !SHORT, HALVED = PASS_SCALED && PASS_PRECISION == HALF;

// First row of a lane's results: the rows of one product are all even outputs, or all odd ones.
__host__ __device__ constexpr u32 lane_row(int radix) { return FOLDED && radix <= 4 ? 1 : 4; }
__host__ __device__ constexpr u32 next_row(int radix) { return FOLDED && radix <= 4 ? 4 : 1; }
__host__ __device__ constexpr bool is_odd(int radix, u32 b) { return radix == 8 || radix == 2 ? b >> 1 : b & 1; }

struct matrix {
  static constexpr int EACH = FOLDED ? 2 : 4, UNITS = 32 * EACH;
  u32 b[4 * EACH];  // [b][registers of B for each half of the rows]

  __device__ __forceinline__ void load(const void *matrices, int which) {
    const uint4 *from = (const uint4 *)matrices + which * UNITS + (threadIdx.x & 31);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      uint4 v = from[i * 32];
      b[4 * i] = v.x, b[4 * i + 1] = v.y, b[4 * i + 2] = v.z, b[4 * i + 3] = v.w;
    }
  }

  // Computes the b-th row of two columns, from the two halves of the depth.
  template <int RADIX>
  __device__ __forceinline__ void multiply(value *v, const u32 (&half)[2][4], u32 row) const {
    const u32(&low)[4] = half[0], (&high)[4] = half[1];
    float d[4];
    const u32 *of_row = b + row * EACH;
    if constexpr (FOLDED) {
      u32 a[4];
#pragma unroll
      for (int e = 0; e < 2; e++) {
        a[e] = add_halves<HALVED>(low[e], low[2 + e], is_odd(RADIX, row));
        a[2 + e] = add_halves<HALVED>(high[e], high[2 + e], is_odd(RADIX, row));
      }
      mma(d, a, of_row[0], of_row[1], true);
    } else {
      mma(d, low, of_row[0], of_row[1], true);
      mma(d, high, of_row[2], of_row[3], false);
    }
    v[0] = {d[0], d[1]};
    v[1] = {d[2], d[3]};
  }
};

// Computes the b-th row of all four columns of a tile; the second pair may have a different matrix.
template <int RADIX>
__device__ __forceinline__ void multiply(value (&v)[4], const matrix &first, const matrix &second, const input_tile &x,
                                         u32 b) {
  first.multiply<RADIX>(v, x.a[0], b);
  second.multiply<RADIX>(v + 2, x.a[1], b);
}
template <int RADIX>
__device__ __forceinline__ void multiply(value (&v)[4], const matrix &m, const input_tile &x, u32 b) {
  multiply<RADIX>(v, m, m, x, b);
}

}  // namespace mfft
