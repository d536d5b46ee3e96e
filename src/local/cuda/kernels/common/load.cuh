// load.cuh: loads the elements of a line as the first merge of a pass takes them.
#pragma once

#include "line_start.cuh"
#include "stored.cuh"
#include "trigonometric_line.cuh"

namespace mfft {

// The steps of Bluestein's algorithm that a pass does (mfft_bluestein_step in planner/kernel.h).
constexpr bool CHIRP_IN = PASS_BLUESTEIN & CHIRP_AT_LOAD;
#define PASS_WIDE_IN \
  (PASS_BLUESTEIN & WIDE_AT_LOAD && PASS_PRECISION >= 2)  // padded lines of 16-bit numbers are in single precision

// Loads element `pos` of the line that starts at offset `line` of the input.
__device__ __forceinline__ value load(const mfft_pass_args &a, long long line, int pos) {
#if PASS_PADDED & PADDED_IN
  if ((u32)pos * (PASS_LOAD == FORM_REAL_PAIR ? 2 : 1) >= a.given) return {0, 0};
#if PASS_LOAD == FORM_REAL_PAIR
  const bool pair = 2 * (u32)pos + 1 < a.given;
#endif
#elif PASS_LOAD == FORM_REAL_PAIR
  constexpr bool pair = true;  // the second of two reals exists
#endif
#if PASS_TRIGONOMETRIC
  return trigonometric_line::load(a, line, pos);
#elif PASS_LOAD == FORM_REAL_PAIR
  const stored_real *in = (const stored_real *)a.in + line + 2 * (PASS_UNIT_IN ? pos : pos * a.in_stride);
  if (ALIGNED_IN && pair) return widen(from_memory((const stored *)in));
  return {widen_real(from_memory(in)), pair ? widen_real(from_memory(in + a.in_pair)) : 0};
#elif PASS_LOAD == FORM_REAL
  return {widen_real(from_memory((const stored_real *)a.in + line + (PASS_UNIT_IN ? pos : pos * a.in_stride))), 0};
#elif PASS_LOAD == FORM_HALF_ODD
  int half = pos <= N / 2 ? pos : N - pos;
  value v = widen(from_memory((const stored *)a.in + line + (PASS_UNIT_IN ? half : half * a.in_stride)));
  if (pos == 0) v.im = 0;
  return pos == half ? v : conj(v);
#elif PASS_WIDE_IN
  const float2 v = from_memory((const float2 *)a.in + line + pos * a.in_stride);
  return {v.x, v.y};
#elif PASS_WIRE & 1
  value v;
  from_half_width<real>(from_memory((const half_width_bits *)a.in + line + (PASS_UNIT_IN ? pos : pos * a.in_stride)), &v.re,
                        &v.im);
  return v;
#elif PASS_UNIT_IN
  return widen(from_memory((const stored *)a.in + line + pos));
#else
  return widen(from_memory((const stored *)a.in + line + pos * a.in_stride));
#endif
}

// Element `at` of the spectrum of n reals, n odd, of which the first half lies from offset `from` on at distances of `step`:
// beyond the middle it is the conjugate of element n - at.  Of a pair of lines it is x + i y, of both elements.
__device__ __forceinline__ value load_of_half(const mfft_pass_args &a, const line_start &line, long long from, u32 n, u32 at,
                                              long long step) {
  const u32 half = 2 * at <= n ? at : n - at;
  const stored *const in = (const stored *)a.in + from + (long long)half * step;
  const auto element = [&](const stored *of_line) {
    value v = widen(from_memory(of_line));
    if (at == 0) v.im = 0;
    return at == half ? v : conj(v);
  };
  value v = element(in);
#if PASS_REAL_PAIRS
  const value w = element(in + second_line(a, line));
  v = {v.re - w.im, v.im + w.re};
#endif
  return v;
}

#if PASS_LOAD == FORM_HALF_EVEN
// Elements k and n - k of n complexes, which are 2n reals, from those elements x and y of their half spectrum; 2 k <= n.
struct packed_opposites {
  value low, high;
  __device__ __forceinline__ packed_opposites(const mfft_pass_args &a, int k, value x, value y) {
    const value even = x + conj(y), odd = table(a.real_table, k) * (x - conj(y)), turned = {-odd.im, odd.re};
    low = even + turned;
    high = conj(even - turned);
  }
};
#endif

// Loads element `pos` of a line of find_line; of a pair of real lines, that of both.
__device__ __forceinline__ value load_of_line(const mfft_pass_args &a, const line_start &line, int pos) {
#if PASS_REAL_PAIRS && PASS_LOAD == FORM_HALF_ODD
  return load_of_half(a, line, line.offset, a.bluestein.n, pos, a.in_stride);
#else
  value v = load(a, line.offset, pos);
#if PASS_REAL_PAIRS && PASS_LOAD == FORM_REAL
  v.im = load(a, line.offset + second_line(a, line), pos).re;
#endif
  return v;
#endif
}

#if PASS_BLUESTEIN & CHIRP_AT_LOAD
// Loads that element, with index `at` on the axis; beyond the middle of a half spectrum it is the conjugate of element n -
// at.
__device__ __forceinline__ value load_of_axis(const mfft_pass_args &a, const line_start &line, int pos, u32 at) {
#if PASS_LOAD == FORM_HALF_ODD
  const long long from = line.offset + pos * a.in_stride - (long long)at * a.bluestein.unit;
  return load_of_half(a, line, from, a.bluestein.n, at, a.bluestein.unit);
#elif PASS_LOAD == FORM_HALF_EVEN
  const int n = (int)a.bluestein.n, k = 2 * pos <= n ? pos : n - pos;
  value x = load(a, line.offset, k), y = load(a, line.offset, n - k);
  if (k == 0) x.im = 0, y.im = 0;
  const packed_opposites both(a, k, x, y);
  return pos == k ? both.low : both.high;
#else
  return load_of_line(a, line, pos);
#endif
}
#endif

// Loads element `pos` of a line of find_line, times the filter, and times the chirp of Bluestein's algorithm.
__device__ __forceinline__ value load(const mfft_pass_args &a, const line_start &line, int pos) {
#if PASS_BLUESTEIN & CHIRP_AT_LOAD
  const u32 at = axis_index(a, line, pos);
  if (at >= a.bluestein.n) return {0, 0};
  value v = load_of_axis(a, line, pos, at);
#else
  value v = load_of_line(a, line, pos);
#endif
#if PASS_FILTER == FILTER_OF_INPUT
  v = filtered(a, line.filter, pos, v);
#endif
  if constexpr (CHIRP_IN) v = v * table(a.bluestein.chirp, (int)axis_index(a, line, pos));
  return v;
}

// Loads element j + q STEP, j < STEP.
template <int STEP>
__device__ __forceinline__ value load(const mfft_pass_args &a, const line_start &line, int j, int q) {
#if PASS_LOAD == FORM_LINE_PAIR
  return trigonometric_line::load_of_step<STEP>(a, line.offset, j, q);
#else
  if (PASS_ENDS && q == 0 && j == 0) return {0, 0};  // it need not exist
  if (CHIRP_IN && is_beyond_axis<STEP>(q)) return {0, 0};
  return load(a, line, j + q * STEP);
#endif
}

}  // namespace mfft
