// rader.cu: lines of a prime number of elements by Rader's algorithm (planner/rader.h): load, merge, multiply by a spectrum,
// merge, store.
//
// A line has N + 1 elements.  The N from 1 on are taken in the order of the powers of a generator, g^0, g^1 ..., in which
// their DFT is a circular convolution.  Its two transforms have the same sign, so that results come out in the order in
// which elements went in.  The second chain has the radices in the opposite order: its first merge reads the registers that
// the last merge of the first one has left in the same thread, and the results of a thread have the indices of the elements
// that it took.  Element 0 of the spectrum is the sum of the N elements; with element 0 of the line, it is result 0.
// Element 0 of the line is part of all other results too, so it is added to element 0 of the product.
//
//   block      transforms LINES lines
//   thread     is one of THREADS threads of a line in both chains, by the map PASS_MAP_MID.  The first of them has elements
//              0 of line and spectrum
//   shared     [PASS_EXCHANGE_BYTES] the exchange area of both chains, and [LINES][N + 1] the staged copies of lines in
//              their natural order, one after the other in time.  With neighbouring lines in neighbouring threads no two of
//              them access a bank at once, whatever the order of elements, since N + 1 is odd.
//              Half spectra of real lines pass through it (real_pair.cuh)
#include "merge.cuh"
#include "real_pair.cuh"

namespace mfft {

constexpr int LAST = MERGES - 1, ELEMENTS = N + 1;

struct first_shape : pass_shape {
  static constexpr int MAP_IN = pass_shape::MAP_MID, MAP_OUT = pass_shape::MAP_MID;
  static constexpr bool LINE_INNER = pass_shape::MAP_MID == BY_LINE, STAGED_IN = false, STAGED_OUT = false;
};
struct second_shape : first_shape {
  __host__ __device__ static constexpr int radix(int i) { return mfft::radix(LAST - i); }
};
typedef chain<first_shape> first;
typedef chain<second_shape> second;
constexpr int VALUES = first::most_values();

// Whether the thread has the elements 0 of its line.
__device__ __forceinline__ bool has_first() { return first::part_of_thread<first::map_of(0)>() == 0; }

// The row of the thread's line in the staged copy.
__device__ __forceinline__ value *staged_row(const tile &t) {
  return t.whole + first::line_of_thread<first::map_of(0)>() * ELEMENTS;
}

// Loads the elements of the first merge to v, and element 0 to `zero` of the thread that has it.
__device__ __forceinline__ void load_tile(const mfft_pass_args &a, value *v, value &zero, const tile &t,
                                          line_number first_line) {
  constexpr int R = first::radix(0);
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
#if PASS_STAGED_IN
#if PASS_MEETS_IN
  load_halves_to_rows<ELEMENTS>(a, t.whole, first_line);
#else
  copy_rows<value, false, ELEMENTS, ELEMENTS>(
      a, first_line, [&](int, int pos, const line_start &from) { return load(a, from, pos); },
      [&](int line, int pos, const line_start &, value x) { t.whole[line * ELEMENTS + pos] = x; });
#endif
  __syncthreads();
  const value *const row = staged_row(t);
  first::each<0>(t, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = row[a.bluestein.order[j + q * (N / R)]];
  });
  if (has_first()) zero = row[0];
  __syncthreads();  // the exchange area is the same memory
#else
  const own_line<false, first, 0> at(a, first_line);
  if (!at.live) return;
  first::each<0>(t, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = load(a, at.p, a.bluestein.order[j + q * (N / R)]);
  });
  if (has_first()) zero = load(a, at.p, 0);
#endif
}

__device__ __forceinline__ void store_tile(const mfft_pass_args &a, value *v, value zero, const tile &t,
                                           line_number first_line) {
  constexpr int R = second::radix(LAST);
  scale<VALUES>(a, v);
  scale<1>(a, &zero);
#if PASS_STAGED_OUT
  value *const row = staged_row(t);
  __syncthreads();  // all threads have read the last exchange
  second::each<LAST>(t, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) row[a.bluestein.order[j + q * (N / R)]] = v[b * R + q];
  });
  if (has_first()) row[0] = zero;
  __syncthreads();
#if PASS_MEETS_OUT
  store_halves_of_rows<ELEMENTS>(a, t.whole, first_line);
#else
  copy_rows<value, true, ELEMENTS, ELEMENTS>(
      a, first_line, [&](int line, int pos, const line_start &) { return t.whole[line * ELEMENTS + pos]; },
      [&](int, int pos, const line_start &from, value x) { store<1>(a, from, pos, 0, x); });
#endif
#else
  const own_line<true, second, LAST> at(a, first_line);
  if (!at.live) return;
  second::each<LAST>(t, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) store<1>(a, at.p, a.bluestein.order[j + q * (N / R)], 0, v[b * R + q]);
  });
  if (has_first()) store<1>(a, at.p, 0, 0, zero);
#endif
}

// Multiplies the transform by the spectrum of the roots, and exchanges the roles of its element 0 and of `zero`.
__device__ __forceinline__ void multiply_by_spectrum(const mfft_pass_args &a, value *v, value &zero, const tile &t) {
  constexpr int R = first::radix(LAST);
  const value sum = v[0];
  first::each<LAST>(t, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = v[b * R + q] * table(a.bluestein.spectrum, j + q * (N / R));
  });
  if (!has_first()) return;
  v[0] = v[0] + zero;
  zero = zero + sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];
  const tile t = {(value *)shared, (real *)shared, false};
  const line_number first_line = (line_number)blockIdx.x * LINES;
  value v[VALUES], zero = {0, 0};
  release_next();
  wait_for_previous();
  load_tile(a, v, zero, t, first_line);
  merge_all<first>(a.merge_table, v, t);
  multiply_by_spectrum(a, v, zero, t);
  first::barrier();  // all threads have read the last exchange
  merge_all<second>(a.second_table, v, t);
  store_tile(a, v, zero, t, first_line);
}

}  // namespace mfft
