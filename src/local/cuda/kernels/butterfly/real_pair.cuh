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
// Elements k of both half spectra, of elements k and n - k (or 0) of Z.
__device__ __forceinline__ void separate_pair(value z, value opposite, value &x, value &y) {
  const real half = (real)0.5;
  x = {half * (z.re + opposite.re), half * (z.im - opposite.im)};
  y = {half * (z.im + opposite.im), half * (opposite.re - z.re)};
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
    value x, y;
    separate_pair(t.whole[C::slot(line, k)], t.whole[C::slot(line, k ? n - k : 0)], x, y);
    store(a, p.offset, k, x);
    if (p.both) store(a, p.offset + a.out_pair, k, y);
  }
}
#endif

}  // namespace mfft
