// prime_parts.cuh: lines of doubles of a long prime, and real ones of twice as many, each by one thread in its row of shared
// memory.  In registers the inputs alone would take up to 124, and those that are left would be spilled, so a line is taken
// apart into two real lines, which the same code transforms one after the other in their places.
#pragma once

#include "real_butterfly.cuh"

namespace mfft {

// The DFT of complexes x[R], in their place: that of both parts, then of result q and R - q the sums and differences of
// theirs.  Results are those of dft_prime to the bit.
template <int R, int SIGN, class T>
__device__ __forceinline__ void prime_by_parts(complex_of<T> *x, T scale) {
#pragma unroll 1
  for (int i = 0; i < 2; i++) {
    T *const part = (T *)x + i;  // [2 R], of which every other number is of the part
    T in[R];
#pragma unroll
    for (int q = 0; q < R; q++) in[q] = scale * part[2 * q];
    prime_to_half_to<R, SIGN>(in, [&](int q, complex_of<T> y) {
      part[2 * q] = y.re;
      if (q) part[2 * (R - q)] = y.im;
    });
  }
#pragma unroll
  for (int q = 1; q <= R / 2; q++) {
    const complex_of<T> even = x[q], odd = x[R - q];
    x[q] = {even.re - odd.im, even.im + odd.re};
    x[R - q] = {even.re + odd.im, even.im - odd.re};
  }
}

// Element `at` of a half spectrum of 2 R elements from the half spectra of the sums and the differences of numbers that are
// R apart, line[2][R]: real parts of elements b <= R / 2 from the start, imaginary parts from the end.
template <int R, class T, class F>
__device__ __forceinline__ void each_of_parts(T *line, F f) {
  typedef real_parts<2 * R> of;
#pragma unroll
  for (int i = 0; i < 2; i++) {
#pragma unroll
    for (int b = 0; b <= R / 2; b++) {
      const int k = of::output(i, b), beyond = k > R;
      f(beyond ? 2 * R - k : k, beyond, line + i * R + b, b ? line + i * R + R - b : nullptr);
    }
  }
}

// The DFT of reals in[2 R] to the half spectrum out[R + 1].  Rows of other threads of the warp may overlap with them.
template <int R, int SIGN, class T>
__device__ __forceinline__ void reals_by_parts(T *in, complex_of<T> *out, T scale) {
  typedef real_parts<2 * R> of;
  T x[2 * R];
#pragma unroll
  for (int q = 0; q < 2 * R; q++) x[q] = scale * in[q];
#pragma unroll
  for (int b = 0; b < R; b++) {
    in[b] = x[of::input(0, b)] + x[of::input(1, b)];
    in[R + b] = x[of::input(0, b)] - x[of::input(1, b)];
  }
#pragma unroll 1
  for (int i = 0; i < 2; i++) {
    T *const part = in + i * R, y[R];
#pragma unroll
    for (int q = 0; q < R; q++) y[q] = part[q];
    prime_to_half_to<R, SIGN>(y, [&](int q, complex_of<T> v) {
      part[q] = v.re;
      if (q) part[R - q] = v.im;
    });
  }
  complex_of<T> half[R + 1];
  each_of_parts<R>(in, [&](int k, int beyond, const T *re, const T *im) { half[k] = {*re, im ? beyond ? -*im : *im : 0}; });
  __syncwarp();
#pragma unroll
  for (int k = 0; k <= R; k++) out[k] = half[k];
}

// The inverse DFT of the half spectrum in[R + 1] to reals out[2 R].
template <int R, int SIGN, class T>
__device__ __forceinline__ void half_by_parts(const complex_of<T> *in, T *out, T scale) {
  typedef real_parts<2 * R> of;
  complex_of<T> half[R + 1];
#pragma unroll
  for (int k = 0; k <= R; k++) half[k] = scale * in[k];
  __syncwarp();
  each_of_parts<R>(out, [&](int k, int beyond, T *re, T *im) {
    *re = half[k].re;
    if (im) *im = beyond ? -half[k].im : half[k].im;
  });
#pragma unroll 1
  for (int i = 0; i < 2; i++) {
    T *const part = out + i * R;
    complex_of<T> y[R / 2 + 1];
    y[0] = {part[0], 0};
#pragma unroll
    for (int q = 1; q <= R / 2; q++) y[q] = {part[q], part[R - q]};
    prime_to_reals_to<R, SIGN>(y, [&](int q, T v) { part[q] = v; });
  }
  T x[2 * R];
#pragma unroll
  for (int b = 0; b < R; b++) {
    x[of::input(0, b)] = out[b] + out[R + b];
    x[of::input(1, b)] = out[b] - out[R + b];
  }
#pragma unroll
  for (int q = 0; q < 2 * R; q++) out[q] = x[q];
}

}  // namespace mfft
