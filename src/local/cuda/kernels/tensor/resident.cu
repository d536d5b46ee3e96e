// resident.cu: one pass of 16-bit numbers on tensor cores, over tiles that stay in one place of shared memory.
//
// A tile is some lines, or whole planes, of a block or of a cluster of blocks.  It comes straight from device memory, the
// next one meanwhile (arrive.cuh), is merged where it lies (places.cuh), and leaves with the last merge, which also reads
// what the other blocks hold of its rows.  A thread holds one round of columns at a time, so that several blocks share a
// multiprocessor.
#include "fragment.cuh"
#include "inter_pass.cuh"
#include "tile_load.cuh"
#include "warp_transpose.cuh"

namespace mfft {

// The rows of a lane, for the columns of a round.
template <int I>
__device__ __forceinline__ void get(const block &on, u32 base, u32 round, quad (&x)[2][2]) {
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    const char *at = unit_at<I>(on, base, round, i);
    if constexpr (I == LAST && BLOCK_BITS > 0) {
      const u32 rank = (on.t() + 4 * i) >> (4 - BLOCK_BITS);
      const uint2 low = load_from_block(at, rank), high = load_from_block(at + 8, rank);
      hold(x, i, {{low.x, low.y, high.x, high.y}});
    } else {
      hold(x, i, read_quad(at));
    }
  }
}

// Twiddles after merge I, with its share of the scale: a table for each merge that has them (tensor_tables.c).  The four
// columns of a unit have one p, but in the first merge of contiguous lines (SPREAD): that table has every fourth p, and
// behind all tables lie the roots that lead from one p to the next, and from the first round to each.
__host__ __device__ constexpr int root_step_bits(int merge) { return spreads(merge) ? 2 : 0; }
__host__ __device__ constexpr u32 root_rows(int merge) {  // 16 roots each, 4 lanes' worth
  return ends_axis(merge) ? 0 : 1u << (axis_bits(axis_of(merge)) - 4 - before_bits(merge) - root_step_bits(merge));
}
__host__ __device__ constexpr u32 rows_before(int merge) {
  u32 rows = 0;
  for (int m = 0; m < merge; m++) rows += root_rows(m);
  return rows;
}
constexpr u32 ROUND_ROOTS = 2 * ROUNDS < N / 16 ? 2 * ROUNDS : N / 16;
__host__ __device__ constexpr bool rounds_have_roots() {
  for (int j = THREAD_BITS; j < THREAD_BITS + ROUND_BITS; j++)
    if (merge_map<0>::PART[FIRST].of[j] % (N / 16 / ROUND_ROOTS)) return false;
  return true;
}
static_assert(!spreads(0) || rounds_have_roots(), "roots lead from the first round to each");
template <int I>
struct twiddles {
  static constexpr u32 ROWS = root_rows(I);
  value w[4], next[4], first[4];  // [b]

