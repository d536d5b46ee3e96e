// error_free.cuh: sums that are rounded once.  They begin at an anchor, a number so large that none of their terms moves it
// beyond the powers of two around it: so it takes of each term what is a multiple of its last bit, which a difference tells,
// and what it leaves is small and summed up apart.
#pragma once

#include "butterfly.cuh"

namespace mfft {

// Three halves of a power of two, for sums below half of that, as all are whose terms come to `most` without their
// signs; 0, which takes all, where that is next to overflow.
__device__ __forceinline__ double anchor_of(double most) {
  const long long exponent = __double_as_longlong(most) & 0x7ff0000000000000;
  return __longlong_as_double(exponent < 0x7fc0000000000000 ? exponent + 0x0028000000000000 : 0);
}
__device__ __forceinline__ float anchor_of(float most) {
  const unsigned exponent = __float_as_uint(most) & 0x7f800000;
  return __uint_as_float(exponent < 0x7e000000 ? exponent + 0x01400000 : 0);
}

// A number as multiples of an anchor's last bit, whose sums are exact, and the rest.
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
__device__ __forceinline__ two_part<T> parts_of(T x, T anchor) {
  const T high = (anchor + x) - anchor;
  return {high, x - high};
}

template <class T>
struct anchored_sum {
  T taken, left;
  __device__ __forceinline__ explicit anchored_sum(T anchor) : taken(anchor), left(0) {}
  __device__ __forceinline__ void add(T a, T b) {  // their product
    const T now = fused(a, b, taken);
    left += fused(a, b, taken - now);
    taken = now;
  }
  __device__ __forceinline__ void add_to_rest(T a, T b) { left = fused(a, b, left); }
  __device__ __forceinline__ void add(T a, two_part<T> b) {
    add(a, b.high);
    add_to_rest(a, b.low);
  }
  __device__ __forceinline__ void add(two_part<T> a, two_part<T> b) {
    add(a.high, b);
    add_to_rest(a.low, b.high);
  }
  __device__ __forceinline__ void add(two_part<T> a, T b) {
    add(a.high, b);
    add_to_rest(a.low, b);
  }
  __device__ __forceinline__ two_part<T> without(T anchor) const { return {taken - anchor, left}; }
};

// A root of R in two parts.
template <int R, class T>
struct exact_roots {
  roots<R> most;
  roots<R, true> rest;
  __device__ __forceinline__ constexpr two_part<T> re(int k) const { return {(T)most.w[k].re, (T)rest.w[k].re}; }
  __device__ __forceinline__ constexpr two_part<T> im(int k) const { return {(T)most.w[k].im, (T)rest.w[k].im}; }
};

// dft_prime, each number rounded once.
template <int R, int SIGN, class T>
__device__ __forceinline__ void dft_prime_once(complex_of<T> *v) {
  constexpr exact_roots<R, T> table;
  constexpr int H = R / 2;
  T most = fabs(v[0].re) + fabs(v[0].im);
#pragma unroll
  for (int a = 1; a < R; a++) most += fabs(v[a].re) + fabs(v[a].im);
  const T anchor = anchor_of(most);
  const two_part<T> first_re = parts_of(v[0].re, anchor), first_im = parts_of(v[0].im, anchor);
  two_part<T> all_re = first_re, all_im = first_im, sum_re[H + 1], sum_im[H + 1], off_re[H + 1], off_im[H + 1];
#pragma unroll
  for (int a = 1; a <= H; a++) {
    const two_part<T> x_re = parts_of(v[a].re, anchor), x_im = parts_of(v[a].im, anchor);
    const two_part<T> y_re = parts_of(v[R - a].re, anchor), y_im = parts_of(v[R - a].im, anchor);
    sum_re[a] = x_re + y_re, sum_im[a] = x_im + y_im, off_re[a] = x_re - y_re, off_im[a] = x_im - y_im;
    all_re = all_re + sum_re[a], all_im = all_im + sum_im[a];
  }
  v[0] = {rounded(all_re), rounded(all_im)};
#pragma unroll
  for (int q = 1; q <= H; q++) {
    anchored_sum<T> even_re(anchor), even_im(anchor), odd_re(anchor), odd_im(anchor);
#pragma unroll
    for (int a = 1; a <= H; a++) {
      const two_part<T> c = table.re(q * a % R), s = (T)SIGN * table.im(q * a % R);
      even_re.add(c, sum_re[a]);
      even_im.add(c, sum_im[a]);
      odd_re.add(s, off_im[a]);
      odd_im.add(s, off_re[a]);
    }
    const two_part<T> re = first_re + even_re.without(anchor), im = first_im + even_im.without(anchor);
    v[q] = {rounded(re - odd_re.without(anchor)), rounded(im + odd_im.without(anchor))};
    v[R - q] = {rounded(re + odd_re.without(anchor)), rounded(im - odd_im.without(anchor))};
  }
}

}  // namespace mfft
