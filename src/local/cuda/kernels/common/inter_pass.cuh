// inter_pass.cuh: the twiddle between two passes of a transform (Bailey's four-step method).  Output k of a line is
// multiplied by W^(k outer), where W is the root of unity of the twiddle order, and `outer` the index of the line in the
// loop along which the lines of the next pass run (find_line).
//
// In single and double, and in all butterfly kernels, twiddles are products of two entries of short tables.  Passes of 16
// bits on tensor cores compute them: their orders are powers of two, so an exponent shifted to fill 32 bits is a signed
// angle, which is exact until it is converted to a float.
#pragma once

#include "line_start.cuh"
#include "stored.cuh"

namespace mfft {

// W^i as a product of two entries of tables in device memory, of some sqrt(order) entries each.  In a pass that also packs a
// half spectrum the tables are of twice the twiddle order.
__device__ __forceinline__ value table_twiddle(const mfft_pass_args &a, u32 i) {
  return table(a.outer_coarse, i >> a.outer_shift) * table(a.outer_fine, i & ((1u << a.outer_shift) - 1));
}
__device__ __forceinline__ value outer_twiddle(const mfft_pass_args &a, u32 i) {
  return table_twiddle(a, PASS_MIRROR ? 2 * i : i);
}

// ---- Butterflies.  Output q of a butterfly is multiplied by a base, the twiddle of its first output, times a step.

// Makes a table of W^(k outer), k = 0, STEP, 2 STEP ..., for each line: [COUNT][ROWS].
template <int COUNT, int STEP, int ROWS, class F>
__device__ __forceinline__ void fill_twiddles(const mfft_pass_args &a, value *to, F outer_of_row) {
  constexpr int ALL = COUNT * ROWS;
  value w[ceil_div(ALL, BLOCK)];  // all loads are issued before the first is used
#pragma unroll
  for (int k = 0; k < ceil_div(ALL, BLOCK); k++) {
    int i = threadIdx.x + k * BLOCK;
    if (ALL % BLOCK == 0 || i < ALL) w[k] = outer_twiddle(a, outer_of_row(i % ROWS) * (u32)(i / ROWS * STEP));
  }
#pragma unroll
  for (int k = 0; k < ceil_div(ALL, BLOCK); k++) {
    int i = threadIdx.x + k * BLOCK;
    if (ALL % BLOCK == 0 || i < ALL) to[i] = w[k];
  }
}

struct one {};  // the twiddle 1, which needs no multiplication
__device__ __forceinline__ value operator*(value v, one) { return v; }
__device__ __forceinline__ value operator*(one, value v) { return v; }

// base_of(line, j): twiddle of the first output of butterfly j; step_of(line, q): factor from it to output q, which is q N /
// R elements further.
template <class CHAIN, class TILE, class F, class G>
__device__ __forceinline__ void twiddle_butterflies(value *v, const TILE &t, F base_of, G step_of) {
  constexpr int R = CHAIN::radix(CHAIN::MERGES - 1);
  CHAIN::template each<CHAIN::MERGES - 1>(t, [&](int b, int line, int j) {
    const auto base = base_of(line, j);
    v[b * R] = v[b * R] * base;
#pragma unroll
    for (int q = 1; q < R; q++) v[b * R + q] = v[b * R + q] * (base * step_of(line, q));
  });
}

// ---- Tensor cores, 16 bits.

// exp(i angle_of_one k)
__device__ __forceinline__ value fast_twiddle(float angle_of_one, u32 k) {
  float angle = (float)(int)k * angle_of_one, s, c;
  __sincosf(angle, &s, &c);
  return {c, s};
}

// exp(DIRECTION 2 pi i k / OF), 0 <= k < OF, in single, to about one rounding.  k is first reduced to -OF/4 .. OF/4,
// exactly, unless the caller knows that it is below OF/4 (reduced).  The polynomials interpolate sin x / x and cos x at
// Chebyshev's points in x^2 up to pi / 2; their errors are 2e-8 and 1e-9.
template <int OF, int DIRECTION>
__device__ __forceinline__ value computed_twiddle(int k, bool reduced) {
  constexpr double HALF_STEP = DIRECTION * 3.14159265358979323846 / OF;
  constexpr float HIGH = (float)HALF_STEP, LOW = (float)(HALF_STEP - (double)HIGH);
  int twice = 2 * k;
  float sign = 1;
  if (!reduced) {
    const bool half = 4 * k >= OF, whole = 4 * k >= 3 * OF;  // the nearest multiple of half a circle is one, or two, of them
    sign = half && !whole ? -1.0f : 1.0f;
    twice -= whole ? 2 * OF : half ? OF : 0;
  }
  const float n = (float)twice, x = fmaf(n, HIGH, n * LOW), y = x * x;
  const float p = fmaf(fmaf(fmaf(2.6335730e-6f, y, -1.9822372e-4f), y, 8.3332394e-3f), y, -1.6666666e-1f);
  const float q = fmaf(fmaf(fmaf(fmaf(-2.6285198e-7f, y, 2.4774045e-5f), y, -1.3888645e-3f), y, 4.1666659e-2f), y, -0.5f);
  return {sign * fmaf(y, q, 1.0f), sign * fmaf(x * y, p, x)};
}

// Multiplies COUNT neighbours in memory by their twiddles.  The first is output k of a line; the next are the next outputs
// of that line, or, BY_LINE, outputs k of the next lines.  If lines have the same or consecutive outer indices
// (OUTER_IN_FOURS), each twiddle is the preceding one times a constant factor.
template <int MAP, u32 COUNT>
__device__ __forceinline__ void twiddle_neighbours(const mfft_pass_args &a, value *v, line_number line, u32 k) {
#if PASS_OUTER
  constexpr bool BY_FACTOR = MAP == BY_ELEMENT || OUTER_IN_FOURS, CHANGES = MAP == BY_ELEMENT || PASS_OUTER == 1;
  u32 outer = find_line<true>(a, line).outer;
  value w = fast_twiddle(a.merge_angle, (k * outer) << a.outer_shift), factor = {1, 0};
  if (BY_FACTOR && CHANGES) factor = fast_twiddle(a.merge_angle, (MAP == BY_ELEMENT ? outer : k) << a.outer_shift);
#pragma unroll
  for (u32 c = 0; c < COUNT; c++) {
    if (!BY_FACTOR && c) {
      outer = find_line<true>(a, line + c).outer;
      w = fast_twiddle(a.merge_angle, (k * outer) << a.outer_shift);
    }
    v[c] = v[c] * w;
    if (BY_FACTOR && CHANGES && c < COUNT - 1) w = w * factor;
  }
#endif
}

}  // namespace mfft
