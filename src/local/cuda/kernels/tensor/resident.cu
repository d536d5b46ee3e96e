// resident.cu: one pass of 16-bit numbers on tensor cores, over tiles that stay in one area of shared memory.
//
// A tile consists of some lines, or whole planes, and belongs to a block or to a cluster of blocks.  It is copied straight
// from device memory while the preceding tile is processed (tile_load.cuh), and is merged in place (tile_layout.cuh).  The
// last merge, which also reads rows from the other blocks, stores it to device memory.
//
//   block      is persistent and processes every gridDim.x-th tile, or its share of it in a cluster
//   warp       multiplies 32 columns of 16 rows in each round, as in tensor.cu
//   thread     has the registers of one round of columns only, so that several blocks fit a multiprocessor
//   shared     [PASS_EXCHANGE_BYTES] the tile; with PREFETCH, all rounds but one of the next tile; for bfloat16
//              [2][PEAKS]
//   barriers   one after each merge, since merges write where they have read and only the next one reads rows of other
//              threads
#include "fragment.cuh"
#include "inter_pass.cuh"
#include "tile_load.cuh"
#include "warp_transpose.cuh"

namespace mfft {

// Reads the rows of a lane for the columns of a round.
template <int I>
__device__ __forceinline__ void read_tile(const thread_block &block, u32 base, u32 round, input_tile &x) {
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    const char *at = unit_at<I>(block, base, round, i);
    if constexpr (I == LAST && BLOCK_BITS > 0) {
      const u32 rank = (block.t() + 4 * i) >> (4 - BLOCK_BITS);
      const uint2 low = load_from_block(at, rank), high = load_from_block(at + 8, rank);
      x.set_row(i, {{low.x, low.y, high.x, high.y}});
    } else {
      x.set_row(i, read_unit(at));
    }
  }
}

// The twiddles after merge I, times its part of the scale: a table for each merge except the last (tensor_tables.c).  The
// four columns of a unit have the same p, except in the first merge of contiguous lines (SPREAD): its table has every fourth
// p, and after all tables are the factors from one p to the next, and from the first round to each round.
__host__ __device__ constexpr int twiddle_step_bits(int merge) { return spreads(merge) ? 2 : 0; }
__host__ __device__ constexpr u32 twiddle_rows(int merge) {  // 16 twiddles each, for 4 lanes
  return ends_axis(merge) ? 0 : 1u << (axis_bits(axis_of(merge)) - 4 - before_bits(merge) - twiddle_step_bits(merge));
}
__host__ __device__ constexpr u32 rows_before(int merge) {
  u32 rows = 0;
  for (int m = 0; m < merge; m++) rows += twiddle_rows(m);
  return rows;
}
constexpr u32 ROUND_TWIDDLES = 2 * ROUNDS < N / 16 ? 2 * ROUNDS : N / 16;
__host__ __device__ constexpr bool rounds_have_twiddles() {
  for (int j = THREAD_BITS; j < THREAD_BITS + ROUND_BITS; j++)
    if (merge_map<0>::PART[FIRST].of[j] % (N / 16 / ROUND_TWIDDLES)) return false;
  return true;
}
static_assert(!spreads(0) || rounds_have_twiddles(), "factors from the first round to each round");
template <int I>
struct twiddles {
  static constexpr u32 ROWS = twiddle_rows(I);
  value w[4], next[4], first[4];  // [b]

  static __device__ __forceinline__ u32 row_of(u32 part) { return part >> (before_bits(I) + twiddle_step_bits(I)); }
  static __device__ __forceinline__ const float4 *begin(const thread_block &block, u32 rows, u32 part) {
    return (const float4 *)block.a.merge_table + 8 * rows + 4 * row_of(part) + block.t();
  }
  static __device__ __forceinline__ void read(const float4 *from, u32 rows, value (&to)[4]) {
#pragma unroll
    for (u32 k = 0; k < 2; k++) {
      float4 v = from[4 * rows * k];
      to[2 * k] = {v.x, v.y};
      to[2 * k + 1] = {v.z, v.w};
    }
  }
  __device__ __forceinline__ void load(const float4 *own, u32 part) { read(own + 4 * row_of(part), ROWS, w); }
  __device__ __forceinline__ void load_first(const thread_block &block, const float4 *own) {
    read(own, ROWS, first);
    read(begin(block, rows_before(LAST), 0), 1, next);
  }
  __device__ __forceinline__ void load_from_first(const thread_block &block, u32 part) {  // part: column of a round
    read(begin(block, rows_before(LAST) + 1, 0) + 4 * (part * ROUND_TWIDDLES / (N / 16)), ROUND_TWIDDLES, w);
#pragma unroll
    for (u32 b = 0; b < 4; b++) w[b] = part ? w[b] * first[b] : first[b];
  }
};

// Index of the matrix in the table of tensor_tables.c: of radix 16, or of the smaller last radix of an axis.
__host__ __device__ constexpr int matrix_of(int merge) {
  return radix_of(merge) == 16 ? 0 : axis_of(merge) == FIRST ? 2 : 3;
}

