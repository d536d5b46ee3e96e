// line_filter.cuh: the filter by which a pass multiplies the elements that it loads or stores (mfft_pass_filter).
#pragma once

#include "config.cuh"

namespace mfft {

// The filter along a line: factor * f / (sum + d), with the pair f, d of element `pos` at along[pos * step].  factor and sum
// are those of the other axes; singular: the value if the divisor is 0.
struct filter_line {
  real factor, sum, singular;
  const wide_value *along;
  bool odd;
};

__device__ __forceinline__ float quotient(float a, float b) { return a * reciprocal(b); }
__device__ __forceinline__ double quotient(double a, double b) { return a / b; }

template <class INDEX>
__device__ __forceinline__ filter_line find_filter(const mfft_pass_filter &f, INDEX at) {
  const double *head = (const double *)f.tables;
  const wide_value *pairs = (const wide_value *)(head + 8);
  filter_line l = {(real)head[0], 0, (real)head[0] * (real)head[1], pairs, head[2] != 0};
#pragma unroll
  for (int d = 0; d < 4; d++) {
    INDEX stride = (INDEX)f.stride[d], i = d == 3 && stride == 1 ? at : at / stride;
    at -= i * stride;
    if (f.table[d] < 0) continue;
    const wide_value *here = pairs + (f.table[d] + (long long)i);
    if (d == f.axis) {
      l.along = here;
    } else {
      const wide_value pair = *here;
      l.factor *= pair.re;
      l.sum += pair.im;
    }
  }
  return l;
}

__device__ __forceinline__ filter_line find_filter(const mfft_pass_args &a, long long offset) {
  const unsigned long long at = (unsigned long long)(a.filter.base + offset);
  return a.filter.narrow ? find_filter(a.filter, (u32)at) : find_filter(a.filter, at);
}

__device__ __forceinline__ value filtered(const mfft_pass_args &a, const filter_line &l, int pos, value x) {
  const wide_value pair = l.along[PASS_FILTER_UNIT ? pos : (u32)pos * a.filter.step];
  const real d = l.sum + pair.im, v = d != 0 ? quotient(l.factor * pair.re, d) : l.singular;
  return l.odd ? value{-x.im * v, x.re * v} : value{x.re * v, x.im * v};
}

}  // namespace mfft
