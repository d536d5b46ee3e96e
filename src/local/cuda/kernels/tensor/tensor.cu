// tensor.cu: one pass of 16-bit numbers on tensor cores (Stockham autosort with merges of radix 16, by mma.m16n8k16; compare
// tcFFT, Li and others 2021).
//
//   block      transforms LINES lines of N elements, as COLUMNS columns of 16 rows (line_matrix.cuh).  A PERSISTENT
//              block processes many such tiles, and loads the next one while it merges the current one
//   warp       multiplies 32 columns by a matrix in each round
//   thread     has a quarter of the rows of four columns in each of ROUNDS rounds: input_tile x[ROUNDS] in registers
//   shared     [4 N LINES] bytes of the exchange area, twice with PASS_TWO_AREAS; [TABLES] the twiddles and the last
//              matrix, if the block is not persistent; [2][LINES] peaks for bfloat16, of this tile and of the next
//   barriers   one before a merge reads what others wrote; a second one, unless there are two areas, before it writes
//
// A thread has four neighbouring columns, two in each of two products: of four lines, or four of one line.  A unit of shared
// memory, as of device memory, is one row of four neighbouring columns, or four outputs that are columns of the next merge.
// In radix 32, a butterfly consists of two columns, half of a line's columns apart, whose results are combined in single
// precision.
//
// Twiddles between the merges of a pass are W_(N/S)^(p q), p = part / S.  Four neighbours have the same p, except in the
// first merge of contiguous lines.  There the columns of the second product need an additional factor W_N^(2 q), which their
// matrix includes.
//
// Lines of 16 and 32 (SHORT) have too few columns for that; neighbouring columns belong to different lines.  If the elements
// are contiguous, a lane loads and stores four consecutive rows.
#include "block_float.cuh"
#include "columns.cuh"
#include "inter_pass.cuh"
#include "merge_twiddles.cuh"

namespace mfft {

struct thread_block {  // a block and the lines that it processes
  const mfft_pass_args &a;
  line_number first_line;
  char *shared;            // [N LINES] elements of 4 bytes: the first exchange area, in shared memory
  const float4 *twiddles;  // the table of merge_twiddles.cuh, in shared memory with SHARED_TABLES, else in device memory
  u32 *peaks;              // [LINES] for bfloat16, in shared memory
};

// ---- Device memory

// Loads the rows of a lane.  In place of lines beyond the last, the last line is loaded, since columns are independent.
template <int I>
__device__ __forceinline__ void load_tile(const thread_block &block, u32 round, input_tile &x) {
  constexpr int MAP = merge_of<I>::MAP;
  constexpr u32 NEAR = merge_of<I>::NEAR;
  const mfft_pass_args &a = block.a;
  const u32 thread = TRANSPOSED_IN ? transposed_thread() : threadIdx.x, own = own_column<I>(round, thread),
            part = part_of<MAP>(own) + (SHORT ? 4 : 1) * lane_t(thread) * STEP;
  const line_number most = (line_number)a.lines - (ALIGNED_IN && !SHORT && MAP == BY_LINE ? NEAR : 1);
#pragma unroll
  for (u32 c = 0; c < 4; c += SHORT || !ALIGNED_IN ? 1 : NEAR) {
    const u32 beside = column<I>(0, c);
    const line_number line = block.first_line + line_of<MAP>(own) + line_of<MAP>(beside);
    const u32 *from = (const u32 *)a.in + find_line<false>(a, line < most ? line : most).offset +
                      (part + part_of<MAP>(beside)) * a.in_stride;
    if constexpr (SHORT) {  // rows 4t .. 4t + 3; the matrix has the same order
      from -= part_of<MAP>(beside) * a.in_stride;
      unit v[STEP];
#pragma unroll
      for (u32 i = 0; i < STEP; i++)
        v[i] = ALIGNED_IN ? read_unit(from + 4 * i) : unit{{from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]}};
#pragma unroll
      for (u32 i = 0; i < 4; i++) {
        u32 at = STEP == 1 ? i : 2 * i + c / 2;
        x.at(c, i % 2 * 2 + i / 2) = v[at / 4].x[at % 4];
      }
    } else {
#pragma unroll
      for (u32 i = 0; i < 4; i++) {
        const u32 *row = from + 4 * i * STEP * a.in_stride;
        if constexpr (!ALIGNED_IN)
          x.at(c, i) = *row;
        else if constexpr (NEAR == 4)
          x.set_row(i, as_unit(from_memory((const uint4 *)row)));
        else
          x.set_pair(c / 2, i, from_memory((const uint2 *)row));
      }
    }
  }
}

