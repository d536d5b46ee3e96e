// fragment.cuh: the product of columns of 16 complex rows with a 16 x 16 matrix, in operands of m16n8k16 (see mma.cuh).
//
// Data is operand A: its 16 rows are columns of data, and k counts re and im of 8 rows.  The matrix is operand B.  Then a
// register of A is one complex as it lies in memory, and two of the results of a lane are re and im of one complex: nothing
// is moved between registers.  Of lane 4 g + t, for the data columns g and g + 8 (e = 0, 1):
//
//   A  a[e], a[2 + e]: rows t + 4 half and t + 4 half + 8
//   D  d[2 e], d[2 e + 1]: re and im of row 4 t + b, in the b-th of four products
#pragma once

#include "config.cuh"
#include "mma.cuh"

namespace mfft {

struct matrix {
  u32 b[4][4];  // [b][registers of B, of each half of the rows]

  __device__ __forceinline__ void load(const void *matrices, int which) {
    const uint4 *from = (const uint4 *)matrices + which * 128 + (threadIdx.x & 31);
#pragma unroll
    for (int i = 0; i < 4; i++) {
      uint4 v = from[i * 32];
      b[i][0] = v.x, b[i][1] = v.y, b[i][2] = v.z, b[i][3] = v.w;
    }
  }
};

// Row 4 t + b of both data columns.
__device__ __forceinline__ void multiply(value *v, const matrix &m, const u32 (&low)[4], const u32 (&high)[4], u32 b) {
  float d[4];
  mma(d, low, m.b[b][0], m.b[b][1], true);
  mma(d, high, m.b[b][2], m.b[b][3], false);
  v[0] = {d[0], d[1]};
  v[1] = {d[2], d[3]};
}

}  // namespace mfft