// Divides a tile of the first merge by the powers of two of its lines.  inverse: used if the four columns are four lines.
__device__ __forceinline__ void normalize(const thread_block &block, u32 own, u32 round, const u32 (&inverse)[4],
                                          input_tile &x) {
  constexpr bool ACROSS = PASS_MAP_IN == BY_LINE;
  const u32 whole =
      ACROSS ? 0 : inverse_power_of(block.peaks[part_of<0, LINE>(own) | part_of<0, LINE>(round << THREAD_BITS)]);
#pragma unroll
  for (u32 k = 0; k < 16; k++) {
    u32 &at = x.a[k / 8][k / 4 % 2][k % 4];
    at = normalized(at, ACROSS ? inverse[k / 8 * 2 + k % 2] : whole);
  }
}

// Does a merge that is not the last: the results of each round are written to the addresses of its inputs.
template <int I>
__device__ __forceinline__ void merge(const thread_block &block) {
  constexpr bool SPREAD = spreads(I), NONE = ends_axis(I);
  constexpr int AXIS = axis_of(I), RADIX = radix_of(I);
  matrix m;
  m.load(block.a.matrices, matrix_of(I));
  const u32 own = block.column(), base = column_offset<I>(own) ^ lane_offset<I>(block.t());
  const float4 *const table = twiddles<I>::begin(block, rows_before(I), part_of<I, AXIS>(own));
  twiddles<I> w;
  if constexpr (SPREAD) w.load_first(block, table);
  u32 inverse[4] = {};  // inverse powers of two, if the four columns of a unit are four lines
  if (BLOCK_FLOAT && I == 0 && PASS_MAP_IN == BY_LINE)
#pragma unroll
    for (u32 c = 0; c < 4; c++) inverse[c] = inverse_power_of(block.peaks[part_of<I, LINE>(own) + c]);
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    input_tile x;
    if constexpr (PIPELINED && I == 0) await_copied_half(round);
    if constexpr (SPREAD)
      w.load_from_first(block, part_of<I, AXIS>(round << THREAD_BITS));
    else if constexpr (!NONE)
      w.load(table, part_of<I, AXIS>(round << THREAD_BITS));
    if constexpr (PREFETCH && I == 0)
      read_copied(block, base, round, x);
    else
      read_tile<I>(block, base, round, x);
    if constexpr (BLOCK_FLOAT && I == 0) normalize(block, own, round, inverse, x);
    if constexpr (TRANSPOSED && I == 0) {  // the results of a column become a unit
#pragma unroll
      for (u32 h = 0; h < 2; h++) {
        __syncwarp();     // prevents the compiler from interleaving both, which would need too many registers
        unit columns[2];  // results b
#pragma unroll
        for (u32 b = 0; b < 4; b++) {
          value v[2];
          m.multiply<RADIX>(v, x.a[h], b);
          columns[0].x[b] = rounded(v[0] * w.w[b]);
          if (SPREAD) w.w[b] = w.w[b] * w.next[b];
          columns[1].x[b] = rounded(v[1] * w.w[b]);
          if (SPREAD && h == 0) w.w[b] = w.w[b] * w.next[b];
        }
        const u32 half = base ^ (h ? unit_offset<I>(2) : 0);
#pragma unroll
        for (u32 e = 0; e < 2; e++) write_unit(unit_at<I>(block, half, round, e), columns[e]);
      }
    } else {
#pragma unroll
      for (u32 b = 0; b < 4; b++) {
        value v[4];
        multiply<RADIX>(v, m, x, b);
        if constexpr (!NONE) {
#pragma unroll
          for (u32 c = 0; c < 4; c++) v[c] = v[c] * w.w[b];
        }
        write_unit(unit_at<I>(block, base, round, b), rounded(v));
      }
    }
    if (PREFETCH && I == 0 && round < ROUNDS - 1) {
      if (block.more) copy_own_units(block, block.next_line, round);
      end_copies();
    }
  }
}

// A warp has 128 bytes of each row of contiguous results (tile_layout.cuh), and rows are far apart.  Prefetched tiles of
// lines are slower with a transposition.
constexpr bool TRANSPOSED_OUT =
    ALIGNED_OUT && (PLANES || !PREFETCH) && transpose_pays(TRANSPOSED ? 128 : 4 * LINES, 128, FAR_ROWS);

