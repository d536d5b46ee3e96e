// real_pair.cuh: half spectra at the ends of complex lines whose elements k and n - k meet in shared memory.
//
// Two real lines of n numbers, n odd, are the real and imaginary part of one line of n complex numbers (Cooley, Lewis and
// Welch, The fast Fourier transform algorithm, 1970).  With the spectrum Z of the complex line, those of the two are
//
//     A[k] = (Z[k] + conj(Z[n-k])) / 2, B[k] = (Z[k] - conj(Z[n-k])) / 2i
//
// and back, Z[k] = A[k] + i B[k].  A pair is two neighbours of one loop around the lines (PASS_REAL_PAIRS), at distances
// args.in_pair and args.out_pair; the last pair of an odd count is one line, loaded twice.  load.cuh loads pairs of both
// forms, and stores pairs of reals.
//
// A real line of 2n numbers is n complex numbers, and elements k and n - k of its spectrum are made of the same of Z, with
// w = exp(sign pi i k / n), as in packing.cuh, whose merges take these in one thread instead.
#pragma once

#include "staged_rows.cuh"

// Whether loads, or stores, need elements k and n - k together.
#define PASS_MEETS_IN  (PASS_LOAD == FORM_HALF_EVEN || (PASS_LOAD == FORM_HALF_ODD && PASS_REAL_PAIRS))
#define PASS_MEETS_OUT (PASS_STORE == FORM_HALF_EVEN || (PASS_STORE == FORM_HALF_ODD && PASS_REAL_PAIRS))

namespace mfft {

// Elements of a half spectrum of ELEMENTS complexes as they are in memory.
template <int ELEMENTS, int FORM>
constexpr int row_of_halves = FORM == FORM_HALF_EVEN ? ELEMENTS + 1 : ELEMENTS / 2 + 1;

#if PASS_MEETS_OUT
// Stores what elements k and n - k (or 0) of Z make of half spectra, 2 k <= n.
__device__ __forceinline__ void store_halves(const mfft_pass_args &a, const line_start &p, int n, int k, value z,
                                             value opposite) {
  const real half = (real)0.5;
#if PASS_STORE == FORM_HALF_EVEN
  const value y = conj(opposite), even = z + y, odd = z - y, turned = table(a.real_table, k) * value{odd.im, -odd.re};
  const value low = even + turned, high = conj(even - turned);
  store(a, p.offset, k, {half * low.re, half * low.im});
  if (2 * k != n) store(a, p.offset, n - k, {half * high.re, half * high.im});
#else
  store(a, p.offset, k, {half * (z.re + opposite.re), half * (z.im - opposite.im)});
  if (p.both) store(a, p.offset + a.out_pair, k, {half * (z.im + opposite.im), half * (opposite.re - z.re)});
#endif
}

// Does that for a line of the exchange area of chain C that has Z, of n <= MOST elements, in natural order; the threads are
// those of merge I.
template <class C, int I, int MOST>
__device__ __forceinline__ void store_halves_of_line(const mfft_pass_args &a, const tile &t, const line_start &p, int n) {
  constexpr int MAP = C::map_of(I), EACH = ceil_div(MOST / 2 + 1, C::THREADS);
  const int line = C::template line_of_thread<MAP>(), first = C::template part_of_thread<MAP>();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    const int k = first + i * C::THREADS;
    if (2 * k > n) return;
    store_halves(a, p, n, k, t.whole[C::slot(line, k)], t.whole[C::slot(line, k ? n - k : 0)]);
  }
}

// The same for all lines of the block, whose Z of n = ELEMENTS lie in rows of ELEMENTS.
template <int ELEMENTS>
__device__ __forceinline__ void store_halves_of_rows(const mfft_pass_args &a, const value *rows, line_number first_line) {
  constexpr int HALF = ELEMENTS / 2 + 1, ROW = row_of_halves<ELEMENTS, PASS_STORE>;
  struct opposites {
    value z, opposite;
  };
  copy_rows<opposites, true, HALF, ROW>(
      a, first_line,
      [&](int line, int k, const line_start &) {
        const value *const z = rows + line * ELEMENTS;
        return opposites{z[k], z[k ? ELEMENTS - k : 0]};
      },
      [&](int, int k, const line_start &p, const opposites &x) { store_halves(a, p, ELEMENTS, k, x.z, x.opposite); });
}
#endif

#if PASS_MEETS_IN
// Loads the half spectra of the block's lines, each element once, and makes of them rows of Z, of n = ELEMENTS.
template <int ELEMENTS>
__device__ __forceinline__ void load_halves_to_rows(const mfft_pass_args &a, value *rows, line_number first_line) {
  constexpr int HALF = ELEMENTS / 2 + 1, ROW = row_of_halves<ELEMENTS, PASS_LOAD>;
  struct loaded {
    value x, y;  // elements k and n - k of an even line, or elements k of a pair of lines
  };
  copy_rows<loaded, false, HALF, ROW>(
      a, first_line,
      [&](int, int k, const line_start &p) {
#if PASS_LOAD == FORM_HALF_EVEN
        return loaded{load(a, p.offset, k), load(a, p.offset, ELEMENTS - k)};
#else
        const stored *const in = (const stored *)a.in + p.offset + k * a.in_stride;
        return loaded{widen(from_memory(in)), widen(from_memory(in + second_line(a, p)))};
#endif
      },
      [&](int line, int k, const line_start &, loaded v) {
        value *const z = rows + line * ELEMENTS;
#if PASS_LOAD == FORM_HALF_EVEN
        if (k == 0) v.x.im = 0, v.y.im = 0;
        const packed_opposites both(a, k, v.x, v.y);
        z[k] = both.low;
        if (k && 2 * k != ELEMENTS) z[ELEMENTS - k] = both.high;
#else
        z[k] = k ? value{v.x.re - v.y.im, v.x.im + v.y.re} : value{v.x.re, v.y.re};
        if (k) z[ELEMENTS - k] = {v.x.re + v.y.im, v.y.re - v.x.im};
#endif
      });
}
#endif

}  // namespace mfft