  static __device__ __forceinline__ u32 row_of(u32 part) { return part >> (before_bits(I) + root_step_bits(I)); }
  static __device__ __forceinline__ const float4 *begin(const block &on, u32 rows, u32 part) {
    return (const float4 *)on.a.merge_table + 8 * rows + 4 * row_of(part) + on.t();
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
  __device__ __forceinline__ void load_first(const block &on, const float4 *own) {
    read(own, ROWS, first);
    read(begin(on, rows_before(LAST), 0), 1, next);
  }
  __device__ __forceinline__ void turn_from_first(const block &on, u32 part) {  // `part` of a round
    read(begin(on, rows_before(LAST) + 1, 0) + 4 * (part * ROUND_ROOTS / (N / 16)), ROUND_ROOTS, w);
#pragma unroll
    for (u32 b = 0; b < 4; b++) w[b] = part ? w[b] * first[b] : first[b];
  }
};

__device__ __forceinline__ u32 rounded(value v) { return pack_half(v.re, v.im); }

// Of tensor_tables.c: radix 16, or the smaller one that ends an axis.
__host__ __device__ constexpr int matrix_of(int merge) {
  return radix_of(merge) == 16 ? 0 : axis_of(merge) == FIRST ? 2 : 3;
}

// A merge but the last: every round back to its places.
template <int I>
__device__ __forceinline__ void merge(const block &on) {
  constexpr bool SPREAD = spreads(I), NONE = ends_axis(I);
  constexpr int AXIS = axis_of(I);
  matrix mine;
  mine.load(on.a.matrices, matrix_of(I));
  const u32 own = on.column(), base = place_of<I>(own) ^ lane_place<I>(on.t());
  const float4 *const table = twiddles<I>::begin(on, rows_before(I), part_of<I, AXIS>(own));
  twiddles<I> root;
  if constexpr (SPREAD) root.load_first(on, table);
  u32 inverse[2][2] = {};  // [h][e] of the peaks, where the four of a unit are of four lines
  if (LEVELLED && I == 0 && PASS_MAP_IN == BY_LINE)
#pragma unroll
    for (u32 c = 0; c < 4; c++) inverse[c / 2][c % 2] = inverse_of(on.peaks[part_of<I, LINE>(own) + c]);
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    quad x[2][2];  // [h][half of the rows]
    if constexpr (PIPED && I == 0) await_half(round);
    if constexpr (SPREAD)
      root.turn_from_first(on, part_of<I, AXIS>(round << THREAD_BITS));
    else if constexpr (!NONE)
      root.load(table, part_of<I, AXIS>(round << THREAD_BITS));
    if constexpr (AHEAD && I == 0)
      take(on, base, round, x);
    else
      get<I>(on, base, round, x);
    if constexpr (LEVELLED && I == 0) {
      const u32 whole =
          PASS_MAP_IN == BY_LINE ? 0 : inverse_of(on.peaks[part_of<I, LINE>(own) | part_of<I, LINE>(round << THREAD_BITS)]);
#pragma unroll
      for (u32 k = 0; k < 16; k++) {
        u32 &at = x[k / 8][k / 4 % 2].x[k % 4];
        at = lowered(at, PASS_MAP_IN == BY_LINE ? inverse[k / 8][k % 2] : whole);
      }
    }
    if constexpr (TURNED && I == 0) {  // a column becomes a unit
#pragma unroll
      for (u32 h = 0; h < 2; h++) {
        __syncwarp();   // the compiler is not to begin both at once: that takes more registers than there are
        u32 out[2][4];  // [e][b]
#pragma unroll
        for (u32 b = 0; b < 4; b++) {
          value v[2];
          multiply<radix_of(I)>(v, mine, x[h][0].x, x[h][1].x, b);
          out[0][b] = rounded(v[0] * root.w[b]);
          if (SPREAD) root.w[b] = root.w[b] * root.next[b];
          out[1][b] = rounded(v[1] * root.w[b]);
          if (SPREAD && h == 0) root.w[b] = root.w[b] * root.next[b];
        }
        const u32 half = base ^ (h ? unit_place<I>(2) : 0);
#pragma unroll
        for (u32 e = 0; e < 2; e++) write_quad(unit_at<I>(on, half, round, e), out[e][0], out[e][1], out[e][2], out[e][3]);
      }
    } else {
#pragma unroll
      for (u32 b = 0; b < 4; b++) {
        value v[4];
        multiply<radix_of(I)>(v, mine, x[0][0].x, x[0][1].x, b);
        multiply<radix_of(I)>(v + 2, mine, x[1][0].x, x[1][1].x, b);
        if constexpr (!NONE) {
#pragma unroll
          for (u32 c = 0; c < 4; c++) v[c] = v[c] * root.w[b];
        }
        write_quad(unit_at<I>(on, base, round, b), rounded(v[0]), rounded(v[1]), rounded(v[2]), rounded(v[3]));
      }
    }
    if (AHEAD && I == 0 && round < ROUNDS - 1) {
      if (on.more) copy_round(on, on.next_line, round);
      end_copies();
    }
  }
}

// Of contiguous results a warp has 128 bytes of each row (places.cuh), which are far apart.  Tiles of lines that are copied
// ahead lose by it.
constexpr bool CARRIED_OUT =
    (PASS_VECTOR & 2) && (PLANES || !AHEAD) && worth_carrying(TURNED ? 128 : 4 * LINES, 128, FAR_ROWS);

