// memory.cuh: numbers in device memory, and the addresses of the elements of a line.
#pragma once

#include "config.cuh"
#if PASS_TRIGONOMETRIC
#include "trigonometric.cuh"
#endif
#if PASS_FILTER
#include "line_filter.cuh"
#endif
#if PASS_WIRE
#include "half_width.cuh"
#endif

namespace mfft {

#if PASS_PRECISION < 2
__device__ __forceinline__ value widen(stored s) { return {s.re, s.im}; }
__device__ __forceinline__ stored narrow(value v) { return {v.re, v.im}; }
__device__ __forceinline__ real widen_real(stored_real s) { return s; }
__device__ __forceinline__ stored_real narrow_real(real v) { return v; }
#elif PASS_PRECISION == 2
__device__ __forceinline__ value widen(stored s) {
  return {half_to_float((unsigned short)s.both), half_to_float((unsigned short)(s.both >> 16))};
}
__device__ __forceinline__ stored narrow(value v) { return {pack_half(v.re, v.im)}; }
__device__ __forceinline__ real widen_real(stored_real s) { return half_to_float(s); }
__device__ __forceinline__ stored_real narrow_real(real v) { return (stored_real)pack_half(v, 0); }
#else
__device__ __forceinline__ value widen(stored s) {
  return {__uint_as_float(s.both << 16), __uint_as_float(s.both & 0xffff0000u)};
}
__device__ __forceinline__ stored narrow(value v) { return {pack_bfloat(v.re, v.im)}; }
__device__ __forceinline__ real widen_real(stored_real s) { return bfloat_to_float(s); }
__device__ __forceinline__ stored_real narrow_real(real v) { return (stored_real)pack_bfloat(v, 0); }
#endif

__device__ __forceinline__ value table(const void *base, int i) {
  wide_value w = ((const wide_value *)base)[i];
  return {w.re, w.im};
}

// The steps of Bluestein's algorithm that a pass does (mfft_bluestein_step in planner/kernel.h).
constexpr bool CHIRP_IN = PASS_BLUESTEIN & CHIRP_AT_LOAD;
#define PASS_WIDE_IN \
  (PASS_BLUESTEIN & WIDE_AT_LOAD && PASS_PRECISION >= 2)  // padded lines of 16-bit numbers are in single precision
#define PASS_WIDE_OUT (PASS_BLUESTEIN & WIDE_AT_STORE && PASS_PRECISION >= 2)

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

#if PASS_WIRE
typedef half_width<real>::bits half_width_bits;
#endif

// Access to device memory.  Data that is used only once has the cache hint "last use" (ld.cs, st.cs: evict first), so that
// it does not evict the data that a pass has written for the next pass.
template <class T>
__device__ __forceinline__ T from_memory(const T *from) {
  return LAST_USE_IN ? __ldcs(from) : *from;
}
template <class T>
__device__ __forceinline__ void to_memory(T *to, T v) {
  if (LAST_USE_OUT)
    __stcs(to, v);
  else
    *to = v;
}
#if PASS_PRECISION < 2
__device__ __forceinline__ stored from_memory(const stored *from) {
  stored_pair v = from_memory((const stored_pair *)from);
  return {v.x, v.y};
}
__device__ __forceinline__ void to_memory(stored *to, stored v) { to_memory((stored_pair *)to, stored_pair{v.re, v.im}); }
#else
__device__ __forceinline__ stored from_memory(const stored *from) { return {from_memory((const u32 *)from)}; }
__device__ __forceinline__ void to_memory(stored *to, stored v) { to_memory((u32 *)to, v.both); }
#endif

#if PASS_TRIGONOMETRIC
// Elements of a DFT that computes cosines or sines of lines of real numbers; N complexes may be packed reals.
struct trigonometric_line {
  static constexpr bool PAIRS = PASS_LOAD == FORM_REAL_PAIR || PASS_STORE == FORM_REAL_PAIR;
  static constexpr bool WHOLE = PASS_LOAD == FORM_COMPLEX && PASS_STORE == FORM_COMPLEX;
  static constexpr int TYPE = (PASS_TRIGONOMETRIC - 1) % 4 + 1, LENGTH = PAIRS ? 2 * N : N;
  typedef trigonometric<PASS_TRIGONOMETRIC, int> kind;
  static constexpr int NUMBERS = TYPE == 1 ? LENGTH / 2 + (kind::SINES ? -1 : 1) : WHOLE ? 2 * N : LENGTH;