// Exchanges rows that lanes have loaded for each other.
__device__ __forceinline__ void transpose_input(input_tile &x) {
  const u32 from = transposed_lane();
#pragma unroll
  for (u32 i = 0; i < 16 && TRANSPOSED_IN; i++) {
    u32 &at = x.a[i / 8][i / 4 % 2][i % 4];
    at = __shfl_sync(~0u, at, from);
  }
}

// The row of a lane's output b in the last merge; in radix 32 the rows of the second product are 16 higher.
template <int I>
__device__ __forceinline__ u32 last_row(u32 b, u32 thread = threadIdx.x) {
  return lane_row(radix(I)) * lane_t(thread) + next_row(radix(I)) * b;
}

#if PASS_SHARES
// Stores results of a scattered output to their shares.
template <int I>
__device__ __forceinline__ void store_tile(const thread_block &block, u32 round, const result_tile &r) {
  typedef merge_of<I> M;
  constexpr int MAP = M::MAP;
  constexpr u32 TOGETHER = !ALIGNED_OUT ? 1 : M::NEAR;  // neighbours of one access, which are in one share
  static_assert(!SHORT, "short lines are not scattered");
  const u32 own = own_column<I>(round);
#pragma unroll
  for (u32 c = 0; c < 4; c += TOGETHER) {
    const u32 beside = column<I>(0, M::TWO ? c % 2 : c);
    const line_number number = block.first_line + line_of<MAP>(own) + line_of<MAP>(beside);
    if (number >= (line_number)block.a.lines) continue;
    const line_start line = find_line<true>(block.a, number);
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      const u32 row = last_row<I>(b) + (M::TWO ? 16 * (c / 2) : 0);
      u32 *to = (u32 *)in_share<last_step<I>()>(block.a, line, part_of<MAP>(own) + part_of<MAP>(beside), row);
      if constexpr (TOGETHER == 4)
        to_memory((uint4 *)to, as_uint4(r.row(b)));
      else if constexpr (TOGETHER == 2)
        to_memory((uint2 *)to, make_uint2(r.x[c][b], r.x[c + 1][b]));
      else
        to_memory(to, r.x[c][b]);
    }
  }
}
#else
// Stores results.
template <int I>
__device__ __forceinline__ void store_tile(const thread_block &block, u32 round, result_tile &r) {
  typedef merge_of<I> M;
  constexpr int MAP = M::MAP;
  const mfft_pass_args &a = block.a;
  const u32 thread = TRANSPOSED_OUT ? transposed_thread() : threadIdx.x, own = own_column<I>(round, thread);
#pragma unroll
  for (u32 i = 0; i < 16 && TRANSPOSED_OUT; i++) {
    u32 &at = r.x[i / 2 % 2 * 2 + i % 2][i / 4];
    at = __shfl_sync(~0u, at, thread & 31);
  }
  const line_number line = block.first_line + line_of<MAP>(own);
  u32 *to = (u32 *)a.out + (part_of<MAP>(own) + last_row<I>(0, thread) * last_step<I>()) * a.out_stride;
  constexpr u32 NEXT = next_row(radix(I)) * last_step<I>();
  const long long next = NEXT * a.out_stride;
  if constexpr (ALIGNED_OUT && !SHORT) {
    if (line >= (line_number)a.lines) return;
    to += find_line<true>(a, line).offset;
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      u32 *row = MAP == BY_ELEMENT ? to + b * NEXT : to + b * next;
      if constexpr (!M::TWO) {
        to_memory((uint4 *)row, as_uint4(r.row(b)));
      } else {
#pragma unroll
        for (u32 c = 0; c < 4; c += 2)
          to_memory((uint2 *)(MAP == BY_ELEMENT ? row + 8 * c * NEXT : row + 8 * c * next),
                    make_uint2(r.x[c][b], r.x[c + 1][b]));
      }
    }
  } else {
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      const u32 beside = column<I>(0, M::TWO ? c % 2 : c);
      line_number l = line + line_of<MAP>(beside);
      if (l >= (line_number)a.lines) continue;
      u32 *row = to + find_line<true>(a, l).offset +
                 (part_of<MAP>(beside) + (M::TWO ? 16 * (c / 2) * last_step<I>() : 0)) * a.out_stride;
      if constexpr (SHORT && ALIGNED_OUT) {
        write_unit(row, r.column(c));
      } else {
#pragma unroll
        for (u32 b = 0; b < 4; b++) row[b * next] = r.x[c][b];
      }
    }
  }
}
#endif

