// exact.cuh: sums that are rounded once, of numbers in two parts.
#pragma once

#include "butterfly.cuh"

namespace mfft {

// A number, and what it lost when it was rounded.
template <class T>
struct two_part {
  T high, low;
};
template <class T>
__device__ __forceinline__ two_part<T> operator-(two_part<T> x) {
  return {-x.high, -x.low};
}
template <class T>
__device__ __forceinline__ two_part<T> exact_sum(T a, T b) {
  const T sum = a + b, more = sum - a;
  return {sum, (a - (sum - more)) + (b - more)};
}
// a x + b y
template <class T>
__device__ __forceinline__ two_part<T> exact_product(T a, two_part<T> x, T b, two_part<T> y) {
  const T p = rounded_product(a, x.high), q = rounded_product(b, y.high);
  two_part<T> sum = exact_sum(p, q);
  sum.low += (fused(a, x.high, -p) + fused(b, y.high, -q)) + fused(a, x.low, b * y.low);
  return sum;
}
// x + a b
template <class T>
__device__ __forceinline__ two_part<T> exact_fused(T a, T b, two_part<T> x) {
  const T p = rounded_product(a, b);
  const two_part<T> sum = exact_sum(x.high, p);
  return {sum.high, x.low + (sum.low + fused(a, b, -p))};
}
template <class T>
__device__ __forceinline__ T rounded_sum(two_part<T> x, two_part<T> y) {
  const two_part<T> sum = exact_sum(x.high, y.high);
  return sum.high + (sum.low + (x.low + y.low));
}

}  // namespace mfft