  __device__ __forceinline__ static value root(const mfft_pass_args &a, int pos) {
    if constexpr (TYPE == 2 || TYPE == 3 || WHOLE) return table(a.trigonometric_table, pos);
    return {1, 0};
  }
#if PASS_LOAD == FORM_LINE_PAIR
  static constexpr bool SINES = kind::SINES;
  // Element j + q STEP, j < STEP, of the line in Makhoul's order; mostly q alone says in which half it is.
  template <int STEP>
  __device__ __forceinline__ static bool is_upper(int j, int q) {
    return N / STEP % 2 ? 2 * (j + q * STEP) >= N : 2 * q * STEP >= N;
  }
  template <int STEP>
  __device__ __forceinline__ static value load_of_step(const mfft_pass_args &a, long long line, int j, int q) {
    if constexpr (TYPE != 2) return load(a, line, j + q * STEP);
    if (!is_upper<STEP>(j, q)) return load_lines(a, line, 2 * j + 2 * q * STEP);
    const value v = load_lines(a, line, 2 * (N - q * STEP) - 1 - 2 * j);
    return SINES ? value{-v.re, -v.im} : v;
  }
  template <int STEP>
  __device__ __forceinline__ static void store_of_step(const mfft_pass_args &a, long long line, int j, int q, value v) {
    if constexpr (TYPE != 3)
      store(a, line, j + q * STEP, v);
    else if (!is_upper<STEP>(j, q))
      store_lines(a, line, 2 * j + 2 * q * STEP, v);
    else
      store_lines(a, line, 2 * (N - q * STEP) - 1 - 2 * j, SINES ? value{-v.re, -v.im} : v);
  }
  // Numbers i of a pair of lines; neighbours in memory, if accesses are of whole units and butterflies of no opposites.
  __device__ __forceinline__ static value load_lines(const mfft_pass_args &a, long long line, int i) {
    const stored_real *in = (const stored_real *)a.in + line + (PASS_UNIT_IN ? i : i * a.in_stride);
    if constexpr (ALIGNED_IN && !(PASS_OPPOSITE & 1)) return widen(from_memory((const stored *)in));
    return {widen_real(from_memory(in)), widen_real(from_memory(in + a.in_pair))};
  }
  __device__ __forceinline__ static void store_lines(const mfft_pass_args &a, long long line, int i, value v) {
    stored_real *out = (stored_real *)a.out + line + (PASS_UNIT_OUT ? i : i * a.out_stride);
    if constexpr (ALIGNED_OUT && !(PASS_OPPOSITE & 2)) {
      to_memory((stored *)out, narrow(v));
    } else {
      to_memory(out, narrow_real(v.re));
      to_memory(out + a.out_pair, narrow_real(v.im));
    }
  }
#endif
  __device__ __forceinline__ static value load(const mfft_pass_args &a, long long line, int pos) {
    const stored_real *in = (const stored_real *)a.in + line;
    const kind of = {NUMBERS};
    const auto read = [&](int i) { return widen_real(from_memory(in + (PASS_UNIT_IN ? i : i * a.in_stride))); };
#if PASS_LOAD == FORM_REAL_PAIR
    return {of.real_input(2 * pos, read), of.real_input(2 * pos + 1, read)};
#elif PASS_LOAD == FORM_REAL
    return {of.real_input(pos, read), 0};
#elif PASS_LOAD == FORM_COMPLEX
    return of.complex_input(pos, root(a, pos), read);
#elif PASS_LOAD == FORM_LINE_PAIR
    return TYPE == 2 ? of.sign_at(pos) * load_lines(a, line, of.place(pos)) : load_lines(a, line, SINES ? N - 1 - pos : pos);
#else
    const int half = PASS_LOAD == FORM_HALF_ODD && pos > N / 2 ? N - pos : pos;
    const value v = of.spectrum_input(half, root(a, half), read);
    return half == pos ? v : conj(v);
#endif
  }
  __device__ __forceinline__ static void store(const mfft_pass_args &a, long long line, int pos, value v) {
    stored_real *out = (stored_real *)a.out + line;
    const kind of = {NUMBERS};
    const auto write = [&](int i, real x) { to_memory(out + (PASS_UNIT_OUT ? i : i * a.out_stride), narrow_real(x)); };
#if PASS_STORE == FORM_REAL_PAIR
    of.from_real(2 * pos, v.re, write);
    of.from_real(2 * pos + 1, v.im, write);
#elif PASS_STORE == FORM_REAL
    of.from_real(pos, v.re, write);
#elif PASS_STORE == FORM_COMPLEX
    of.from_complex(pos, v, root(a, pos), write);
#elif PASS_STORE == FORM_LINE_PAIR
    if constexpr (TYPE == 2)
      store_lines(a, line, SINES ? N - 1 - pos : pos, v);
    else
      store_lines(a, line, of.place(pos), of.sign_at(pos) * v);
#else
    of.from_spectrum(pos, v, root(a, pos), write);
#endif
  }
};

// Two neighbours in memory, of which the first has an even distance from the beginning of a line.
__device__ __forceinline__ value load_neighbours(const stored_real *in) {
  if constexpr (ALIGNED_IN) return widen(from_memory((const stored *)in));
  return {widen_real(from_memory(in)), widen_real(from_memory(in + 1))};
}
__device__ __forceinline__ void store_neighbours(stored_real *out, value v) {
  if constexpr (ALIGNED_OUT) {
    to_memory((stored *)out, narrow(v));
  } else {
    to_memory(out, narrow_real(v.re));
    to_memory(out + 1, narrow_real(v.im));
  }
}

#if PASS_OPPOSITE
// Elements i and N - 1 - i of the line of a DFT, which are made of neighbours of real lines of even length; i < N / 2 if
// they are of a pair of lines.
__device__ __forceinline__ void load_opposite(const mfft_pass_args &a, long long line, int i, value &x, value &y) {
  constexpr bool SINES = trigonometric_line::kind::SINES;
  const stored_real *in = (const stored_real *)a.in + line;
#if PASS_LOAD == FORM_LINE_PAIR
  const value first = load_neighbours(in + 2 * i), second = load_neighbours(in + 2 * i + a.in_pair);
  x = {first.re, second.re};
  y = SINES ? value{-first.im, -second.im} : value{first.im, second.im};
#elif PASS_LOAD == FORM_COMPLEX
  const value low = load_neighbours(in + 2 * i), high = load_neighbours(in + 2 * (N - 1 - i));
  x = (SINES ? value{high.im, low.re} : value{low.re, high.im}) * trigonometric_line::root(a, i);
  y = (SINES ? value{low.im, high.re} : value{high.re, low.im}) * trigonometric_line::root(a, N - 1 - i);
#endif
}
__device__ __forceinline__ void store_opposite(const mfft_pass_args &a, long long line, int i, value x, value y) {
  constexpr bool SINES = trigonometric_line::kind::SINES;
  stored_real *out = (stored_real *)a.out + line;
#if PASS_STORE == FORM_LINE_PAIR
  store_neighbours(out + 2 * i, {x.re, SINES ? -y.re : y.re});
  store_neighbours(out + 2 * i + a.out_pair, {x.im, SINES ? -y.im : y.im});
#elif PASS_STORE == FORM_COMPLEX
  const value low = x * trigonometric_line::root(a, i), high = y * trigonometric_line::root(a, N - 1 - i);
  store_neighbours(out + 2 * i, {2 * low.re, SINES ? 2 * high.im : -2 * high.im});
  store_neighbours(out + 2 * (N - 1 - i), {2 * high.re, SINES ? 2 * low.im : -2 * low.im});
#endif
}
#endif
#endif

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

#if PASS_REAL_PAIRS
// Distance of the second line of a pair in the input.  A line alone is loaded twice, so that no load depends on a branch.
__device__ __forceinline__ long long second_line(const mfft_pass_args &a, const line_start &line) {
  return line.both ? a.in_pair : 0;
}
#endif

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

// Index on its axis of element `pos` of a line of Bluestein's algorithm.
__device__ __forceinline__ u32 axis_index(const mfft_pass_args &a, const line_start &line, int pos) {
  return line.outer + (u32)pos * a.bluestein.step;
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
  return load(a, line, j + q * STEP);
#endif
}

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
