// cluster.cu: one pass of two line transforms, with an exchange among the blocks of a cluster between them.
//
// A transform is a matrix of M lines of N elements, M the length of the second chain.  Its lines are transformed; then
// element k of all lines is a line of M elements, which is transformed in turn.  Of C blocks, block r holds lines r M/C and
// on before the exchange, and lines r N/C and on after it: every value is stored straight into the shared memory of the
// block that wants it.  One long line is such a matrix with a twiddle between (four steps), the two axes of a plane are one
// without. TOGETHER neighbouring transforms lie side by side in a tile: line l of it belongs to transform l % TOGETHER.
#include "merge.cuh"

namespace mfft {

struct second_shape {
  static constexpr int N = PASS_SECOND_N, MERGES = PASS_SECOND_MERGES, LINES = PASS_SECOND_LINES;
  static constexpr int THREADS = PASS_SECOND_THREADS, SIGN = PASS_SIGN;
  static constexpr int MAP_IN = BY_LINE, MAP_MID = BY_LINE, MAP_OUT = BY_LINE;
  static constexpr bool LINE_INNER = PASS_TOGETHER >= 16;  // else neighbouring threads write along a line in the exchange
  static constexpr bool STAGED_IN = true, STAGED_OUT = false, SPLIT = false;
  __host__ __device__ static constexpr int radix(int i) {
    constexpr int list[] = {PASS_SECOND_R0, PASS_SECOND_R1, PASS_SECOND_R2, PASS_SECOND_R3,
                            PASS_SECOND_R4, PASS_SECOND_R5, PASS_SECOND_R6, PASS_SECOND_R7};  // [MERGES] count
    return list[i];
  }
};
typedef chain<pass_shape> first;
typedef chain<second_shape> second;

constexpr int C = PASS_CLUSTER, TOGETHER = PASS_TOGETHER;
constexpr int BEFORE = second::N / C, AFTER = first::N / C;  // lines of a transform that a block holds
static_assert(second::N % C == 0 && first::N % C == 0, "blocks share lines evenly");
static_assert(first::LINES == BEFORE * TOGETHER && second::LINES == AFTER * TOGETHER, "tiles of whole shares");
static_assert(second::LINES * second::THREADS == BLOCK, "the same threads before and after");
constexpr int VALUES = first::most_values() > second::most_values() ? first::most_values() : second::most_values();

constexpr int LAST = first::radix(MERGES - 1);

// A cluster of one block needs no more than the block's own barrier.
__device__ __forceinline__ void arrive(bool stores) {
  if constexpr (C > 1) cluster_arrive(stores);
}
__device__ __forceinline__ void wait() {
  if constexpr (C > 1)
    cluster_wait();
  else
    __syncthreads();
}

// What a block holds in shared memory.  The tables are here because a cluster has better use for the L1 cache.
struct memory {
  static constexpr int ROOTS = first::table_offset(MERGES - 1), SECOND_ROOTS = second::table_offset(second::MERGES - 1);
  static constexpr int STEPS = PASS_OUTER ? LAST * LINES : 0, BASES = PASS_OUTER ? N / LAST * LINES : 0;
  value *whole;          // [PASS_EXCHANGE_BYTES]
  value *roots;          // [ROOTS] of the first chain
  value *second_roots;   // [SECOND_ROOTS]
  value *steps, *bases;  // [LAST][LINES], [N / LAST][LINES] twiddles between the chains
  __device__ __forceinline__ explicit memory(unsigned char *base) {
    whole = (value *)base;
    roots = (value *)(base + PASS_EXCHANGE_BYTES);
    second_roots = roots + ROOTS;
    steps = second_roots + SECOND_ROOTS;
    bases = steps + STEPS;
  }
};

// Distances of elements in memory, where they can be compiled in.
__device__ __forceinline__ long long in_stride(const mfft_pass_args &a) {
  return PASS_IN_STRIDE ? PASS_IN_STRIDE : a.in_stride;
}
__device__ __forceinline__ long long out_stride(const mfft_pass_args &a) {
  return PASS_OUT_STRIDE ? PASS_OUT_STRIDE : a.out_stride;
}

// Fills v with the elements of the first merge.
__device__ __forceinline__ void begin(const mfft_pass_args &a, value *v, line_number group, int rank) {
  constexpr int R = first::radix(0);
  int line = first::line_of_thread<PASS_MAP_IN>();
  line_number transform = group + line % TOGETHER;
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
  if (transform >= (line_number)a.lines) return;
  long long offset = find_line<false>(a, transform).offset + (rank * BEFORE + line / TOGETHER) * a.line_in;
  first::each<0>({}, [&](int b, int, int j) {
    const stored *from = (const stored *)a.in + offset + j * in_stride(a);
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = widen(from[q * (N / R) * in_stride(a)]);
  });
}

__device__ __forceinline__ void fill_tables(const mfft_pass_args &a, const memory &m, int rank) {
#pragma unroll 1
  for (int i = threadIdx.x; i < memory::ROOTS; i += BLOCK) m.roots[i] = table(a.merge_table, i);
#pragma unroll 1
  for (int i = threadIdx.x; i < memory::SECOND_ROOTS; i += BLOCK) m.second_roots[i] = table(a.second_table, i);
#if PASS_OUTER
  auto outer = [&](int line) { return (u32)(rank * BEFORE + line / TOGETHER); };
  fill_turns<first>(a, m.steps, LAST, N / LAST, outer);
  fill_turns<first>(a, m.bases, N / LAST, 1, outer);
#endif
}

// Element k of a line goes to line k of the second chain, which block k / AFTER holds.
__device__ __forceinline__ void exchange(const value *v, const memory &m, int rank) {
  constexpr int R = LAST, MAP = first::map_of(MERGES - 1), STEP = N / R;
  static_assert(STEP % AFTER == 0 || AFTER % STEP == 0, "outputs of a butterfly lie in blocks of their own, or in one");
  int line = first::line_of_thread<MAP>(), pos = rank * BEFORE + line / TOGETHER;
  first::each<MERGES - 1>({}, [&](int b, int, int j) {
    int block = STEP <= AFTER ? 0 : j / AFTER, share = STEP <= AFTER ? j : j % AFTER;
#pragma unroll
    for (int q = 0; q < R; q++) {
      value *to = m.whole + second::slot((share + q * STEP % AFTER) * TOGETHER + line % TOGETHER, pos);
      if constexpr (C > 1)
        store_in_block(to, block + q * STEP / AFTER, v[b * R + q].re, v[b * R + q].im);
      else
        *to = v[b * R + q];
    }
  });
}

__device__ __forceinline__ void take(value *v, const value *whole) {
  constexpr int R = second::radix(0);
  int line = second::line_of_thread<BY_LINE>();
  second::each<0>({}, [&](int b, int, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = whole[slot_read<second, R>(line, j, q)];
  });
}

__device__ __forceinline__ void finish(const mfft_pass_args &a, value *v, line_number group, int rank) {
  constexpr int R = second::radix(second::MERGES - 1);
  int line = second::line_of_thread<BY_LINE>();
  line_number transform = group + line % TOGETHER;
#if PASS_SCALED
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i].re *= (real)a.scale, v[i].im *= (real)a.scale;
#endif
  if (transform >= (line_number)a.lines) return;
  long long offset = find_line<true>(a, transform).offset + (rank * AFTER + line / TOGETHER) * a.line_out;
  second::each<second::MERGES - 1>({}, [&](int b, int, int j) {
    stored *to = (stored *)a.out + offset + j * out_stride(a);
#pragma unroll
    for (int q = 0; q < R; q++) to[q * (second::N / R) * out_stride(a)] = narrow(v[b * R + q]);
  });
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];
  const memory m(shared);
  const tile t = {m.whole, (real *)m.whole, false};
  int rank = blockIdx.x % C;
  line_number group = (line_number)(blockIdx.x / C) * TOGETHER;
  value v[VALUES];
  release_next();
  wait_for_previous();
  begin(a, v, group, rank);
  fill_tables(a, m, rank);
  __syncthreads();
  merge_all<first>(m.roots, v, t, [] { arrive(false); });  // other blocks may write here, once all have come this far
#if PASS_OUTER
  turn_out<first>(v, t, m.steps, [&](int line, int j) { return m.bases[j * LINES + line]; });
#endif
  wait();
  exchange(v, m, rank);
  arrive(true);
  wait();
  take(v, m.whole);
  merge_all<second>(m.second_roots, v, t);
  finish(a, v, group, rank);
}

}  // namespace mfft
