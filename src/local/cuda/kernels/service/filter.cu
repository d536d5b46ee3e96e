// filter.cu: multiplies an array by a filter (mfft_filter in mfft.h).  FILTER_REAL: its elements are real.  Each row along
// the innermost loop has 2^a.shift threads; the three outer loops count the rows.
#include "loops.cuh"
#include "spectrum_args.h"
#include "stored.cuh"

namespace mfft {

constexpr int FLIGHT = 4;  // loads that a thread issues at once

#if FILTER_REAL
typedef stored_real element;
typedef real number;
__device__ __forceinline__ number load_number(element x) { return widen_real(x); }
__device__ __forceinline__ element store_number(number x, real v, bool) { return narrow_real(x * v); }
#else
typedef stored element;
typedef value number;
__device__ __forceinline__ number load_number(element x) { return widen(x); }
__device__ __forceinline__ element store_number(number x, real v, bool odd) {
  return narrow(odd ? value{-x.im * v, x.re * v} : value{x.re * v, x.im * v});
}
#endif

struct row {
  long long at;
  real factor, divisor;
};

__device__ __forceinline__ row find(const mfft_filter_args &a, unsigned long long index, const wide_value *pairs) {
  row r = {0, 1, 0};
  visit_loops<3>(index, a.n, [&](int d, unsigned long long i) {
    r.at += (long long)i * a.stride[d];
    if (a.table[d] < 0) return;
    const wide_value pair = pairs[a.table[d] + i];
    r.factor *= pair.re;
    r.divisor += pair.im;
  });
  return r;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_filter_args a) {
  const double *head = (const double *)a.tables;
  const wide_value *pairs = (const wide_value *)(head + 8);
  const real scale = (real)head[0], singular = scale * (real)head[1];
  const bool odd = head[2] != 0;
  const element *in = (const element *)a.in;
  element *out = (element *)a.out;
  const unsigned long long count = a.n[3];
  const wide_value *along = pairs + a.table[3];
  visit_rows(a, [&](unsigned long long r, u32 lane, u32 width) {
    const row at = find(a, r, pairs);
    const real factor = scale * at.factor;
    for (unsigned long long i = lane; i < count; i += FLIGHT * width) {
      number x[FLIGHT];  // all loads precede the stores, which may be to the same array
#pragma unroll
      for (int u = 0; u < FLIGHT; u++)
        if (i + u * width < count) x[u] = load_number(in[at.at + (long long)(i + u * width) * a.stride[3]]);
#pragma unroll
      for (int u = 0; u < FLIGHT; u++) {
        const unsigned long long j = i + u * width;
        if (j >= count) break;
        const wide_value pair = along[j];
        const real d = at.divisor + pair.im, v = d != 0 ? factor * pair.re / d : singular;
        out[at.at + (long long)j * a.stride[3]] = store_number(x[u], v, odd);
      }
    }
  });
}

}  // namespace mfft
