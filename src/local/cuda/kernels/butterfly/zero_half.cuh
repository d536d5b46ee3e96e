// zero_half.cuh: the DFT of inputs of which the upper half is zero, as lines of Bluestein's algorithm are before their first
// merge: of N >= 2 n - 1 elements, n exist.  The compiler may not leave out an addition of zero, because of the sign of
// zeros, so these numbers know whether they are zero.  Results have the bits of the DFT with all additions, but for the sign
// of zeros.
#pragma once

#include "butterfly.cuh"

namespace mfft {

// A number, or zero.  `zero` is known when loops are unrolled, so no instruction tests it.
template <class T>
struct zero_or {
  T x;
  bool zero;
  zero_or() = default;
  __device__ __forceinline__ zero_or(double number) : x((T)number), zero(number == 0) {}
  __device__ __forceinline__ zero_or(T number, bool is_zero) : x(number), zero(is_zero) {}
  __device__ __forceinline__ zero_or operator-() const { return {-x, zero}; }
};

template <class T>
__device__ __forceinline__ zero_or<T> operator+(zero_or<T> a, zero_or<T> b) {
  return a.zero ? b : b.zero ? a : zero_or<T>(a.x + b.x, false);
}
template <class T>
__device__ __forceinline__ zero_or<T> operator-(zero_or<T> a, zero_or<T> b) {
  return a.zero ? -b : b.zero ? a : zero_or<T>(a.x - b.x, false);
}
template <class T>
__device__ __forceinline__ zero_or<T> operator*(zero_or<T> a, zero_or<T> b) {
  return {a.x * b.x, a.zero || b.zero};
}
template <class T>
__device__ __forceinline__ zero_or<T> fused(zero_or<T> a, zero_or<T> b, zero_or<T> c) {
  return a.zero || b.zero ? c : c.zero ? a * b : zero_or<T>(fused(a.x, b.x, c.x), false);
}
template <class T>
__device__ __forceinline__ zero_or<T> diagonal(zero_or<T> a) {
  return {diagonal(a.x), a.zero};
}

// The DFT of v, whose inputs from the middle on are taken to be zero.
template <int R, int SIGN, class T>
__device__ __forceinline__ void dft_of_lower_half(complex_of<T> *v) {
  complex_of<zero_or<T>> w[R];
#pragma unroll
  for (int q = 0; q < R; q++) w[q] = {{v[q].re, 2 * q >= R}, {v[q].im, 2 * q >= R}};
  dft<R, SIGN>(w);
#pragma unroll
  for (int q = 0; q < R; q++) v[q] = {w[q].re.zero ? 0 : w[q].re.x, w[q].im.zero ? 0 : w[q].im.x};
}

}  // namespace mfft
