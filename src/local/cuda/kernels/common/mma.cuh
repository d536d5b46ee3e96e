// mma.cuh: products of small matrices by a warp, one PTX instruction each.  D = A B, or D += A B; lane 4 g + t has
//
//   16 x 8 products, 16 deep, of halves (two to a register, the first in its low bits):
//     A  a0: row g, k 2t 2t+1;  a1: row g+8, same k;  a2: row g, k 2t+8 2t+9;  a3: row g+8, k 2t+8 2t+9
//     B  b0: k 2t 2t+1, column g;  b1: k 2t+8 2t+9, column g
//   16 x 8 products, 8 deep, of doubles:
//     A  a0: row g, k t;  a1: row g+8, k t;  a2: row g, k t+4;  a3: row g+8, k t+4
//     B  b0: k t, column g;  b1: k t+4, column g
//   and in each case:
//     D  d0 d1: row g, columns 2t 2t+1;  d2 d3: row g+8, columns 2t 2t+1
#pragma once

#include "ptx.cuh"

namespace mfft {

#ifndef MFFT_EMULATED  // tests/emulated/product.hpp has these in C++

#define MFFT_MMA(name, code, operand, letter, result, sum)                                                        \
  __device__ __forceinline__ void name(result(&d)[4], const operand(&a)[4], operand b0, operand b1, bool first) { \
    const result zero = 0;                                                                                        \
    if (first)                                                                                                    \
      asm(code " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"                                       \
          : "=" sum(d[0]), "=" sum(d[1]), "=" sum(d[2]), "=" sum(d[3])                                            \
          : letter(a[0]), letter(a[1]), letter(a[2]), letter(a[3]), letter(b0), letter(b1), sum(zero));           \
    else                                                                                                          \
      asm(code " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                           \
          : "+" sum(d[0]), "+" sum(d[1]), "+" sum(d[2]), "+" sum(d[3])                                            \
          : letter(a[0]), letter(a[1]), letter(a[2]), letter(a[3]), letter(b0), letter(b1));                      \
  }
MFFT_MMA(mma, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", u32, "r", float, "f")
#if __CUDA_ARCH__ >= 900
MFFT_MMA(mma, "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", double, "d", double, "d")
#else  // four products of 8 x 8, 4 deep, the quarters of the large one
__device__ __forceinline__ void mma(double (&d)[4], const double (&a)[4], double b0, double b1, bool first) {
  if (first) d[0] = d[1] = d[2] = d[3] = 0;
#pragma unroll
  for (int i = 0; i < 4; i++)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(d[i % 2 * 2]), "+d"(d[i % 2 * 2 + 1])
        : "d"(a[i]), "d"(i < 2 ? b0 : b1));
}
#endif
#undef MFFT_MMA

#endif

}  // namespace mfft
