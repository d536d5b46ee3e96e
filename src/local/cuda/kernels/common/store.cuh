// store.cuh: stores the results of the last merge of a pass as elements of a line.
#pragma once

#include "line_start.cuh"
#include "stored.cuh"
#include "trigonometric_line.cuh"

namespace mfft {

#define PASS_WIDE_OUT (PASS_BLUESTEIN & WIDE_AT_STORE && PASS_PRECISION >= 2)

__device__ __forceinline__ void store(const mfft_pass_args &a, long long line, int pos, value v) {
#if PASS_PADDED & CROPPED_OUT
  if ((u32)pos * (PASS_STORE == FORM_REAL_PAIR ? 2 : 1) >= a.given) return;
#if PASS_STORE == FORM_REAL_PAIR
  const bool pair = 2 * (u32)pos + 1 < a.given;
#endif
#elif PASS_STORE == FORM_REAL_PAIR
  constexpr bool pair = true;
#endif
#if PASS_TRIGONOMETRIC
  trigonometric_line::store(a, line, pos, v);
#elif PASS_STORE == FORM_REAL_PAIR
  stored_real *out = (stored_real *)a.out + line + 2 * (PASS_UNIT_OUT ? pos : pos * a.out_stride);
  if (ALIGNED_OUT && pair) {
    to_memory((stored *)out, narrow(v));
  } else {
    to_memory(out, narrow_real(v.re));
    if (pair) to_memory(out + a.out_pair, narrow_real(v.im));
  }
#elif PASS_STORE == FORM_REAL
  to_memory((stored_real *)a.out + line + (PASS_UNIT_OUT ? pos : pos * a.out_stride), narrow_real(v.re));
#elif PASS_WIDE_OUT
  to_memory((float2 *)a.out + line + pos * a.out_stride, float2{v.re, v.im});
#elif PASS_UNIT_OUT
  to_memory((stored *)a.out + line + pos, narrow(v));
#else
  to_memory((stored *)a.out + line + pos * a.out_stride, narrow(v));
#endif
}

#if PASS_SHARES
#if PASS_WIRE & 2
typedef half_width_bits share_element;
__device__ __forceinline__ void to_share(half_width_bits *to, value v) { to_memory(to, to_half_width<real>(v.re, v.im)); }
#else
typedef stored share_element;
__device__ __forceinline__ void to_share(stored *to, value v) { to_memory(to, narrow(v)); }
#endif
// The share that has element j + q STEP of a line, j < STEP.  Shares are divided by mfft_part (box.h).  If they are equal
// and a multiple or a divisor of STEP, the share is that of j plus a constant for each q.
template <u32 STEP>
__device__ __forceinline__ u32 share_of(u32 j, u32 q) {
  constexpr u32 ELEMENTS = N + (PASS_STORE == FORM_HALF_EVEN), EACH = ELEMENTS / PASS_SHARES;
  if constexpr (ELEMENTS % PASS_SHARES == 0 && EACH % STEP == 0)
    return q / (EACH / STEP);
  else if constexpr (ELEMENTS % PASS_SHARES == 0 && STEP % EACH == 0)
    return q * (STEP / EACH) + j / EACH;
  else
    return (PASS_SHARES * (j + q * STEP + 1) - 1) / ELEMENTS;
}
// The address of that element.
template <u32 STEP>
__device__ __forceinline__ share_element *in_share(const mfft_pass_args &a, const line_start &line, u32 j, u32 q) {
  const u32 share = share_of<STEP>(j, q);
  const int pos = j + q * STEP;
#if PASS_UNIFORM_SHARES
  return (share_element *)a.scatter.out[share] + line.offset + (PASS_UNIT_OUT ? pos : pos * a.out_stride);
#else
  long long offset = pos * a.scatter.stride[share];
#pragma unroll
  for (int i = 0; i < PASS_LOOPS; i++) offset += line.index[i] * a.scatter.loop[share][i];
  return (share_element *)a.scatter.out[share] + offset;
#endif
}
#endif

// Stores element j + q STEP, j < STEP, of a line of find_line, times the filter, and times the chirp of Bluestein's
// algorithm.
template <u32 STEP>
__device__ __forceinline__ void store(const mfft_pass_args &a, const line_start &line, int j, int q, value v) {
  const int pos = j + q * (int)STEP;
#if PASS_BLUESTEIN & CHIRP_AT_STORE
  if (is_beyond_axis<STEP>(q)) return;
  const u32 at = axis_index(a, line, pos);
  if (at >= a.bluestein.stored) return;
  v = v * table(a.bluestein.chirp, (int)at);
#endif
#if PASS_FILTER == FILTER_OF_OUTPUT
  v = filtered(a, line.filter, pos, v);
#endif
#if PASS_SHARES
  to_share(in_share<STEP>(a, line, j, q), v);
#elif PASS_STORE == FORM_LINE_PAIR
  trigonometric_line::store_of_step<STEP>(a, line.offset, j, q, v);
#elif PASS_STORE == FORM_TWO_HALVES
  stored *out = (stored *)a.out + line.offset;
  if (2 * pos <= N) to_memory(out + pos * a.out_stride, narrow(v));
  if (line.mirror && (pos == 0 || 2 * pos >= N))
    to_memory(out + line.mirror + (pos ? N - pos : 0) * a.out_stride, narrow(conj(v)));
#else
  store(a, line.offset, pos, v);
#if PASS_REAL_PAIRS && PASS_STORE == FORM_REAL
  if (line.both) store(a, line.offset + a.out_pair, pos, {v.im, 0});
#endif
#endif
}

// Multiplies results by the scale of the pass.
template <int COUNT>
__device__ __forceinline__ void scale(const mfft_pass_args &a, value *v) {
#if PASS_SCALED
#pragma unroll
  for (int i = 0; i < COUNT; i++) v[i].re *= (real)a.scale, v[i].im *= (real)a.scale;
#endif
}

}  // namespace mfft
