// pair.cuh: two chains of merges in one kernel: a matrix of M lines of N elements is transformed along its lines, and then
// along its columns, the elements k of all lines.  A long line is such a matrix with twiddles between the two chains
// (Bailey's four-step method), a plane of two axes is one without twiddles.  Neighbouring long lines are interleaved
// matrices, COLUMNS of them in a block, with their elements neighbours in shared memory as they are in device memory.
#pragma once

#include "merge.cuh"
#include "packing.cuh"

namespace mfft {

// Of columns of cosines one chain, the first of types III and the second of types II, has lines together with their mirror
// lines (line_pair.cuh).
struct first_options : pass_shape {
  static constexpr bool HALF_IN = false, HALF_OUT = false;  // cluster.cu unpacks half spectra as it loads them
  static constexpr bool MIRROR = COSINES_IN, PAIRED_IN = COSINES_IN, PAIRED_OUT = false, SELECTS = true;
};
struct second_options {  // options of the second chain, as pass_shape for the first
  static constexpr int N = PASS_SECOND_N, MERGES = PASS_SECOND_MERGES, LINES = PASS_SECOND_LINES;
  static constexpr int THREADS = PASS_SECOND_THREADS, SIGN = PASS_SIGN, GAP = 16;
  static constexpr int MAP_IN = BY_LINE, MAP_MID = BY_LINE, MAP_OUT = BY_LINE;
  static constexpr bool LINE_INNER = true, STAGED_IN = false, STAGED_OUT = false, OWN_ROWS = false;
  static constexpr bool HALF_IN = false, HALF_OUT = false, OPPOSITE_IN = false, OPPOSITE_OUT = false, UPPER_IS_ZERO = false;
  static constexpr bool MIRROR = COSINES_OUT, PAIRED_IN = false, PAIRED_OUT = COSINES_OUT, SELECTS = true;
  __host__ __device__ static constexpr int radix(int i) {
    constexpr int list[] = {PASS_SECOND_R0, PASS_SECOND_R1, PASS_SECOND_R2, PASS_SECOND_R3,
                            PASS_SECOND_R4, PASS_SECOND_R5, PASS_SECOND_R6, PASS_SECOND_R7};  // [MERGES] count
    return list[i];
  }
};
typedef packed_chain<first_options> first;
constexpr int LAST = first::radix(MERGES - 1);
static_assert(PASS_SECOND_LINES * PASS_SECOND_THREADS == BLOCK, "both chains use all threads of the block");
constexpr int COLUMNS = PASS_COLUMNS;        // matrices of a block
constexpr int ROWS = first::ROWS / COLUMNS;  // lines of each matrix in the first chain

// Strides of elements in memory; constants if they are compiled in.
__device__ __forceinline__ long long in_stride(const mfft_pass_args &a) {
  return PASS_IN_STRIDE ? PASS_IN_STRIDE : a.in_stride;
}
__device__ __forceinline__ long long out_stride(const mfft_pass_args &a) {
  return PASS_OUT_STRIDE ? PASS_OUT_STRIDE : a.out_stride;
}

// Copies between lines in memory and the values of merge I of chain C; from, to: first elements of the lines.
template <class C>
__device__ __forceinline__ void load_lines(value *v, const stored *from, long long stride) {
  constexpr int R = C::radix(0);
  C::template each<0>({}, [&](int b, int, int j) {
    const stored *at = from + j * stride;
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = widen(from_memory(at + q * (C::N / R) * stride));
  });
}
// Packed reals need not be aligned as complexes are.
__device__ __forceinline__ void store_value(stored *to, value v) {
#if PASS_STORE == FORM_REAL_PAIR
  if (!ALIGNED_OUT) {
    stored_real *reals = (stored_real *)to;
    to_memory(reals, narrow_real(v.re));
    to_memory(reals + 1, narrow_real(v.im));
    return;
  }
#endif
  to_memory(to, narrow(v));
}
template <class C>
__device__ __forceinline__ void store_lines(const value *v, stored *to, long long stride) {
  constexpr int R = C::radix(C::MERGES - 1);
  C::template each<C::MERGES - 1>({}, [&](int b, int, int j) {
    stored *at = to + j * stride;
#pragma unroll
    for (int q = 0; q < R; q++) store_value(at + q * (C::N / R) * stride, v[b * R + q]);
  });
}

// Tables in shared memory, after the exchange area.
struct shared_tables {
  static constexpr int TWIDDLES = first::table_offset(MERGES - 1);
  static constexpr int SECOND_TWIDDLES = chain<second_options>::table_offset(second_options::MERGES - 1);
  static constexpr int SECOND_LAST = second_options::radix(second_options::MERGES - 1);
  value *twiddles;         // [TWIDDLES] of the first chain
  value *second_twiddles;  // [SECOND_TWIDDLES] of the second chain
  value *steps, *bases;    // [LAST][ROWS], [N / LAST][ROWS] twiddles between the chains
  value *ends;             // [SECOND_LAST][COLUMNS] twiddles after the second chain, if further passes follow
  value *free;             // end of the tables
  __device__ __forceinline__ explicit shared_tables(unsigned char *shared) {
    twiddles = (value *)(shared + PASS_EXCHANGE_BYTES);
    second_twiddles = twiddles + TWIDDLES;
    steps = second_twiddles + SECOND_TWIDDLES;
    bases = steps + (PASS_BETWEEN ? LAST * ROWS : 0);
    ends = bases + (PASS_BETWEEN ? N / LAST * ROWS : 0);
    free = ends + (PASS_OUTER ? SECOND_LAST * COLUMNS : 0);
  }
  template <class F>  // outer_of_row(row): index of a row in the matrix
  __device__ __forceinline__ void fill_first(const mfft_pass_args &a, F outer_of_row) const {
    load_twiddles<TWIDDLES>(a.merge_table, twiddles);
#if PASS_BETWEEN
    fill_twiddles<LAST, N / LAST, ROWS>(a, steps, outer_of_row);
    fill_twiddles<N / LAST, 1, ROWS>(a, bases, outer_of_row);
#endif
  }
  __device__ __forceinline__ void fill_second(const mfft_pass_args &a) const {
    load_twiddles<SECOND_TWIDDLES>(a.second_table, second_twiddles);
  }
  __device__ __forceinline__ void twiddle_between_chains(value *v, const tile &t) const {
#if PASS_BETWEEN
    twiddle_butterflies<first>(
        v, t,
        [&](int line, int j) {
          if constexpr (N == LAST)
            return one{};
          else
            return bases[j * ROWS + line / COLUMNS];
        },
        [&](int line, int q) { return steps[q * ROWS + line / COLUMNS]; });
#endif
  }

 private:
  template <int COUNT>
  __device__ __forceinline__ static void load_twiddles(const void *from, value *to) {
#pragma unroll
    for (int k = 0; k < ceil_div(COUNT, BLOCK); k++) {
      int i = threadIdx.x + k * BLOCK;
      if (COUNT % BLOCK == 0 || i < COUNT) to[i] = table(from, i);
    }
  }
};

}  // namespace mfft