// ---- Block floating point

// The peaks of the lines of a tile.
template <int I>
__device__ __forceinline__ void find_peaks(const thread_block &block, u32 round, const input_tile &x) {
  u32 most[4];  // largest magnitude of each column
#pragma unroll
  for (u32 c = 0; c < 4; c++)
    most[c] = larger_size(greater_sizes(greater_sizes(x.at(c, 0), x.at(c, 2)), greater_sizes(x.at(c, 1), x.at(c, 3))));
#pragma unroll
  for (u32 c = 0; c < 4; c++) {
    bool first = true;  // first column of its line
#pragma unroll
    for (u32 other = 0; other < 4; other++)
      if (line_beside<I>(other) == line_beside<I>(c)) {
        most[c] = max(most[c], most[other]);
        if (other < c) first = false;
      }
    if (first) raise_peak<3>(block.peaks + own_line<I>(round), line_beside<I>(c), most[c]);
  }
}

template <int I>
__device__ __forceinline__ u32 peak_of(const thread_block &block, u32 round, u32 c) {
  return block.peaks[own_line<I>(round) + line_beside<I>(c)];
}

// Divides all numbers of the block by the powers of two of their lines.
template <int I>
__device__ __forceinline__ void normalize(const thread_block &block, input_tile (&x)[ROUNDS]) {
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++)
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      const u32 inverse = inverse_power_of(peak_of<I>(block, round, c));
#pragma unroll
      for (u32 i = 0; i < 4; i++) {
        u32 &at = x[round].at(c, i % 2 * 2 + i / 2);
        at = normalized(at, inverse);
      }
    }
}

// ---- Shared memory

// Reads the rows of a lane from shared memory.
template <int I>
__device__ __forceinline__ void read_tile(char *shared, u32 round, input_tile &x) {
  const u32 base = input_offset(own_column<I>(round), lane_t());
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    if constexpr (merge_of<I>::NEAR == 4) {
      x.set_row(i, read_unit(swizzled(shared, base, input_offset(0, 4 * i))));
    } else {
#pragma unroll
      for (u32 h = 0; h < 2; h++)
        x.set_pair(h, i, read_pair(swizzled(shared, base, input_offset(column<I>(0, 2 * h), 4 * i))));
    }
  }
}

// Writes results of all columns to where the next merge reads them.
template <int I>
__device__ __forceinline__ void write_tile(char *shared, u32 round, const result_tile &r) {
  const u32 base = output_offset<I>(own_column<I>(round), 4 * lane_t());
  if constexpr (keeps_neighbours<I>()) {
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      if constexpr (merge_of<I>::NEAR == 4) {
        write_unit(swizzled(shared, base, own_output_offset<I>(0, b)), r.row(b));
      } else {
#pragma unroll
        for (u32 c = 0; c < 4; c += 2)
          write_pair(swizzled(shared, base, own_output_offset<I>(c, b)), r.x[c][b], r.x[c + 1][b]);
      }
    }
  } else if constexpr (writes_units<I>()) {
#pragma unroll
    for (u32 c = 0; c < 4; c++) write_unit(swizzled(shared, base, own_output_offset<I>(c, 0)), r.column(c));
  } else {
#pragma unroll
    for (u32 c = 0; c < 4; c++)
#pragma unroll
      for (u32 b = 0; b < 4; b++) *(u32 *)swizzled(shared, base, own_output_offset<I>(c, b)) = r.x[c][b];
  }
}

// ---- Merges

