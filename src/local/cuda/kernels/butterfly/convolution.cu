// convolution.cu: the convolution of lines by DFTs: load, merge, multiply by a spectrum, merge back, store.  The spectrum is
// that of the chirp of Bluestein's algorithm (planner/bluestein.h), or with PASS_CONVOLVED an array with the strides of the
// data, its conjugates, or the filter of a plan.  If a block has a whole convolution by the chirp, of N >= 2 n - 1 elements,
// it loads n elements times the chirp, pads them with zeros, and stores n elements times the chirp; of
// real lines it loads or stores numbers or half spectra (real_pair.cuh).  Otherwise this kernel
// is both the last pass of the forward transform and the first pass of the inverse one, and multiplies its results by the
// inter-pass twiddle of the next pass.
//
// The chain of the inverse transform has the radices in the opposite order, so that its first merge reads the registers that
// the last merge of the forward transform has left in the same thread, without an exchange.
//
//   block      convolves LINES lines of N elements; the threads, registers and barriers are those of pass.cu
//   shared     [PASS_EXCHANGE_BYTES] the exchange area of both chains; then, with PASS_OUTER, [R][LINES] the factors of
//              the inter-pass twiddle, R being the radix of the last merge of the inverse transform
#include "merge.cuh"
#include "real_pair.cuh"

namespace mfft {

constexpr int LAST = MERGES - 1;

struct forward_shape : pass_shape {
  static constexpr int MAP_OUT = pass_shape::MAP_MID;
};
struct inverse_shape : pass_shape {
  static constexpr int MAP_IN = pass_shape::MAP_MID, SIGN = -pass_shape::SIGN;
  static constexpr bool UPPER_IS_ZERO = false;
  __host__ __device__ static constexpr int radix(int i) { return mfft::radix(LAST - i); }
};
typedef chain<forward_shape> forward;
typedef chain<inverse_shape> inverse;
constexpr int VALUES = forward::most_values();

__device__ __forceinline__ void load_tile(const mfft_pass_args &a, value *v, const tile &t, line_number first_line) {
  constexpr int R = forward::radix(0);
  const own_line<false, forward, 0> at(a, first_line);
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
  if (!at.live) return;
  forward::each<0>(t, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = load<N / R>(a, at.p, j, q);
  });
}

#if PASS_MEETS_OUT
// Stores half spectra, for which elements k and n - k meet in the exchange area.
__device__ __forceinline__ void store_half_spectra(const mfft_pass_args &a, const value *v, const tile &t,
                                                   const line_start &p, bool live) {
  constexpr int R = inverse::radix(LAST);
  static_assert(MERGES > 1, "the chain has an exchange area");
  const int n = (int)a.bluestein.n;
  inverse::barrier();  // all threads have read the last exchange
  inverse::each<LAST>(t, [&](int b, int line, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) {
      const int k = j + q * (N / R);
      if (!is_beyond_axis<N / R>(q) && k < n) t.whole[inverse::slot(line, k)] = v[b * R + q] * table(a.bluestein.chirp, k);
    }
  });
  inverse::barrier();
  if (live) store_halves_of_line<inverse, LAST, (N + 1) / 2>(a, t, p, n);
}
#endif

__device__ __forceinline__ void store_tile(const mfft_pass_args &a, value *v, const tile &t, const value *steps,
                                           line_number first_line) {
  constexpr int R = inverse::radix(LAST);
  const own_line<true, inverse, LAST> at(a, first_line);
#if PASS_OUTER
  twiddle_butterflies<inverse>(
      v, t, [&](int, int j) { return outer_twiddle(a, (u32)j * at.p.outer); },
      [&](int line, int q) { return steps[q * LINES + line]; });
#endif
  scale<VALUES>(a, v);
#if PASS_MEETS_OUT
  store_half_spectra(a, v, t, at.p, at.live);
#else
  if (!at.live) return;
  inverse::each<LAST>(t, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) store<N / R>(a, at.p, j, q, v[b * R + q]);
  });
#endif
}

__device__ __forceinline__ void multiply_by_spectrum(const mfft_pass_args &a, value *v, const tile &t,
                                                     line_number first_line) {
  constexpr int R = forward::radix(LAST);
  const own_line<false, forward, LAST> at(a, first_line);
  if (PASS_CONVOLVED == CONVOLVED_BY_FILTER && !at.live) return;
  forward::each<LAST>(t, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) {
#if PASS_CONVOLVED == CONVOLVED_BY_ARRAY || PASS_CONVOLVED == CONVOLVED_BY_CONJUGATE
      const stored *const factor = (const stored *)a.filter.tables + at.p.offset + (j + q * (N / R)) * a.in_stride;
      const value w = widen(from_memory(factor));
      v[b * R + q] = v[b * R + q] * (PASS_CONVOLVED == CONVOLVED_BY_CONJUGATE ? conj(w) : w);
#elif PASS_CONVOLVED == CONVOLVED_BY_FILTER
      v[b * R + q] = filtered(a, at.p.filter, j + q * (N / R), v[b * R + q]);
#else
      v[b * R + q] = v[b * R + q] * table(a.bluestein.spectrum, (int)axis_index(a, at.p, j + q * (N / R)));
#endif
    }
  });
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];
  const tile t = {(value *)shared, (real *)shared, false};
  value *steps = (value *)(shared + PASS_EXCHANGE_BYTES);  // twiddle steps
  const line_number first_line = (line_number)blockIdx.x * LINES;
  value v[VALUES];
  release_next();
  wait_for_previous();
  load_tile(a, v, t, first_line);
#if PASS_OUTER
  constexpr int R = inverse::radix(LAST);
  fill_twiddles<R, N / R, LINES>(a, steps, [&](int row) {
    return first_line + row < (line_number)a.lines ? find_line<true>(a, first_line + row).outer : 0;
  });
  __syncthreads();
#endif
  merge_all<forward>(a.merge_table, v, t);
  multiply_by_spectrum(a, v, t, first_line);
  forward::barrier();  // all threads have read the last exchange
  merge_all<inverse>(a.second_table, v, t);
  store_tile(a, v, t, steps, first_line);
}

}  // namespace mfft
