// real.cu: packs or unpacks half spectra for transforms whose passes cannot do so themselves (packing.cuh): odd lengths, and
// lengths of several passes whose lines cannot be paired.  A block has THREADS neighbouring elements k of one line; a thread
// has elements k and n - k, so input and output may be the same array, and needs no shared memory.
#include "inter_pass.cuh"
#include "real_pair.cuh"

namespace mfft {

extern "C" __global__ void __launch_bounds__(THREADS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  constexpr int CHUNKS = (N / 2 + THREADS) / THREADS;
  release_next();
  wait_for_previous();
  line_number line = blockIdx.x / CHUNKS;
  int k = (int)(blockIdx.x % CHUNKS) * THREADS + threadIdx.x;
  if (k > N / 2) return;
#if !PASS_REAL_PAIRS
  const stored *in = (const stored *)a.in + find_line<false>(a, line).offset;
  stored *out = (stored *)a.out + find_line<true>(a, line).offset;
#endif
#if PASS_STORE == FORM_HALF_EVEN  // from n packed complexes to the n + 1 of the half spectrum
  value x = widen(in[k * a.in_stride]), y = conj(widen(in[(k ? N - k : 0) * a.in_stride]));
  value even = x + y, odd = x - y, twiddled = outer_twiddle(a, k) * value{odd.im, -odd.re};
  value sum = even + twiddled, difference = conj(even - twiddled);
  out[k * a.out_stride] = narrow({sum.re * (real)0.5, sum.im * (real)0.5});
  if (2 * k != N) out[(N - k) * a.out_stride] = narrow({difference.re * (real)0.5, difference.im * (real)0.5});
#elif PASS_STORE == FORM_HALF_ODD && PASS_REAL_PAIRS
  // From the spectra of pairs of real lines to the half spectra of both.
  const line_start from = find_line<false>(a, line), to = find_line<true>(a, line);
  store_halves(a, to, N, k, load(a, from.offset, k), load(a, from.offset, k ? N - k : 0));
#elif PASS_STORE == FORM_HALF_ODD  // from n complexes to the first half of them
  out[k * a.out_stride] = in[k * a.in_stride];
#elif PASS_LOAD == FORM_HALF_EVEN  // from the n + 1 complexes of the half spectrum to n packed ones
  value x = widen(in[k * a.in_stride]), y = conj(widen(in[(N - k) * a.in_stride]));
  if (k == 0) x.im = 0, y.im = 0;
  value even = x + y, odd = outer_twiddle(a, k) * (x - y);
  odd = {-odd.im, odd.re};
  out[k * a.out_stride] = narrow(even + odd);
  if (k && 2 * k != N) out[(N - k) * a.out_stride] = narrow(conj(even - odd));
#else                              // from n / 2 + 1 complexes to n, by symmetry
  value x = widen(in[k * a.in_stride]);
  if (k == 0) x.im = 0;
  out[k * a.out_stride] = narrow(x);
  if (k) out[(N - k) * a.out_stride] = narrow(conj(x));
#endif
}

}  // namespace mfft
