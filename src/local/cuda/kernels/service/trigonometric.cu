// trigonometric.cu: what stands before and behind a DFT that computes cosines or sines of real lines (mfft_kind.h), where no
// pass of the DFT does it itself: TRIGONOMETRIC_STORES 0 makes the input of the DFT in the workspace, 1 takes its results
// from there.  TRIGONOMETRIC_KIND is the kind, TRIGONOMETRIC_BY the DFT: 0 complex, 1 real to half spectrum, 2 back.
//
// The workspace has the numbers of the arithmetic.  Neighbouring threads have neighbouring lines, if a.by_line, or else
// neighbouring elements of a line.
#include "stored.cuh"
#include "trigonometric.cuh"
#include "trigonometric_args.h"

namespace mfft {

constexpr bool STORES = TRIGONOMETRIC_STORES;
constexpr bool HERE_REAL = TRIGONOMETRIC_BY == (STORES ? 2 : 1);  // the numbers in the workspace

struct line_at {
  long long array, work;
};

__device__ __forceinline__ line_at find(const mfft_trigonometric_args &a, long long line) {
  line_at at = {0, line * a.line};
  unsigned long long rest = (unsigned long long)(a.first + line);
  for (int d = 0; d < a.loops; d++) {
    const unsigned long long next = d + 1 < a.loops ? rest / a.n_loop[d] : 0;
    at.array += (long long)(rest - next * a.n_loop[d]) * a.stride_loop[d];
    rest = next;
  }
  return at;
}

// Root j of the table of two levels; the coarse one is not there if the fine one has all.
__device__ __forceinline__ value root(const mfft_trigonometric_args &a, long long j) {
  if (!a.fine) return {1, 0};
  const value fine = table(a.fine, (int)(j & ((1ll << a.root_shift) - 1)));
  return a.coarse ? table(a.coarse, (int)(j >> a.root_shift)) * fine : fine;
}

__device__ __forceinline__ void move(const mfft_trigonometric_args &a, const line_at &at, long long i) {
  const trigonometric<TRIGONOMETRIC_KIND, long long> t = {a.n};
  const long long here = at.work + i * a.element;
  if constexpr (STORES) {
    stored_real *out = (stored_real *)a.out + at.array;
    const auto write = [&](long long k, real x) { out[k * a.stride] = narrow_real(x); };
    if constexpr (TRIGONOMETRIC_BY == 2) {
      t.from_real(i, ((const real *)a.in)[here], write);
    } else {
      const wide_value w = ((const wide_value *)a.in)[here];
      if constexpr (TRIGONOMETRIC_BY == 1)
        t.from_spectrum(i, {w.re, w.im}, root(a, i), write);
      else
        t.from_complex(i, {w.re, w.im}, root(a, i), write);
    }
  } else {
    const stored_real *in = (const stored_real *)a.in + at.array;
    const auto read = [&](long long k) { return widen_real(in[k * a.stride]); };
    if constexpr (HERE_REAL) {
      ((real *)a.out)[here] = t.real_input(i, read);
    } else {
      const value v = TRIGONOMETRIC_BY == 2 ? t.spectrum_input(i, root(a, i), read) : t.complex_input(i, root(a, i), read);
      ((wide_value *)a.out)[here] = {v.re, v.im};
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_trigonometric_args a) {
  const u32 width = 1u << a.shift, inner = threadIdx.x & (width - 1), outer = threadIdx.x >> a.shift,
            height = 256u >> a.shift;
  const long long lines = a.by_line ? width : height, elements = a.by_line ? height : width;
  const long long line = blockIdx.x * lines + (a.by_line ? inner : outer);
  if (line >= a.lines) return;
  const line_at at = find(a, line);
  for (long long i = blockIdx.y * elements + (a.by_line ? outer : inner); i < a.count; i += gridDim.y * elements)
    move(a, at, i);
}

}  // namespace mfft