// The last merge, to device memory.  Without AHEAD, the places that are read make room for the tile after this one.
__device__ __forceinline__ void finish(const block &on) {
  constexpr int I = LAST, AXIS = axis_of(I);
  constexpr u32 STEP = 1u << (axis_bits(AXIS) - 4);
  matrix mine;
  mine.load(on.a.matrices, matrix_of(I));
  const u32 own = on.column(), base = place_of<I>(own) ^ lane_place<I>(on.t());
  const u32 thread = CARRIED_OUT ? carried_thread() : on.thread, carried = on.column(thread);
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    const u32 columns = round << THREAD_BITS;
    quad x[2][2];
    get<I>(on, base, round, x);
    if (!AHEAD && on.more) {
      __syncthreads();
      load(on, on.next_line, round);
    }
    if (PIPED) end_copies();
    const u32 line_here = part_of<I, LINE>(own) | part_of<I, LINE>(columns);
    const line_number line = no_further(on, on.first_line + line_here, !TURNED);
    const long long step = TURNED ? 1 : on.a.out_stride, far = PLANES ? on.a.out_stride : step,
                    hop = next_row(radix_of(I)) * STEP * far;
    const u32 row = lane_row(radix_of(I)) * STEP, k = part_of<I, FIRST>(own) | part_of<I, FIRST>(columns);
    const line_number stored = on.first_line + (part_of<I, LINE>(carried) | part_of<I, LINE>(columns));
    u32 *to = (u32 *)on.a.out + find_line<true>(on.a, no_further(on, stored, !TURNED)).offset;
    to += part_of<I, FIRST>(carried) * step + (part_of<I, SECOND>(carried) + row * (thread & 3)) * far;
    to += part_of<I, FIRST>(columns) * step + part_of<I, SECOND>(columns) * far;
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      value v[4];
      multiply<radix_of(I)>(v, mine, x[0][0].x, x[0][1].x, b);
      multiply<radix_of(I)>(v + 2, mine, x[1][0].x, x[1][1].x, b);
      twiddle_neighbours<PASS_MAP_OUT, 4>(on.a, v, line, k + row * on.t() + b * next_row(radix_of(I)) * STEP);
      scale<4>(on.a, v);
      u32 out[4];
#pragma unroll
      for (u32 c = 0; c < 4; c++)
        out[c] = LEVELLED ? raised(v[c].re, v[c].im, on.peaks[line_here + (TURNED ? 0 : c)]) : rounded(v[c]);
#pragma unroll
      for (u32 c = 0; c < 4 && CARRIED_OUT; c++) out[c] = __shfl_sync(~0u, out[c], thread & 31);
      store_unit<(PASS_VECTOR & 2) != 0>(to + b * hop, out[0], out[1], out[2], out[3]);
    }
  }
}

template <int I>
__device__ __forceinline__ void merge_all(const block &on) {
  if constexpr (I < LAST) {
    merge<I>(on);
    if constexpr (I + 1 < LAST || BLOCK_BITS == 0) __syncthreads();
    merge_all<I + 1>(on);
  }
}

// Barrier of all blocks that hold the tile.
__device__ __forceinline__ void meet() {
  if constexpr (BLOCK_BITS > 0)
    cluster_arrive(true), cluster_wait();
  else
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // the block's share of a tile; with AHEAD, of all rounds but one
                                                           // of the next; [2][PEAKS] of bfloat16
  constexpr u32 AHEAD_BYTES = AHEAD ? PASS_EXCHANGE_BYTES / ROUNDS * (ROUNDS - 1) : 0;
  u32 *const peaks = (u32 *)(shared + PASS_EXCHANGE_BYTES + AHEAD_BYTES);
  block on = {
      a, (char *)shared, peaks, blockIdx.x % PASS_CLUSTER, threadIdx.x, (line_number)(blockIdx.x / PASS_CLUSTER) * LINES};
  release_next();
  wait_for_previous();
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    if (AHEAD)
      copy_round(on, on.first_line, round), end_copies();
    else
      load(on, on.first_line, round);
    if (PIPED) end_copies();
  }
  if constexpr (LEVELLED) {
    for (u32 i = on.thread; i < 2 * PEAKS; i += BLOCK) peaks[i] = 0;
    __syncthreads();
  }
  for (u32 turn = 0;; turn ^= 1) {
    // Where blocks share a multiprocessor, addresses are made again for each tile: there is no room to keep them.
    if (PASS_MIN_BLOCKS > 1 && !AHEAD) on.thread = again(on.thread);
    on.next_line = on.first_line + (line_number)(gridDim.x / PASS_CLUSTER) * LINES;
    on.more = on.next_line < (line_number)a.lines;
    if (!AHEAD && !PIPED) await_copies();
    if constexpr (LEVELLED) {
      on.peaks = peaks + (BLOCK_BITS > 0 ? 0 : turn * PEAKS);
      find_peaks(on);
      if constexpr (BLOCK_BITS > 0) join_peaks(on);
    }
    if (LEVELLED || (!AHEAD && !PIPED)) __syncthreads();
    if constexpr (LEVELLED && BLOCK_BITS == 0)
      for (u32 i = on.thread; i < PEAKS; i += BLOCK) peaks[(turn ^ 1) * PEAKS + i] = 0;  // barriers follow
    merge_all<0>(on);
    if constexpr (BLOCK_BITS > 0) meet();
    if constexpr (LEVELLED && BLOCK_BITS > 0)
      for (u32 i = on.thread; i < PEAKS; i += BLOCK) peaks[i] = 0;  // all have joined theirs; a barrier follows
    finish(on);
    if (BLOCK_BITS > 0 || (AHEAD && on.more)) meet();  // nobody leaves, or writes, where others read
    if (!on.more) break;
    on.first_line = on.next_line;
    if (AHEAD) copy_round(on, on.first_line, ROUNDS - 1), end_copies();
  }
}

}  // namespace mfft
