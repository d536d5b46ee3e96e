// line_start.cuh: the address of a line's first element, and the indices of lines that kernels compute with.
#pragma once

#include "config.cuh"
#if PASS_FILTER
#include "line_filter.cuh"
#endif

namespace mfft {

// The start of a line on one side, and its index in the loop on which the twiddle between passes or the mirror of a packed
// real transform depends, or the index of its first element on its axis.
struct line_start {
  long long offset;
  u32 outer;
#if PASS_SHARES && !PASS_UNIFORM_SHARES
  u32 index[PASS_LOOPS];  // each share has strides of its own
#endif
#if PASS_FILTER
  filter_line filter;
#endif
#if PASS_STORE == FORM_TWO_HALVES
  long long mirror;  // distance of the row that has the other half; 0: that is a line of its own
#endif
#if PASS_REAL_PAIRS
  bool both;  // the second of a pair of real lines exists
#endif
};
#if PASS_STORE == FORM_TWO_HALVES
__device__ __forceinline__ long long mirror_of(const mfft_pass_mirror &m, u32 first, line_number line) {
  const u32 x = m.first + first + (u32)(line / m.rows), y = (u32)(line % m.rows);
  if (x == 0 || 2 * x == m.planes) return 0;
  return ((long long)m.planes - 2 * (long long)x) * m.plane + ((y ? (long long)m.rows - y : 0) - (long long)y) * m.row;
}
#endif
template <bool OUT>
__device__ __forceinline__ line_start find_line(const mfft_pass_args &a, line_number line) {
  line_start p = {0, 0};
#if PASS_STORE == FORM_TWO_HALVES
  if (OUT) p.mirror = mirror_of(a.mirror, a.outer_first, line);
#endif
#pragma unroll
  for (int i = 0; i < PASS_LOOPS; i++) {
    line_number index = line;
    if (i + 1 < PASS_LOOPS) {
      line_number n = (line_number)a.loop_n[i];
      line_number rest = line / n;
      index = line - rest * n;
      line = rest;
    }
    p.offset += (long long)index * (OUT ? a.loop_out[i] : a.loop_in[i]);
#if PASS_SHARES && !PASS_UNIFORM_SHARES
    p.index[i] = (u32)index;
#endif
    if (i + 1 == (PASS_MIRROR ? PASS_MIRROR : PASS_BLUESTEIN_LOOP ? PASS_BLUESTEIN_LOOP : PASS_OUTER)) p.outer += (u32)index;
    if (i + 1 == PASS_OUTER_ALSO) p.outer += (u32)index * a.outer_step;
#if PASS_REAL_PAIRS
    if (i + 1 == PASS_REAL_PAIRS) p.both = 2 * (unsigned long long)index + 1 < a.real_lines;
#endif
  }
  if (PASS_OUTER_PART) p.outer += a.outer_first;
  return p;
}

#if PASS_REAL_PAIRS
// Distance of the second line of a pair in the input.  A line alone is loaded twice, so that no load depends on a branch.
__device__ __forceinline__ long long second_line(const mfft_pass_args &a, const line_start &line) {
  return line.both ? a.in_pair : 0;
}
#endif

// Whether elements j + q STEP, j < STEP, of a line of Bluestein's algorithm do not exist: an axis of n elements is padded to
// 2 n - 1 and more, so they are in the upper half of N.
template <int STEP>
__host__ __device__ constexpr bool is_beyond_axis(int q) {
  return 2 * q * STEP >= N;
}

// Index on its axis of element `pos` of a line of Bluestein's algorithm.
__device__ __forceinline__ u32 axis_index(const mfft_pass_args &a, const line_start &line, int pos) {
  return line.outer + (u32)pos * a.bluestein.step;
}

}  // namespace mfft
