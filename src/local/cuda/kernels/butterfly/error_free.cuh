// error_free.cuh: sums that are rounded once, by error-free transformations.
//
// Let sigma be 3/2 times a power of two and larger than all partial sums.  It splits each term x into high = (sigma + x) -
// sigma, a multiple of the last bit of sigma, and low = x - high, both exact (Rump, Ogita and Oishi, Accurate floating-point
// summation, 2008).  High parts are summed without an error, and low parts are so small that the rounding errors of their
// sum are negligible.  Products are split likewise, by fused multiply-adds.
#pragma once

#include "butterfly.cuh"

namespace mfft {

// sigma for terms whose absolute values sum up to `most`: 3/2 times a power of two, of which all partial sums are less than
// half.  If that would overflow, sigma is 0, for which high is the whole term.
__device__ __forceinline__ double sigma_for(double most) {
  const long long exponent = __double_as_longlong(most) & 0x7ff0000000000000;
  return __longlong_as_double(exponent < 0x7fc0000000000000 ? exponent + 0x0028000000000000 : 0);
}
__device__ __forceinline__ float sigma_for(float most) {
  const unsigned exponent = __float_as_uint(most) & 0x7f800000;
  return __uint_as_float(exponent < 0x7e000000 ? exponent + 0x01400000 : 0);
}

// A sum of terms, split into multiples of the last bit of sigma and remainders.
template <class T>
struct two_part {
  T high, low;
};
template <class T>
__device__ __forceinline__ two_part<T> operator+(two_part<T> x, two_part<T> y) {
  return {x.high + y.high, x.low + y.low};
}
template <class T>
__device__ __forceinline__ two_part<T> operator-(two_part<T> x, two_part<T> y) {
  return {x.high - y.high, x.low - y.low};
}
template <class T>
__device__ __forceinline__ constexpr two_part<T> operator*(T power_of_two, two_part<T> x) {
  return {power_of_two * x.high, power_of_two * x.low};
}
template <class T>
__device__ __forceinline__ T rounded(two_part<T> x) {
  return x.high + x.low;
}
template <class T>
__device__ __forceinline__ two_part<T> extract(T x, T sigma) {
  const T high = (sigma + x) - sigma;
  return {high, x - high};
}

template <class T>
struct extracted_sum {
  T high, low;  // high is sigma plus the sum of the high parts
  __device__ __forceinline__ explicit extracted_sum(T sigma) : high(sigma), low(0) {}
  __device__ __forceinline__ void add(T a, T b) {  // adds a b
    const T next = fused(a, b, high);
    low += fused(a, b, high - next);
    high = next;
  }
  __device__ __forceinline__ void add_to_low(T a, T b) { low = fused(a, b, low); }
  __device__ __forceinline__ void add(T a, two_part<T> b) {
    add(a, b.high);
    add_to_low(a, b.low);
  }
  __device__ __forceinline__ void add(two_part<T> a, two_part<T> b) {
    add(a.high, b);
    add_to_low(a.low, b.high);
  }
  __device__ __forceinline__ void add(two_part<T> a, T b) {
    add(a.high, b);
    add_to_low(a.low, b);
  }
  __device__ __forceinline__ two_part<T> minus(T sigma) const { return {high - sigma, low}; }
};

// The roots of unity of order R, each in two parts.
template <int R, class T>
struct two_part_roots {
  roots<R> high;
  roots<R, true> low;
  __device__ __forceinline__ constexpr two_part<T> re(int k) const { return {(T)high.w[k].re, (T)low.w[k].re}; }
  __device__ __forceinline__ constexpr two_part<T> im(int k) const { return {(T)high.w[k].im, (T)low.w[k].im}; }
};

// As dft_prime, with each result rounded once.
template <int R, int SIGN, class T>
__device__ __forceinline__ void dft_prime_error_free(complex_of<T> *v) {
  constexpr two_part_roots<R, T> table;
  constexpr int H = R / 2;
  T most = fabs(v[0].re) + fabs(v[0].im);
#pragma unroll
  for (int a = 1; a < R; a++) most += fabs(v[a].re) + fabs(v[a].im);
  const T sigma = sigma_for(most);
  const two_part<T> first_re = extract(v[0].re, sigma), first_im = extract(v[0].im, sigma);
  two_part<T> all_re = first_re, all_im = first_im, sum_re[H + 1], sum_im[H + 1], off_re[H + 1], off_im[H + 1];
#pragma unroll
  for (int a = 1; a <= H; a++) {
    const two_part<T> x_re = extract(v[a].re, sigma), x_im = extract(v[a].im, sigma);
    const two_part<T> y_re = extract(v[R - a].re, sigma), y_im = extract(v[R - a].im, sigma);
    sum_re[a] = x_re + y_re, sum_im[a] = x_im + y_im, off_re[a] = x_re - y_re, off_im[a] = x_im - y_im;
    all_re = all_re + sum_re[a], all_im = all_im + sum_im[a];
  }
  v[0] = {rounded(all_re), rounded(all_im)};
#pragma unroll
  for (int q = 1; q <= H; q++) {
    extracted_sum<T> even_re(sigma), even_im(sigma), odd_re(sigma), odd_im(sigma);
#pragma unroll
    for (int a = 1; a <= H; a++) {
      const two_part<T> c = table.re(q * a % R), s = (T)SIGN * table.im(q * a % R);
      even_re.add(c, sum_re[a]);
      even_im.add(c, sum_im[a]);
      odd_re.add(s, off_im[a]);
      odd_im.add(s, off_re[a]);
    }
    const two_part<T> re = first_re + even_re.minus(sigma), im = first_im + even_im.minus(sigma);
    v[q] = {rounded(re - odd_re.minus(sigma)), rounded(im + odd_im.minus(sigma))};
    v[R - q] = {rounded(re + odd_re.minus(sigma)), rounded(im - odd_im.minus(sigma))};
  }
}

}  // namespace mfft
