// trigonometric_line.cuh: loads and stores of the elements of a DFT that computes cosines or sines.
#pragma once

#include "stored.cuh"
#if PASS_TRIGONOMETRIC
#include "trigonometric.cuh"

namespace mfft {

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

}  // namespace mfft
#endif