// The matrices of this pass: of radix 16; of radix 16 with a twiddle, for the second product of contiguous lines; of a
// different last radix, or, in radix 32, of the second half of a butterfly.
struct matrices {
  matrix even, beside, last;
  __device__ __forceinline__ void load(const mfft_pass_args &a) {
    even.load(a.matrices, 0);
    if (PASS_MAP_IN == BY_ELEMENT && MERGES > 1) beside.load(a.matrices, 1);
    if (radix(MERGES - 1) != 16 && !SHARED_TABLES) last.load(a.matrices, 2);
  }
  __device__ __forceinline__ matrix last_of(const thread_block &block) const {
    matrix m = last;
    if (radix(MERGES - 1) != 16 && SHARED_TABLES) m.load(block.twiddles + TABLE_TWIDDLES, 0);
    return m;
  }
};

// Radix 32: computes the outputs of two butterflies, and the outputs 16 higher, from both products.
__device__ __forceinline__ void join_products(value (&v)[4]) {
#pragma unroll
  for (u32 e = 0; e < 2; e++) {
    const value odd = v[2 + e];
    v[2 + e] = v[e] - odd;
    v[e] = v[e] + odd;
  }
}

// Multiplies COUNT neighbours of a row of the last merge by the twiddle between passes and by the scale.
template <int I, u32 COUNT>
__device__ __forceinline__ void finish_neighbours(const thread_block &block, u32 round, value *v, u32 row) {
  constexpr int MAP = merge_of<I>::MAP;
  const u32 own = own_column<I>(round), k = row_position<I>(part_of<MAP>(own), row);
  twiddle_neighbours<MAP, COUNT>(block.a, v, block.first_line + line_of<MAP>(own), k);
  scale<COUNT>(block.a, v);
}
template <int I>
__device__ __forceinline__ void finish_row(const thread_block &block, u32 round, value (&v)[4], u32 b) {
  if constexpr (merge_of<I>::TWO) {
    finish_neighbours<I, 2>(block, round, v, last_row<I>(b));
    finish_neighbours<I, 2>(block, round, v + 2, last_row<I>(b) + 16);
  } else {
    finish_neighbours<I, 4>(block, round, v, last_row<I>(b));
  }
}

// Converts result c of a row to the number that is written or stored.
template <int I>
__device__ __forceinline__ u32 rounded_result(const thread_block &block, u32 round, u32 c, value v) {
  if (!merge_of<I>::LAST || !BLOCK_FLOAT) return rounded(v);
  return restored(v, peak_of<I>(block, round, merge_of<I>::TWO ? c % 2 : c));
}

// Multiplies a tile by the matrix and by twiddles, and rounds the results: one product at a time, unless both products
// belong to one butterfly or to one memory access.
template <int I>
__device__ __forceinline__ void merge(const thread_block &block, u32 round, const matrices &m,
                                      const register_twiddles<0> &all, const input_tile &x, result_tile &r) {
  typedef merge_of<I> M;
  constexpr int RADIX = M::TWO ? 16 : radix(I), PRODUCTS = M::TWO || M::LAST ? 2 : 1;
  twiddles<M::LAST ? -1 : I> w;
  if constexpr (!M::LAST && TWIDDLES_IN_REGISTERS)
    w = all.template of<I>(round);
  else
    w.load(block.twiddles, round);
  const matrix last = radix(I) != 16 ? m.last_of(block) : m.even;
  const matrix &first = RADIX < 16 ? last : m.even, &second = w.OWN ? m.beside : last;
#pragma unroll
  for (u32 h = 0; h < 2; h += PRODUCTS)
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      value v[4];
#pragma unroll
      for (u32 p = h; p < h + PRODUCTS; p++) (p ? second : first).template multiply<RADIX>(v + 2 * p, x.a[p], b);
      if constexpr (M::TWO) join_products(v);
      if constexpr (M::LAST) finish_row<I>(block, round, v, b);
#pragma unroll
      for (u32 c = 2 * h; c < 2 * (h + PRODUCTS); c++) {
        if constexpr (!M::LAST) v[c] = v[c] * w.at(c, b);
        r.x[c][b] = rounded_result<I>(block, round, c, v[c]);
      }
    }
}

