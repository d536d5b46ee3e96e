// real_pair.cuh: two real lines as the real and imaginary part of one line of n complex numbers (Cooley, Lewis and Welch,
// The fast Fourier transform algorithm, 1970), in passes over lines that no merge of reals has (odd.cu).  With the spectrum
// Z of the complex line, those of the two real lines are
//
//     A[k] = (Z[k] + conj(Z[n-k])) / 2, B[k] = (Z[k] - conj(Z[n-k])) / 2i
//
// and back, Z[k] = A[k] + i B[k].  A pair is two neighbours of one loop around the lines (PASS_REAL_PAIRS), at distances
// args.in_pair and args.out_pair; the last pair of an odd count has one line.  memory.cuh loads pairs of both forms, and
// stores pairs of reals.
#pragma once

#include "exchange.cuh"

namespace mfft {

#if PASS_REAL_PAIRS
// Stores elements k of both half spectra, of elements k and n - k (or 0) of Z.
__device__ __forceinline__ void store_separated(const mfft_pass_args &a, const line_start &p, int k, value z,
                                                value opposite) {
  const real half = (real)0.5;
  store(a, p.offset, k, {half * (z.re + opposite.re), half * (z.im - opposite.im)});
  if (p.both) store(a, p.offset + a.out_pair, k, {half * (z.im + opposite.im), half * (opposite.re - z.re)});
}

// Stores the half spectra of a pair from Z, of n <= MOST elements, n odd, in natural order in a line of the exchange area of
// chain C; the threads are those of merge I.
template <class C, int I, int MOST>
__device__ __forceinline__ void store_half_pair(const mfft_pass_args &a, const tile &t, const line_start &p, int n) {
  constexpr int MAP = C::map_of(I), EACH = ceil_div(MOST / 2 + 1, C::THREADS);
  const int line = C::template line_of_thread<MAP>(), first = C::template part_of_thread<MAP>();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    const int k = first + i * C::THREADS;
    if (2 * k > n) return;
    store_separated(a, p, k, t.whole[C::slot(line, k)], t.whole[C::slot(line, k ? n - k : 0)]);
  }
}

// The same for the pairs of the whole block, whose Z of n = ELEMENTS lie in rows of ELEMENTS.
template <int ELEMENTS>
__device__ __forceinline__ void store_half_pairs(const mfft_pass_args &a, const value *rows, line_number first_line) {
  walk<PASS_MAP_OUT, ELEMENTS / 2 + 1>(a, first_line, [&](int, int line, int k) {
    const value *const z = rows + line * ELEMENTS;
    store_separated(a, find_line<true>(a, first_line + line), k, z[k], z[k ? ELEMENTS - k : 0]);
  });
}

// Loads the half spectra of the pairs of the block, each element once, and makes the rows of Z.
template <int ELEMENTS>
__device__ __forceinline__ void load_half_pairs(const mfft_pass_args &a, value *rows, line_number first_line) {
  constexpr int HALF = ELEMENTS / 2 + 1, ACCESSES = ceil_div(HALF * LINES, BLOCK);
  value x[ACCESSES], y[ACCESSES];
  walk<PASS_MAP_IN, HALF>(a, first_line, [&](int i, int line, int k) {
    const line_start p = find_line<false>(a, first_line + line);
    const stored *const in = (const stored *)a.in + p.offset + k * a.in_stride;
    x[i] = widen(from_memory(in));
    y[i] = p.both ? widen(from_memory(in + a.in_pair)) : value{0, 0};
  });
  walk<PASS_MAP_IN, HALF>(a, first_line, [&](int i, int line, int k) {
    value *const z = rows + line * ELEMENTS;
    if (k == 0) {
      z[0] = {x[i].re, y[i].re};
    } else {
      z[k] = {x[i].re - y[i].im, x[i].im + y[i].re};
      z[ELEMENTS - k] = {x[i].re + y[i].im, y[i].re - x[i].im};
    }
  });
}
#endif

}  // namespace mfft
