// real_butterfly.cuh: the DFT of R reals in registers to its half spectrum, the elements k with 2 k <= R, and back.  Results
// that follow by symmetry are not computed, so a butterfly has half the work of one of R complexes (Sorensen and others,
// Real-valued fast Fourier transform algorithms, 1987).  The sum of a number and its conjugate is exact, whereas packing in
// pairs (packing.cuh) adds a rounding error.
#pragma once

#include "error_free.cuh"

namespace mfft {

// The first factor of a real butterfly: the power of the smallest prime in R if R has several primes, half of a power of
// two, one prime of another prime power.  9 is not divided: as sums of nine terms it has 15 % less error, and for reals the
// same number of instructions.
__host__ __device__ constexpr int first_real_factor(int r) {
  int prime = 2, power = 1;
  while (r % prime) prime++;
  while (r / power % prime == 0) power *= prime;
  return power < r || prime == r || r == 9 ? power : prime == 2 ? r / 2 : prime;
}

// The sum of the real parts, in the order of sum_of.
template <int COUNT, class T>
__device__ __forceinline__ T sum_of_reals(const complex_of<T> *v) {
  if constexpr (COUNT == 1)
    return v[0].re;
  else
    return sum_of_reals<COUNT / 2>(v) + sum_of_reals<COUNT - COUNT / 2>(v + COUNT / 2);
}

// The real DFT of an odd prime or 9, by the terms of dft_prime.  put(q, x) takes each result as soon as it is computed.
template <int R, int SIGN, class T, class F>
__device__ __forceinline__ void prime_to_half_to(const T *x, F put) {
  constexpr roots<R> table;
  constexpr term_order<R> order;
  constexpr int H = R / 2;
  complex_of<T> both[H + 1];  // {sum, difference} of each pair of inputs
  both[0] = {x[0], 0};
#pragma unroll
  for (int a = 1; a <= H; a++) both[a] = {x[a] + x[R - a], x[a] - x[R - a]};
  put(0, complex_of<T>{sum_of_reals<H + 1>(both), 0});
#pragma unroll
  for (int q = 1; q <= H; q++) {
    T even = both[0].re, odd = 0;
#pragma unroll
    for (int i = 0; i < H; i++) {
      const int a = 1 + order.cosines[q][i], b = 1 + order.sines[q][i];
      const T c = (T)table.w[q * a % R].re, s = (T)(SIGN * table.w[q * b % R].im);
      even = fused(c, both[a].re, even);
      odd = i ? fused(s, both[b].im, odd) : s * both[b].im;
    }
    put(q, complex_of<T>{even, odd});
  }
}
template <int R, int SIGN, class T>
__device__ __forceinline__ void prime_to_half(const T *x, complex_of<T> *half) {
  prime_to_half_to<R, SIGN>(x, [&](int q, complex_of<T> y) { half[q] = y; });
}

// The inverse DFT, with each real result rounded once.
template <int R, int SIGN, class T>
__device__ __forceinline__ void prime_to_reals_error_free(const complex_of<T> *half, T *x) {
  constexpr two_part_roots<R, T> table;
  constexpr int H = R / 2;
  T most = fabs(half[0].re);
#pragma unroll
  for (int a = 1; a <= H; a++) most += 2 * (fabs(half[a].re) + fabs(half[a].im));
  const T sigma = sigma_for(most);
  extracted_sum<T> first(sigma);
  first.add((T)1, half[0].re);
  const extracted_sum<T> begun = first;
#pragma unroll
  for (int a = 1; a <= H; a++) first.add((T)2, half[a].re);
  x[0] = rounded(first.minus(sigma));
#pragma unroll
  for (int q = 1; q <= H; q++) {
    extracted_sum<T> even = begun, odd(sigma);
#pragma unroll
    for (int a = 1; a <= H; a++) {
      even.add((T)2 * table.re(q * a % R), half[a].re);
      odd.add((T)(2 * SIGN) * table.im(q * a % R), half[a].im);
    }
    x[q] = rounded(even.minus(sigma) - odd.minus(sigma));
    x[R - q] = rounded(even.minus(sigma) + odd.minus(sigma));
  }
}
// The inverse DFT.  put(q, x) takes each real as soon as it is computed.
template <int R, int SIGN, class T, class F>
__device__ __forceinline__ void prime_to_reals_to(const complex_of<T> *half, F put) {
  constexpr roots<R> table;
  constexpr term_order<R> order;
  constexpr int H = R / 2;
  put(0, fused((T)2, sum_of_reals<H>(half + 1), half[0].re));
#pragma unroll
  for (int q = 1; q <= H; q++) {
    T even = half[0].re, odd = 0;
#pragma unroll
    for (int i = 0; i < H; i++) {
      const int a = 1 + order.cosines[q][i], b = 1 + order.sines[q][i];
      const T c = (T)(2 * table.w[q * a % R].re), s = (T)(2 * SIGN * table.w[q * b % R].im);
      even = fused(c, half[a].re, even);
      if (H == 1) {  // a sum of one term
        put(1, fused(-s, half[1].im, even));
        put(2, fused(s, half[1].im, even));
        return;
      }
      odd = i ? fused(s, half[b].im, odd) : s * half[b].im;
    }
    put(q, even - odd);
    put(R - q, even + odd);
  }
}
template <int R, int SIGN, class T>
__device__ __forceinline__ void prime_to_reals(const complex_of<T> *half, T *x) {
  prime_to_reals_to<R, SIGN>(half, [&](int q, T y) { x[q] = y; });
}

// R = A B, as in dft: B real transforms of A, then A / 2 + 1 transforms of B.  The first of them has real inputs; so has,
// for an even A without twiddles, the middle one.  For an even A with twiddles B is 2, and the middle results are already a
// result of the transform.
template <int R>
struct real_parts {
  static constexpr int A = first_real_factor(R), B = R / A, ONE_A = one_modulo(A, B), ONE_B = one_modulo(B, A);
  static constexpr bool COPRIME = ONE_A > 0 && ONE_B > 0;
  __host__ __device__ static constexpr bool middle(int a) { return 2 * a == A; }
  __host__ __device__ static constexpr bool real(int a) { return a == 0 || (COPRIME && middle(a)); }
  __host__ __device__ static constexpr int input(int a, int b) { return COPRIME ? (A * b + B * a) % R : b + B * a; }
  __host__ __device__ static constexpr int output(int a, int b) { return COPRIME ? (ONE_A * a + ONE_B * b) % R : a + A * b; }
};

template <int R, int SIGN, class T>
__device__ __forceinline__ void reals_to_half(const T *x, complex_of<T> *half) {
  if constexpr (R == 1) {
    half[0] = {x[0], 0};
  } else if constexpr (R == 2) {
    half[0] = {x[0] + x[1], 0};
    half[1] = {x[0] - x[1], 0};
  } else if constexpr (real_parts<R>::B == 1) {
    prime_to_half<R, SIGN>(x, half);
  } else {
    using parts = real_parts<R>;
    constexpr int A = parts::A, B = parts::B;
    complex_of<T> w[A / 2 + 1][B];
#pragma unroll
    for (int b = 0; b < B; b++) {
      T reals[A];
      complex_of<T> y[A / 2 + 1];
#pragma unroll
      for (int a = 0; a < A; a++) reals[a] = x[parts::input(a, b)];
      reals_to_half<A, SIGN>(reals, y);
#pragma unroll
      for (int a = 0; 2 * a <= A; a++) w[a][b] = parts::COPRIME ? y[a] : times_root<R, SIGN>(y[a], a * b);
    }
    const auto put = [&](int a, int b, complex_of<T> v) {
      const int k = parts::output(a, b);
      if (2 * k <= R)
        half[k] = v;
      else
        half[R - k] = conj(v);
    };
#pragma unroll
    for (int a = 0; 2 * a <= A; a++) {
      if (parts::real(a)) {
        T reals[B];
        complex_of<T> y[B / 2 + 1];
#pragma unroll
        for (int b = 0; b < B; b++) reals[b] = w[a][b].re;
        reals_to_half<B, SIGN>(reals, y);
#pragma unroll
        for (int b = 0; 2 * b <= B; b++) put(a, b, y[b]);
      } else if (parts::middle(a)) {
        half[a] = {w[a][0].re, w[a][1].im};
      } else {
        dft<B, SIGN>(w[a]);
#pragma unroll
        for (int b = 0; b < B; b++) put(a, b, w[a][b]);
      }
    }
  }
}

// The inverse DFT; ERROR_FREE: each real result of the last butterflies is rounded once.
template <int R, int SIGN, bool ERROR_FREE = false, class T>
__device__ __forceinline__ void half_to_reals(const complex_of<T> *half, T *x) {
  if constexpr (R == 1) {
    x[0] = half[0].re;
  } else if constexpr (R == 2) {
    x[0] = half[0].re + half[1].re;
    x[1] = half[0].re - half[1].re;
  } else if constexpr (real_parts<R>::B == 1) {
    if constexpr (ERROR_FREE)
      prime_to_reals_error_free<R, SIGN>(half, x);
    else
      prime_to_reals<R, SIGN>(half, x);
  } else {
    using parts = real_parts<R>;
    constexpr int A = parts::A, B = parts::B;
    complex_of<T> w[A / 2 + 1][B];
    const auto get = [&](int a, int b) {
      const int k = parts::output(a, b);
      return 2 * k <= R ? half[k] : conj(half[R - k]);
    };
#pragma unroll
    for (int a = 0; 2 * a <= A; a++) {
      if (parts::real(a)) {
        T reals[B];
        complex_of<T> y[B / 2 + 1];
#pragma unroll
        for (int b = 0; 2 * b <= B; b++) y[b] = get(a, b);
        half_to_reals<B, SIGN, ERROR_FREE>(y, reals);
#pragma unroll
        for (int b = 0; b < B; b++) w[a][b] = {reals[b], 0};
      } else if (parts::middle(a)) {
        w[a][0] = {2 * half[a].re, 0};
        w[a][1] = {(T)(-2 * SIGN) * half[a].im, 0};
      } else {
#pragma unroll
        for (int b = 0; b < B; b++) w[a][b] = get(a, b);
        dft<B, SIGN>(w[a]);
#pragma unroll
        for (int b = 0; b < B; b++) w[a][b] = parts::COPRIME ? w[a][b] : times_root<R, SIGN>(w[a][b], a * b);
      }
    }
#pragma unroll
    for (int b = 0; b < B; b++) {
      T reals[A];
      complex_of<T> y[A / 2 + 1];
#pragma unroll
      for (int a = 0; 2 * a <= A; a++) y[a] = w[a][b];
      half_to_reals<A, SIGN, ERROR_FREE>(y, reals);
#pragma unroll
      for (int a = 0; a < A; a++) x[parts::input(a, b)] = reals[a];
    }
  }
}

// The DFT of a whole line as a pass stores it: 2n reals in pairs, or the first n elements of the half spectrum, and element
// n in `end`.
template <int N, int SIGN, class T>
__device__ __forceinline__ void transform_whole(complex_of<T> *v, T &end) {
  T x[2 * N];
  complex_of<T> half[N + 1];
  if constexpr (SIGN < 0) {
#pragma unroll
    for (int j = 0; j < N; j++) x[2 * j] = v[j].re, x[2 * j + 1] = v[j].im;
    reals_to_half<2 * N, SIGN>(x, half);
#pragma unroll
    for (int k = 0; k < N; k++) v[k] = half[k];
    end = half[N].re;
  } else {
#pragma unroll
    for (int k = 0; k < N; k++) half[k] = v[k];
    half[N] = {end, 0};
    half_to_reals<2 * N, SIGN>(half, x);
#pragma unroll
    for (int j = 0; j < N; j++) v[j] = {x[2 * j], x[2 * j + 1]};
  }
}

// The DFT of a line of odd N: reals in pairs, or the elements k of the half spectrum.
template <int N, int SIGN, bool ERROR_FREE, class T>
__device__ __forceinline__ void transform_odd(complex_of<T> *v) {
  constexpr int H = N / 2 + 1;
  T x[2 * H];
  x[N] = 0;
  if constexpr (SIGN < 0) {
#pragma unroll
    for (int j = 0; j < H; j++) x[2 * j] = v[j].re, x[2 * j + 1] = v[j].im;
    reals_to_half<N, SIGN>(x, v);
  } else {
    half_to_reals<N, SIGN, ERROR_FREE>(v, x);
#pragma unroll
    for (int j = 0; j < H; j++) v[j] = {x[2 * j], x[2 * j + 1]};
  }
}

}  // namespace mfft