// Does the last merge and stores its results.  Without PREFETCH, the next tile is copied to addresses that have been read.
__device__ __forceinline__ void finish(const thread_block &block) {
  constexpr int I = LAST, AXIS = axis_of(I);
  constexpr u32 STEP = 1u << (axis_bits(AXIS) - 4);
  matrix m;
  m.load(block.a.matrices, matrix_of(I));
  const u32 own = block.column(), base = column_offset<I>(own) ^ lane_offset<I>(block.t());
  const u32 thread = TRANSPOSED_OUT ? transposed_thread() : block.thread, stored_column = block.column(thread);
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    const u32 columns = round << THREAD_BITS;
    input_tile x;
    read_tile<I>(block, base, round, x);
    if (!PREFETCH && block.more) {
      __syncthreads();
      copy_units(block, block.next_line, round);
    }
    if (PIPELINED) end_copies();
    const u32 line_here = part_of<I, LINE>(own) | part_of<I, LINE>(columns);
    const line_number line = existing_line(block, block.first_line + line_here, !TRANSPOSED);
    const long long step = TRANSPOSED ? 1 : block.a.out_stride, far = PLANES ? block.a.out_stride : step,
                    next = next_row(radix_of(I)) * STEP * far;
    const u32 row = lane_row(radix_of(I)) * STEP, k = part_of<I, FIRST>(own) | part_of<I, FIRST>(columns);
    const line_number stored = block.first_line + (part_of<I, LINE>(stored_column) | part_of<I, LINE>(columns));
    u32 *to = (u32 *)block.a.out + find_line<true>(block.a, existing_line(block, stored, !TRANSPOSED)).offset;
    to += part_of<I, FIRST>(stored_column) * step + (part_of<I, SECOND>(stored_column) + row * (thread & 3)) * far;
    to += part_of<I, FIRST>(columns) * step + part_of<I, SECOND>(columns) * far;
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      value v[4];
      multiply<radix_of(I)>(v, m, x, b);
      twiddle_neighbours<PASS_MAP_OUT, 4>(block.a, v, line, k + row * block.t() + b * next_row(radix_of(I)) * STEP);
      scale<4>(block.a, v);
      unit out;
#pragma unroll
      for (u32 c = 0; c < 4; c++)
        out.x[c] = BLOCK_FLOAT ? restored(v[c], block.peaks[line_here + (TRANSPOSED ? 0 : c)]) : rounded(v[c]);
#pragma unroll
      for (u32 c = 0; c < 4 && TRANSPOSED_OUT; c++) out.x[c] = __shfl_sync(~0u, out.x[c], thread & 31);
      store_unit<ALIGNED_OUT>(to + b * next, out);
    }
  }
}

template <int I>
__device__ __forceinline__ void merge_all(const thread_block &block) {
  if constexpr (I < LAST) {
    merge<I>(block);
    if constexpr (I + 1 < LAST || BLOCK_BITS == 0) __syncthreads();
    merge_all<I + 1>(block);
  }
}

// Barrier of all blocks of the tile.
__device__ __forceinline__ void tile_barrier() {
  if constexpr (BLOCK_BITS > 0)
    cluster_arrive(true), cluster_wait();
  else
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr u32 PREFETCH_BYTES = PREFETCH ? PASS_EXCHANGE_BYTES / ROUNDS * (ROUNDS - 1) : 0;
  u32 *const peaks = (u32 *)(shared + PASS_EXCHANGE_BYTES + PREFETCH_BYTES);
  thread_block block = {
      a, (char *)shared, peaks, blockIdx.x % PASS_CLUSTER, threadIdx.x, (line_number)(blockIdx.x / PASS_CLUSTER) * LINES};
  release_next();
  wait_for_previous();
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    if (PREFETCH)
      copy_own_units(block, block.first_line, round), end_copies();
    else
      copy_units(block, block.first_line, round);
    if (PIPELINED) end_copies();
  }
  if constexpr (BLOCK_FLOAT) {
    for (u32 i = block.thread; i < 2 * PEAKS; i += BLOCK) peaks[i] = 0;
    __syncthreads();
  }
  for (u32 parity = 0;; parity ^= 1) {
    // If several blocks share a multiprocessor, addresses are recomputed for each tile, since there are too few registers to
    // store them.
    if (PASS_MIN_BLOCKS > 1 && !PREFETCH) block.thread = opaque(block.thread);
    block.next_line = block.first_line + (line_number)(gridDim.x / PASS_CLUSTER) * LINES;
    block.more = block.next_line < (line_number)a.lines;
    if (!PREFETCH && !PIPELINED) await_copies();
    if constexpr (BLOCK_FLOAT) {
      block.peaks = peaks + (BLOCK_BITS > 0 ? 0 : parity * PEAKS);
      find_peaks(block);
      if constexpr (BLOCK_BITS > 0) combine_peaks(block);
    }
    if (BLOCK_FLOAT || (!PREFETCH && !PIPELINED)) __syncthreads();
    if constexpr (BLOCK_FLOAT && BLOCK_BITS == 0)
      for (u32 i = block.thread; i < PEAKS; i += BLOCK) peaks[(parity ^ 1) * PEAKS + i] = 0;  // followed by barriers
    merge_all<0>(block);
    if constexpr (BLOCK_BITS > 0) tile_barrier();
    if constexpr (BLOCK_FLOAT && BLOCK_BITS > 0)
      for (u32 i = block.thread; i < PEAKS; i += BLOCK)
        peaks[i] = 0;  // all blocks have combined the peaks; followed by a barrier
    finish(block);
    if (BLOCK_BITS > 0 || (PREFETCH && block.more)) tile_barrier();  // no block exits, or writes, while others read
    if (!block.more) break;
    block.first_line = block.next_line;
    if (PREFETCH) copy_own_units(block, block.first_line, ROUNDS - 1), end_copies();
  }
}

}  // namespace mfft
