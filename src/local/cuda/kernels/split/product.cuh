// product.cuh: the DFT of a column of 16 rows on tensor cores, for single (as sums of halves) and double precision.
//
// A merge of radix r works on columns of 16 rows: row a w + u, w = 16/r, is input a of butterfly u.  Rows i and i + 8 are
// inputs a and a + r/2 of the same butterfly: their sums give its even outputs and their differences the odd ones.  Hence
// one radix-2 step by ordinary additions leaves two products of 8 complex rows, half the work of one product of 16 rows.
// Matrix row g of parity `odd` gives output q = 2 (g / w) + odd of butterfly u = g % w.
//
// Lane 4 g + t supplies rows t and t + 4 of the sums or differences of column g, and receives row g, re and im, of columns
// 2t and 2t + 1: real parts are rows g of an instruction (see mma.cuh) and imaginary parts rows g + 8.
//
// A single is split into two halves, x = high + low (an error-free transformation, like Dekker's, up to the last bits of
// low), and so is the matrix; of the four products, low x low is below the last bit and omitted (Ootomo and Yokota 2022).
// Halves span 40 powers of two: each line is scaled below 2^14 by a power of two of its own (block_float.cuh), and every
// merge except the last divides by its radix, so that nothing overflows.  Numbers below 2^-25 are lost, which is at most
// 2^-26 of the norm of the line for up to 2^14 elements; hence low parts need no scale of their own.  The small products are
// summed first, because tensor cores truncate sums at the last bit of the largest term.
#pragma once

#include "mma.cuh"
#include "tile.cuh"

namespace mfft {

struct half_matrix {
  u32 part[2][2][4];  // [odd][high, low][register of A]

  __device__ __forceinline__ void load(const uint4 *table) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      uint4 v = table[i * 32];
      u32 *to = part[i >> 1][i & 1];
      to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    }
  }

  __device__ __forceinline__ void multiply(int odd, const complex_of<float> (&x)[2], float (&d)[4]) const {
    u32 high[2], low[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
      high[i] = pack_half(x[i].re, x[i].im);
      low[i] = pack_half(x[i].re - half_to_float((unsigned short)high[i]),
                         x[i].im - half_to_float((unsigned short)(high[i] >> 16)));
    }
    mma(d, part[odd][1], high[0], high[1], true);
    mma(d, part[odd][0], low[0], low[1], false);
    mma(d, part[odd][0], high[0], high[1], false);
  }
};

struct double_matrix {
  complex_of<double> part[2][2];  // [odd][rows t, t + 4]

  __device__ __forceinline__ void load(const uint4 *table) {
#pragma unroll
    for (int i = 0; i < 4; i++) part[i >> 1][i & 1] = *(const complex_of<double> *)(table + i * 32);
  }

  __device__ __forceinline__ void multiply(int odd, const complex_of<double> (&x)[2], double (&d)[4]) const {
#pragma unroll
    for (int i = 0; i < 2; i++) {
      complex_of<double> m = part[odd][i];
      const double a[4] = {m.re, m.im, -m.im, m.re};
      mma(d, a, x[i].re, x[i].im, i == 0);
    }
  }
};

#if PASS_PRECISION == 0
typedef double_matrix matrix;
#else
typedef half_matrix matrix;
#endif

// Computes both rows of a lane, for all columns.
__device__ __forceinline__ void multiply(result_tile &r, const matrix &m, const input_tile &x) {
  const unit *v = x.row;
#pragma unroll
  for (u32 c = 0; c < UNIT; c++) {
    const value sum[2] = {v[0].x[c] + v[2].x[c], v[1].x[c] + v[3].x[c]};
    const value difference[2] = {v[0].x[c] - v[2].x[c], v[1].x[c] - v[3].x[c]};
    real even[4], odd[4];
    m.multiply(0, sum, even);
    m.multiply(1, difference, odd);
    r.row[0][0].x[c] = {even[0], even[2]};
    r.row[0][1].x[c] = {even[1], even[3]};
    r.row[1][0].x[c] = {odd[0], odd[2]};
    r.row[1][1].x[c] = {odd[1], odd[3]};
  }
}

}  // namespace mfft
