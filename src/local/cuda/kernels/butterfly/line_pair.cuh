// line_pair.cuh: two real lines of cosines or sines of type II or III as the real and imaginary part of one line of n
// complex numbers (Makhoul, A fast cosine transform in one and two dimensions, 1980, for the order of v;
// planner/trigonometric.h).  Both types are linear, so the spectrum V of the complex line v gives the results Y of both
// lines together, with w = exp(-i pi k / 2n):
//
//     type II     P = w V[k], Q = conj(w) V[n-k];  Y[k] = P + Q, Y[n-k] = i (P - Q)
//     type III    V[k] = conj(w) (X[k] - i X[n-k]), V[n-k] = w (X[k] + i X[n-k])
//
// which takes neither the packing of a half spectrum nor its roots.  Elements k and n - k are in the butterflies g and K - g
// of the last merge, or the first, which a thread has together (packing.cuh).  Element j of v is element 2 j of the line,
// and element n - 1 - j the next one: where lines are contiguous, a thread has also butterflies g and K - 1 - g of the first
// merge, or the last, together, and moves two neighbours of a line at a time.
//
// A line may also be a column of a cluster of blocks (cluster.cu), as a matrix of shorter lines.  Elements k and n - k are
// then in two lines that one thread has together, a line and its mirror line, as of long half spectra (packing.cuh).
#pragma once

#include "packing.cuh"

namespace mfft {

// Elements k and n - k, with w = exp(-i pi k / 2n).
__device__ __forceinline__ void convert_pair(value &x, value &y, value w) {
  if constexpr (COSINES_OUT) {
    const value p = w * x, q = conj(w) * y;
    x = p + q;
    y = times_root<4, 1>(p - q, 1);
  } else {
    const value rotated = times_root<4, 1>(y, 1), low = x - rotated, high = x + rotated;
    x = conj(w) * low;
    y = w * high;
  }
}
// Element n / 2.
__device__ __forceinline__ value convert_middle(value x) {
  return {(real)1.41421356237309504880 * x.re, (real)1.41421356237309504880 * x.im};
}

// Butterflies g and K - g, g > 0; w: exp(-i pi g / 2n).
template <int R>
__device__ __forceinline__ void convert_columns(value *x, value *y, value w) {
#pragma unroll
  for (int q = 0; q < R; q++) convert_pair(x[q], y[R - 1 - q], times_root<4 * R, -1>(w, q));
}

// Butterfly 0 and, if TWO, butterfly K / 2.
template <int R, bool TWO>
__device__ __forceinline__ void convert_first(value *x, value *y) {
  const value one = {1, 0};
  if (COSINES_OUT) x[0] = x[0] + x[0];
#pragma unroll
  for (int q = 1; 2 * q < R; q++) convert_pair(x[q], x[R - q], times_root<4 * R, -1>(one, q));
  if (R % 2 == 0) x[R / 2] = convert_middle(x[R / 2]);
  if (!TWO) return;
#pragma unroll
  for (int q = 0; 2 * q + 1 < R; q++) convert_pair(y[q], y[R - 1 - q], times_root<8 * R, -1>(one, 2 * q + 1));
  if (R % 2) y[R / 2] = convert_middle(y[R / 2]);
}

// Between the elements of the spectra in registers and the results or inputs of merge I.  element_of(line, j): element of
// the spectrum that is the first of butterfly j.
template <class C, int I, class F>
__device__ __forceinline__ void convert_line_pair(const mfft_pass_args &a, value *v, const tile &t, F element_of) {
  constexpr int R = C::radix(I);
  C::template each_pair<I>(t, [&](int b, int line, int j, int, int) {
    value *x = v + 2 * b * R, *y = x + R;
    const int g = element_of(line, j);
    if (g == 0)
      convert_first<R, C::SIDES == 2 || C::N / R % 2 == 0>(x, y);
    else
      convert_columns<R>(x, y, table(a.trigonometric_table, g));
  });
}

}  // namespace mfft
