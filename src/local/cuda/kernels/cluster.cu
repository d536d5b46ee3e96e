// cluster.cu: one pass of two line transforms, with an exchange among the blocks of a cluster between them.
//
// Of C blocks, block r holds lines r M/C and on of the matrix (see pair.cuh) before the exchange, and lines r N/C and on
// after it: every value is stored straight into the shared memory of the block that wants it.
#include "pair.cuh"

namespace mfft {

constexpr int C = PASS_CLUSTER;

struct second_shape : second_words {
  static constexpr bool LINE_INNER = false;  // neighbouring threads write along a line in the exchange
  static constexpr bool STAGED_IN = true;
};
typedef chain<second_shape> second;

constexpr int BEFORE = second::N / C, AFTER = first::N / C;  // lines of a transform that a block holds
static_assert(second::N % C == 0 && first::N % C == 0, "blocks share lines evenly");
static_assert(first::LINES == BEFORE && second::LINES == AFTER, "tiles are shares");
constexpr int VALUES = first::most_values() > second::most_values() ? first::most_values() : second::most_values();

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

// Fills v with the elements of the first merge.
__device__ __forceinline__ void begin(const mfft_pass_args &a, value *v, line_number transform, int rank) {
  int line = first::line_of_thread<PASS_MAP_IN>();
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
  long long offset = find_line<false>(a, transform).offset + (rank * BEFORE + line) * a.line_in;
  load_lines<first>(v, (const stored *)a.in + offset, in_stride(a));
}

// Element k of a line goes to line k of the second chain, which block k / AFTER holds.
__device__ __forceinline__ void exchange(const value *v, value *whole, int rank) {
  constexpr int R = LAST, MAP = first::map_of(MERGES - 1), STEP = N / R;
  static_assert(STEP % AFTER == 0 || AFTER % STEP == 0, "outputs of a butterfly lie in blocks of their own, or in one");
  int line = first::line_of_thread<MAP>(), pos = rank * BEFORE + line;
  first::each<MERGES - 1>({}, [&](int b, int, int j) {
    int block = STEP <= AFTER ? 0 : j / AFTER, share = STEP <= AFTER ? j : j % AFTER;
#pragma unroll
    for (int q = 0; q < R; q++) {
      value *to = whole + second::slot(share + q * STEP % AFTER, pos);
      if constexpr (C > 1)
        store_in_block(to, block + q * STEP / AFTER, v[b * R + q].re, v[b * R + q].im);
      else
        *to = v[b * R + q];
    }
  });
}

__device__ __forceinline__ void take(value *v, const value *whole) {
  constexpr int R = second::radix(0);
  second::each<0>({}, [&](int b, int line, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = whole[slot_read<second, R>(line, j, q)];
  });
}

__device__ __forceinline__ void finish(const mfft_pass_args &a, value *v, line_number transform, int rank) {
  int line = second::line_of_thread<BY_LINE>();
  scale(a, v, VALUES);
  long long offset = find_line<true>(a, transform).offset + (rank * AFTER + line) * a.line_out;
  store_lines<second>(v, (stored *)a.out + offset, out_stride(a));
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // [exchange area][tables]
  const tables fixed(shared);
  const tile t = {(value *)shared, (real *)shared, false};
  int rank = blockIdx.x % C;
  line_number transform = blockIdx.x / C;
  value v[VALUES];
  release_next();
  wait_for_previous();
  begin(a, v, transform, rank);
  fixed.fill_first(a, [&](int line) { return (u32)(rank * BEFORE + line); });
  fixed.fill_second(a);
  __syncthreads();
  merge_all<first>(fixed.roots, v, t, [] { arrive(false); });  // others may write here once all have come this far
  fixed.turn(v, t);
  wait();
  exchange(v, t.whole, rank);
  arrive(true);
  wait();
  take(v, t.whole);
  merge_all<second>(fixed.second_roots, v, t);
  finish(a, v, transform, rank);
}

}  // namespace mfft