// Does the merges from I on, with the results of merge I - 1 as input.
template <int I>
__device__ __forceinline__ void merge_on(const thread_block &block, char *from, const matrices &m,
                                         const register_twiddles<0> &all) {
  // SEPARATE: results are not written to the area that other threads may still read.
  constexpr bool LAST = merge_of<I>::LAST, SEPARATE = LAST || PASS_TWO_AREAS;
  char *to = block.shared + (PASS_TWO_AREAS ? I % 2 * PASS_EXCHANGE_BYTES : 0);
  input_tile x[ROUNDS];
  __syncthreads();
  if (!SEPARATE) {
#pragma unroll
    for (u32 round = 0; round < ROUNDS; round++) read_tile<I>(from, round, x[round]);
    __syncthreads();
  }
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    result_tile r;
    if (SEPARATE) read_tile<I>(from, round, x[round]);
    merge<I>(block, round, m, all, x[round], r);
    if constexpr (LAST)
      store_tile<I>(block, round, r);
    else
      write_tile<I>(to, round, r);
  }
  if constexpr (!LAST) merge_on<I + 1>(block, to, m, all);
}

__device__ __forceinline__ void load_tiles(const thread_block &block, input_tile (&x)[ROUNDS]) {
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) load_tile<0>(block, round, x[round]);
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  // [4 N LINES] the lines of the block, once or twice; [TABLES]; [2][LINES] peaks
  extern __shared__ __align__(16) unsigned char shared[];
  const float4 *const table = (const float4 *)a.merge_table;
  float4 *const tables = (float4 *)(shared + PASS_EXCHANGE_BYTES * (PASS_TWO_AREAS ? 2 : 1));
  u32 *const peaks = (u32 *)(tables + TABLES);
  thread_block block = {a, (line_number)blockIdx.x * LINES, (char *)shared, SHARED_TABLES ? tables : table, peaks};
  matrices m;
  register_twiddles<0> all;
  input_tile x[ROUNDS];
  release_next();
  copy_tables(tables, table, a.matrices);
  m.load(a);
  all.load(table);
  wait_for_previous();
  load_tiles(block, x);
  if (SHARED_TABLES) await_copies();
  if (BLOCK_FLOAT)
    for (u32 i = threadIdx.x; i < 2 * LINES; i += BLOCK) block.peaks[i] = 0;
  if (BLOCK_FLOAT || SHARED_TABLES) __syncthreads();
  for (u32 parity = 0;; parity ^= 1) {
    // SAFE: no other thread may still read the area that is written next, so that no barrier is needed.
    constexpr bool SAFE = !PERSISTENT || MERGES == 1 || BLOCK_FLOAT || (PASS_TWO_AREAS && MERGES % 2 == 1);
    thread_block next = block;
    next.first_line += (line_number)gridDim.x * LINES;
    const bool more = PERSISTENT && next.first_line < (line_number)a.lines;
    if (BLOCK_FLOAT) {
      next.peaks = peaks + (parity ^ 1) * LINES;
#pragma unroll
      for (u32 round = 0; round < ROUNDS; round++) {
        transpose_input(x[round]);
        find_peaks<0>(block, round, x[round]);
      }
      __syncthreads();
      normalize<0>(block, x);
      for (u32 i = threadIdx.x; i < LINES; i += BLOCK) next.peaks[i] = 0;  // barriers of the next merges follow
    }
    result_tile r[ROUNDS];
#pragma unroll
    for (u32 round = 0; round < ROUNDS; round++) {
      if (!BLOCK_FLOAT) transpose_input(x[round]);
      merge<0>(block, round, m, all, x[round], r[round]);
      if constexpr (MERGES > 1) write_tile<0>(block.shared, round, r[round]);
    }
    if (more) load_tiles(next, x);  // the loads are completed while the current lines are merged
    if constexpr (MERGES > 1) {
      merge_on<1>(block, block.shared, m, all);
    } else {
#pragma unroll
      for (u32 round = 0; round < ROUNDS; round++) store_tile<0>(block, round, r[round]);
    }
    if (!more) break;
    if (!SAFE) __syncthreads();
    block.first_line = next.first_line;
    block.peaks = next.peaks;
  }
}

}  // namespace mfft
