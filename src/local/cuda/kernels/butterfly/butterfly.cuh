// butterfly.cuh: the DFT of R elements held in registers, R a product of primes up to 31.
#pragma once

#include "option_values.cuh"

namespace mfft {

template <class T>
struct complex_of {
  T re, im;
};
template <class T>
__device__ __forceinline__ complex_of<T> operator+(complex_of<T> a, complex_of<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
__device__ __forceinline__ complex_of<T> operator-(complex_of<T> a, complex_of<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
__device__ __forceinline__ complex_of<T> operator*(complex_of<T> a, complex_of<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
__device__ __forceinline__ complex_of<T> operator*(T a, complex_of<T> b) {
  return {a * b.re, a * b.im};
}
template <class T>
__device__ __forceinline__ complex_of<T> conj(complex_of<T> a) {
  return {a.re, -a.im};
}

// The angle 2 pi m / (8 n), m <= n, as a number of 26 bits, whose square is exact, plus a remainder (Dekker's splitting).
struct octant {
  double high, low;
};
__host__ __device__ constexpr octant octant_of(int m, int n) {
  constexpr double tau = 0x1.921fb5444p+2, rest = 0x1.68c234c4c6629p-37;  // 2 pi = tau + rest; tau has 37 bits
  const double quotient = tau * m / (8.0 * n), scaled = 134217729.0 * quotient, high = scaled - (scaled - quotient);
  return {high, ((tau * m - high * (8.0 * n)) + rest * m) / (8.0 * n)};
}
// The Taylor series term - term x^2 / (first (first + 1)) + ..., long enough for x <= pi / 4.
__host__ __device__ constexpr double series(double square, double term, int first) {
  double sum = 0;
  for (int last = first + 21; last > first; last -= 2) sum = (1 - sum) * square / (last * (last - 1.0));
  return term * (1 - sum);
}
// large + small rounded once, or the error of that rounding (Dekker's Fast2Sum).
__host__ __device__ constexpr double sum_or_rest(double large, double small, bool rest) {
  const double sum = large + small;
  return rest ? small - (sum - large) : sum;
}
__host__ __device__ constexpr double octant_cos(octant x, bool rest) {
  const double all = x.high + x.low, square = x.high * x.high / 2, most = 1 - square;
  const double fourth = series(all * all, all * all * all * all / 24, 5);
  return sum_or_rest(most, ((1 - most) - square) - (x.high * x.low + x.low * x.low / 2) + fourth, rest);
}
__host__ __device__ constexpr double octant_sin(octant x, bool rest) {
  const double all = x.high + x.low;
  return sum_or_rest(x.high, x.low - series(all * all, all * all * all / 6, 4), rest);
}

// sqrt(1/2) rounded to a double, and the error of that rounding.
constexpr double DIAGONAL = 0.70710678118654752440084436210485, DIAGONAL_REST = -4.8336466567264567e-17;

// exp(2 pi i k / n), 0 <= k < n, or the rounding errors of its real and imaginary part.  The angle is reduced to the first
// octant in integers, so that 0, 1 and sqrt(1/2) are exact.
struct root {
  double re, im;
};
__host__ __device__ constexpr root unit_root(int k, int n, bool rest = false) {
  int eighths = 8 * k, flips = 0;
  if (eighths > 4 * n) eighths = 8 * n - eighths, flips |= 4;  // below the axis
  if (eighths > 2 * n) eighths = 4 * n - eighths, flips |= 2;  // left half
  if (eighths > n) eighths = 2 * n - eighths, flips |= 1;      // above the diagonal
  const octant x = octant_of(eighths, n);
  double c = octant_cos(x, rest), s = octant_sin(x, rest);
  if (eighths == n) c = s = rest ? DIAGONAL_REST : DIAGONAL;
  if (flips & 1) {
    double swap = c;
    c = s;
    s = swap;
  }
  return {flips & 2 ? -c : c, flips & 4 ? -s : s};
}
template <int R, bool REST = false>
struct roots {  // roots of unity
  root w[R];
  __host__ __device__ constexpr roots() : w() {
    for (int k = 0; k < R; k++) w[k] = unit_root(k, R, REST);
  }
};

// a b + c rounded once.  The compiler might otherwise compute the product separately because it is used twice.
__device__ __forceinline__ double fused(double a, double b, double c) { return fma(a, b, c); }
__device__ __forceinline__ float fused(float a, float b, float c) { return fmaf(a, b, c); }

// x sqrt(1/2), with the error of sqrt(1/2) as a double taken into account: it is 0.6 of the largest possible rounding error.
template <class T>
__device__ __forceinline__ T diagonal(T x) {
  if constexpr (sizeof(T) == 8)
    return fma(x, (T)DIAGONAL, x * (T)DIAGONAL_REST);
  else
    return (T)DIAGONAL * x;
}

// v times a root of unity of two parts.  The smaller of two products is rounded before the larger is added to it.
template <class T>
__device__ __forceinline__ complex_of<T> twiddled_by_two_parts(complex_of<T> v, complex_of<T> w, complex_of<T> rest) {
  const T re = v.re * rest.re - v.im * rest.im, im = v.re * rest.im + v.im * rest.re;
  if (fabs(w.re) < fabs(w.im)) return {fused(-v.im, w.im, fused(v.re, w.re, re)), fused(v.re, w.im, fused(v.im, w.re, im))};
  return {fused(v.re, w.re, fused(-v.im, w.im, re)), fused(v.im, w.re, fused(v.re, w.im, im))};
}

// a times exp(SIGN 2 pi i k / R).  k is a constant after the caller's loop is unrolled: multiples of a quarter turn take
// no multiplication, those of an eighth two.
template <int R, int SIGN, class T>
__device__ __forceinline__ complex_of<T> times_root(complex_of<T> a, int k) {
  constexpr roots<R> table;
  if (k == 0) return a;
  if (2 * k == R) return {-a.re, -a.im};
  if (4 * k == R) return {(T)-SIGN * a.im, (T)SIGN * a.re};
  if (4 * k == 3 * R) return {(T)SIGN * a.im, (T)-SIGN * a.re};
  T c = (T)table.w[k].re, s = (T)(SIGN * table.w[k].im), right = (T)(table.w[k].re < 0 ? -1 : 1);
  if (8 * k == R || 8 * k == 5 * R)
    return {diagonal(right * (a.re - (T)SIGN * a.im)), diagonal(right * (a.im + (T)SIGN * a.re))};
  if (8 * k == 3 * R || 8 * k == 7 * R)
    return {diagonal(right * (a.re + (T)SIGN * a.im)), diagonal(right * (a.im - (T)SIGN * a.re))};
#if PASS_EXACT >= TWO_PART_TWIDDLES  // so are those within a butterfly of 25, which is in the place of two merges of 5
  if constexpr (R == 25) {
    constexpr roots<R, true> rest;
    return twiddled_by_two_parts(a, {c, s}, {(T)rest.w[k].re, (T)(SIGN * rest.w[k].im)});
  }
#endif
  return {a.re * c - a.im * s, a.im * c + a.re * s};
}

// Of 24 the factors 3 and 8 are coprime, and need no twiddles.
__host__ __device__ constexpr int first_factor(int r) {
  return r == 24               ? 3
         : r % 4 == 0 && r > 4 ? 4
         : r % 2 == 0 && r > 2 ? 2
         : r % 3 == 0 && r > 3 ? 3
         : r % 5 == 0 && r > 5 ? 5
                               : r;
}

// Whether a line of N is one butterfly of a prime that is summed term by term and too long for its inputs and results to
// share registers.
__host__ __device__ constexpr bool is_long_prime(int n) { return n > 16 && n < 32 && first_factor(n) == n; }

template <int R, int SIGN, class T>
__device__ __forceinline__ void dft(complex_of<T> *v);

// The terms of output q of an odd prime in ascending order of their cosines, and of their sines, so that partial sums, and
// hence their rounding errors, are as small as possible.
template <int R>
struct term_order {
  int cosines[R / 2 + 1][R / 2], sines[R / 2 + 1][R / 2];
  __host__ __device__ constexpr term_order() : cosines(), sines() {
    for (int q = 1; q <= R / 2; q++)
      for (int a = 0; a < R / 2; a++) {
        const root w = unit_root(q * (a + 1) % R, R);
        int cosine = 0, sine = 0;
        for (int b = 0; b < R / 2; b++) {
          const root other = unit_root(q * (b + 1) % R, R);
          const double re = other.re * other.re - w.re * w.re, im = other.im * other.im - w.im * w.im;
          cosine += re < 0 || (re == 0 && b < a);
          sine += im < 0 || (im == 0 && b < a);
        }
        cosines[q][cosine] = sines[q][sine] = a;
      }
  }
};

// The sum of v by pairwise summation: each number takes part in log2 COUNT rounded additions.
template <int COUNT, class T>
__device__ __forceinline__ complex_of<T> sum_of(const complex_of<T> *v) {
  if constexpr (COUNT == 1)
    return v[0];
  else
    return sum_of<COUNT / 2>(v) + sum_of<COUNT - COUNT / 2>(v + COUNT / 2);
}

// Outputs q and R - q of odd R: terms a and R - a share their cosines and sines.
template <int R, int SIGN, class T>
__device__ __forceinline__ void sum_terms(int q, const complex_of<T> *sum, const complex_of<T> *difference,
                                          complex_of<T> *v) {
  constexpr roots<R> table;
  constexpr term_order<R> order;
  constexpr int H = R / 2;
  complex_of<T> even = sum[0], odd = {0, 0};
#pragma unroll
  for (int i = 0; i < H; i++) {
    const int a = 1 + order.cosines[q][i], b = 1 + order.sines[q][i];
    const T c = (T)table.w[q * a % R].re, s = (T)(SIGN * table.w[q * b % R].im);
    even = {fused(c, sum[a].re, even.re), fused(c, sum[a].im, even.im)};
    if (H == 1) {  // a sum of one term
      v[1] = {fused(-s, difference[1].im, even.re), fused(s, difference[1].re, even.im)};
      v[2] = {fused(s, difference[1].im, even.re), fused(-s, difference[1].re, even.im)};
      return;
    }
    odd = i ? complex_of<T>{fused(s, difference[b].re, odd.re), fused(s, difference[b].im, odd.im)}
            : complex_of<T>{s * difference[b].re, s * difference[b].im};
  }
  v[q] = {even.re - odd.im, even.im + odd.re};
  v[R - q] = {even.re + odd.im, even.im - odd.re};
}

// The DFT of 5 for roots of two parts, and from odd half spectra to reals that are rounded once: each output is one sum in
// ascending order of its terms, by 7 instructions instead of 6.
template <int SIGN, class T>
__device__ __forceinline__ void sum_terms_of_five(int q, const complex_of<T> *sum, const complex_of<T> *difference,
                                                  complex_of<T> *v) {
  constexpr roots<5> table;
  const int a = q, b = 3 - q;  // q a is 1 or 4, and q b is 2, modulo 5
  const root small = table.w[q * a % 5], large = table.w[q * b % 5];
  const auto add = [](double factor, complex_of<T> x, complex_of<T> y) {
    return complex_of<T>{fused((T)factor, x.re, y.re), fused((T)factor, x.im, y.im)};
  };
  const complex_of<T> begun = add(small.re, sum[a], sum[0]);
#pragma unroll
  for (int output = q; output <= 5 - q; output += 5 - 2 * q) {
    const int sign = output == q ? SIGN : -SIGN;
    complex_of<T> x = add(sign * large.im, times_root<4, 1>(difference[b], 1), begun);
    x = add(large.re, sum[b], x);
    v[output] = add(sign * small.im, times_root<4, 1>(difference[a], 1), x);
  }
}

// The inputs of an odd prime R in pairs: sums and differences of inputs a and R - a.
template <int R, class T>
__device__ __forceinline__ void pair_inputs(const complex_of<T> *v, complex_of<T> *sum, complex_of<T> *difference) {
  sum[0] = v[0];
#pragma unroll
  for (int a = 1; a <= R / 2; a++) {
    sum[a] = v[a] + v[R - a];
    difference[a] = v[a] - v[R - a];
  }
}

// The DFT of an odd prime R.
template <int R, int SIGN, class T>
__device__ __forceinline__ void dft_prime(complex_of<T> *v) {
  constexpr int H = R / 2;
  complex_of<T> sum[H + 1], difference[H + 1];
  pair_inputs<R>(v, sum, difference);
  v[0] = sum_of<H + 1>(sum);
#pragma unroll
  for (int q = 1; q <= H; q++) {
#if PASS_EXACT >= TWO_PART_TWIDDLES || (PASS_EXACT == ROUNDED_ONCE && PASS_LOAD == FORM_HALF_ODD)
    if constexpr (R == 5)
      sum_terms_of_five<SIGN>(q, sum, difference, v);
    else
#endif
      sum_terms<R, SIGN>(q, sum, difference, v);
  }
}

// The DFT of a long prime.  put(q, x) takes each result as soon as it is computed.
template <int R, int SIGN, class T, class F>
__device__ __forceinline__ void dft_prime_to(const complex_of<T> *v, F put) {
  constexpr int H = R / 2;
  complex_of<T> sum[H + 1], difference[H + 1];
  pair_inputs<R>(v, sum, difference);
  put(0, sum_of<H + 1>(sum));
#pragma unroll
  for (int q = 1; q <= H; q++) {
    complex_of<T> result[R];  // of which q and R - q are computed
    sum_terms<R, SIGN>(q, sum, difference, result);
    put(q, result[q]);
    put(R - q, result[R - q]);
  }
}

// The multiple of b below a b that is 1 modulo a if a and b are coprime, otherwise 0.
__host__ __device__ constexpr int one_modulo(int a, int b) {
  for (int k = b; k < a * b; k += b)
    if (k % a == 1) return k;
  return 0;
}

// The DFT of R = A B: B transforms of A, twiddles, A transforms of B (Cooley-Tukey); without twiddles if A and B are coprime
// (Good-Thomas).
template <int R, int SIGN, class T>
__device__ __forceinline__ void dft(complex_of<T> *v) {
  if constexpr (R == 2) {
    complex_of<T> a = v[0];
    v[0] = a + v[1];
    v[1] = a - v[1];
  } else if constexpr (R == 4) {
    complex_of<T> a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = times_root<4, SIGN>(v[1] - v[3], 1);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
  } else if constexpr (R > 1) {
    constexpr int A = first_factor(R), B = R / A, ONE_A = one_modulo(A, B), ONE_B = one_modulo(B, A);
    constexpr bool COPRIME = ONE_A > 0 && ONE_B > 0;
    if constexpr (B == 1) {
      dft_prime<R, SIGN>(v);
    } else {
      complex_of<T> w[R];
#pragma unroll
      for (int b = 0; b < B; b++) {
        complex_of<T> x[A];
#pragma unroll
        for (int a = 0; a < A; a++) x[a] = v[COPRIME ? (A * b + B * a) % R : b + B * a];
        dft<A, SIGN>(x);
#pragma unroll
        for (int a = 0; a < A; a++) w[a * B + b] = COPRIME ? x[a] : times_root<R, SIGN>(x[a], a * b);
      }
#pragma unroll
      for (int a = 0; a < A; a++) {
        dft<B, SIGN>(w + a * B);
#pragma unroll
        for (int b = 0; b < B; b++) v[COPRIME ? (ONE_A * a + ONE_B * b) % R : a + A * b] = w[a * B + b];
      }
    }
  }
}

// The DFT of 9 as sums of nine terms: its error is a sixth less than by 3 times 3, for 94 instructions instead of 88 and a
// few more registers.
template <int SIGN, class T>
__device__ __forceinline__ void dft_nine(complex_of<T> *v) {
  constexpr roots<9> table;
  complex_of<T> sum[5], difference[5];
  sum[0] = v[0];
#pragma unroll
  for (int a = 1; a <= 4; a++) {
    sum[a] = v[a] + v[9 - a];
    difference[a] = v[a] - v[9 - a];
  }
#pragma unroll
  for (int q = 1; q <= 4; q++)
    if (q != 3) sum_terms<9, SIGN>(q, sum, difference, v);
  const complex_of<T> third = sum[0] + sum[3], others = sum[1] + sum[2] + sum[4];
  const complex_of<T> even = {fused((T)-0.5, others.re, third.re), fused((T)-0.5, others.im, third.im)};
  const complex_of<T> odd = difference[1] - difference[2] + difference[4];
  const T s = (T)(SIGN * table.w[3].im);
  v[0] = third + others;
  v[3] = {fused(-s, odd.im, even.re), fused(s, odd.re, even.im)};
  v[6] = {fused(s, odd.im, even.re), fused(-s, odd.re, even.im)};
}

}  // namespace mfft
