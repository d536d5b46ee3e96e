// tensor.cu: one pass of 16-bit numbers on tensor cores.
//
// Element part + STEP row of a line, STEP = N/16, is row `row` of a column.  A merge of radix r multiplies every column by
// F_r (x) I: with row = a (16/r) + u the 16 rows hold 16/r butterflies u.  fragment.cuh has the product: a lane, 4 g + t,
// gives rows t, t + 4, t + 8, t + 12 of a column and gets four rows in single precision, turns and rounds them.
//
// A thread has four neighbouring columns, two (e) in each of two tiles (h): of four lines, or parts of one.  A unit of
// shared memory, like one of device memory, is a row of four neighbours: columns that were before, or what four outputs
// become.  Of radix 32, butterflies are made of columns that are half a line's columns apart, whose results meet in single
// precision.
//
// Twiddles between the merges of a pass are W_(N/S)^(p q), p = part / S.  Four neighbours share p, but in the first merge of
// contiguous lines.  There the columns of the second tile turn by W_N^(2 q) more, and their matrix has that in it.
//
// bfloat16 has too few digits for what comes between its ends and too wide a range for halves.  So every line is brought to
// [1, 2) by a power of two, computed as halves are, and brought back.
//
// Lines of 16 and 32 are too short for that.  Their neighbours are other lines; where their elements touch, a lane reads and
// writes four rows in a row.
#include "block_float.cuh"
#include "columns.cuh"
#include "fragment.cuh"
#include "inter_pass.cuh"
#include "twiddles.cuh"

namespace mfft {

struct block {  // and the tile it has in hand
  const mfft_pass_args &a;
  line_number first_line;
  char *shared;
  const float4 *roots;
  u32 *peaks;  // [LINES] of bfloat16
};

// The rows of a lane from device memory.  Loads beyond the last line repeat that line, since columns do not mix.
template <int I>
__device__ __forceinline__ void fetch(const block &on, u32 round, quad (&x)[2][2]) {
  constexpr int MAP = merge_of<I>::MAP;
  constexpr bool WIDE = PASS_VECTOR & 1;
  constexpr u32 NEAR = merge_of<I>::NEAR;
  const u32 thread = CARRIED_IN ? carried_thread() : threadIdx.x, own = own_column<I>(round, thread),
            part = part_of<MAP>(own) + (SHORT ? 4 : 1) * lane_t(thread) * STEP;
  const line_number most = (line_number)on.a.lines - (WIDE && !SHORT && MAP == BY_LINE ? NEAR : 1);
#pragma unroll
  for (u32 c = 0; c < 4; c += SHORT || !WIDE ? 1 : NEAR) {
    const u32 h = c / 2, e = c % 2, beside = column<I>(0, h, e);
    const line_number line = on.first_line + line_of<MAP>(own) + line_of<MAP>(beside);
    const u32 *from = (const u32 *)on.a.in + find_line<false>(on.a, line < most ? line : most).offset +
                      (part + part_of<MAP>(beside)) * on.a.in_stride;
    if constexpr (SHORT) {  // rows 4t .. 4t + 3: the matrix knows
      from -= part_of<MAP>(beside) * on.a.in_stride;
      quad v[STEP];
#pragma unroll
      for (u32 i = 0; i < STEP; i++)
        v[i] = WIDE ? read_quad(from + 4 * i) : quad{{from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]}};
#pragma unroll
      for (u32 i = 0; i < 4; i++) {
        u32 at = STEP == 1 ? i : 2 * i + h;
        x[h][i / 2].x[i % 2 * 2 + e] = v[at / 4].x[at % 4];
      }
    } else {
#pragma unroll
      for (u32 i = 0; i < 4; i++) {
        const u32 *row = from + 4 * i * STEP * on.a.in_stride;
        if constexpr (!WIDE)
          x[h][i % 2].x[i / 2 * 2 + e] = *row;
        else if constexpr (NEAR == 4)
          hold(x, i, as_quad(from_memory((const uint4 *)row)));
        else
          hold_pair(x[h], i, from_memory((const uint2 *)row));
      }
    }
  }
}

// What others have carried for this lane.
__device__ __forceinline__ void receive(quad (&x)[2][2]) {
  const u32 from = carrier_lane();
#pragma unroll
  for (u32 i = 0; i < 16 && CARRIED_IN; i++) {
    u32 &at = x[i / 8][i / 4 % 2].x[i % 4];
    at = __shfl_sync(~0u, at, from);
  }
}

// Of the last merge, the row of a lane's output b; of radix 32, + 16 h.
template <int I>
__device__ __forceinline__ u32 last_row(u32 b, u32 thread = threadIdx.x) {
  return lane_row(radix(I)) * lane_t(thread) + next_row(radix(I)) * b;
}

#if PASS_SHARES
// Results [h][e][b] to the shares that they belong to, by last_row(b).
template <int I>
__device__ __forceinline__ void keep(const block &on, u32 round, const u32 (&v)[2][2][4]) {
  typedef merge_of<I> M;
  constexpr int MAP = M::MAP;
  constexpr u32 TOGETHER = !(PASS_VECTOR & 2) ? 1 : M::NEAR;  // neighbours of one access: of one share
  static_assert(!SHORT, "lines whose neighbours are lines are not scattered");
  const u32 own = own_column<I>(round);
#pragma unroll
  for (u32 c = 0; c < 4; c += TOGETHER) {
    const u32 h = c / 2, e = c % 2, beside = column<I>(0, M::TWO ? 0 : h, e);
    const line_number number = on.first_line + line_of<MAP>(own) + line_of<MAP>(beside);
    if (number >= (line_number)on.a.lines) continue;
    const line_start line = find_line<true>(on.a, number);
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      const u32 row = last_row<I>(b) + (M::TWO ? 16 * h : 0);
      u32 *to = (u32 *)in_share<M::OUT>(on.a, line, part_of<MAP>(own) + part_of<MAP>(beside), row);
      if constexpr (TOGETHER == 4)
        to_memory((uint4 *)to, make_uint4(v[0][0][b], v[0][1][b], v[1][0][b], v[1][1][b]));
      else if constexpr (TOGETHER == 2)
        to_memory((uint2 *)to, make_uint2(v[h][0][b], v[h][1][b]));
      else
        to_memory(to, v[h][e][b]);
    }
  }
}
#else
// Results [h][e][b] to device memory, by last_row(b).
template <int I>
__device__ __forceinline__ void keep(const block &on, u32 round, u32 (&v)[2][2][4]) {
  typedef merge_of<I> M;
  constexpr int MAP = M::MAP;
  const u32 thread = CARRIED_OUT ? carried_thread() : threadIdx.x, own = own_column<I>(round, thread);
#pragma unroll
  for (u32 i = 0; i < 16 && CARRIED_OUT; i++) {
    u32 &at = v[i / 2 % 2][i % 2][i / 4];
    at = __shfl_sync(~0u, at, thread & 31);
  }
  const line_number line = on.first_line + line_of<MAP>(own);
  u32 *to = (u32 *)on.a.out + (part_of<MAP>(own) + last_row<I>(0, thread) * M::OUT) * on.a.out_stride;
  constexpr u32 NEXT = next_row(radix(I)) * M::OUT;
  const long long hop = NEXT * on.a.out_stride;
  if constexpr ((PASS_VECTOR & 2) && !SHORT) {
    if (line >= (line_number)on.a.lines) return;
    to += find_line<true>(on.a, line).offset;
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      u32 *row = MAP == BY_ELEMENT ? to + b * NEXT : to + b * hop;
      if constexpr (!M::TWO) {
        to_memory((uint4 *)row, make_uint4(v[0][0][b], v[0][1][b], v[1][0][b], v[1][1][b]));
      } else {
#pragma unroll
        for (u32 h = 0; h < 2; h++)
          to_memory((uint2 *)(MAP == BY_ELEMENT ? row + 16 * h * NEXT : row + 16 * h * hop),
                    make_uint2(v[h][0][b], v[h][1][b]));
      }
    }
  } else {
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      const u32 h = c / 2, e = c % 2, beside = column<I>(0, M::TWO ? 0 : h, e);
      line_number l = line + line_of<MAP>(beside);
      if (l >= (line_number)on.a.lines) continue;
      u32 *row =
          to + find_line<true>(on.a, l).offset + (part_of<MAP>(beside) + (M::TWO ? 16 * h * M::OUT : 0)) * on.a.out_stride;
      if constexpr (SHORT && (PASS_VECTOR & 2)) {
        write_quad(row, v[h][e][0], v[h][e][1], v[h][e][2], v[h][e][3]);
      } else {
#pragma unroll
        for (u32 b = 0; b < 4; b++) row[b * hop] = v[h][e][b];
      }
    }
  }
}
#endif

// The largest number of each line of the block to `peaks`, as the bits of a bfloat, and all numbers divided by its power of
// two.
template <int I>
__device__ __forceinline__ void level(const block &on, quad (&x)[ROUNDS][2][2]) {
  constexpr int MAP = merge_of<I>::MAP;
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    receive(x[round]);
    u32 most[4];  // of each column
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      const quad(&at)[2] = x[round][c / 2];
      const u32 e = c % 2;
      most[c] =
          larger_half(greater_sizes(greater_sizes(at[0].x[e], at[0].x[e + 2]), greater_sizes(at[1].x[e], at[1].x[e + 2])));
    }
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      const u32 line = line_of<MAP>(column<I>(0, c / 2, c % 2));
      bool first = true;  // of its line
#pragma unroll
      for (u32 other = 0; other < 4; other++)
        if (line_of<MAP>(column<I>(0, other / 2, other % 2)) == line) {
          most[c] = max(most[c], most[other]);
          if (other < c) first = false;
        }
      if (!first) continue;
      most[c] = max(most[c], __shfl_xor_sync(~0u, most[c], 1));
      most[c] = max(most[c], __shfl_xor_sync(~0u, most[c], 2));
      if (lane_t() == 0) atomicMax(on.peaks + line_of<MAP>(own_column<I>(round)) + line, most[c]);
    }
  }
  __syncthreads();
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++)
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      u32 peak = on.peaks[line_of<MAP>(own_column<I>(round)) + line_of<MAP>(column<I>(0, c / 2, c % 2))];
      const u32 inverse = inverse_of(peak);
#pragma unroll
      for (u32 i = 0; i < 4; i++) {
        u32 &at = x[round][c / 2][i / 2].x[i % 2 * 2 + c % 2];
        at = lowered(at, inverse);
      }
    }
}

// The rows of a lane from shared memory.
template <int I>
__device__ __forceinline__ void get(char *shared, u32 round, quad (&x)[2][2]) {
  const u32 base = place_of(own_column<I>(round), lane_t());
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    if constexpr (merge_of<I>::NEAR == 4) {
      hold(x, i, read_quad(in_tile(shared, base, place_of(0, 4 * i))));
    } else {
#pragma unroll
      for (u32 h = 0; h < 2; h++) hold_pair(x[h], i, read_half(in_tile(shared, base, place_of(column<I>(0, h, 0), 4 * i))));
    }
  }
}

// Outputs [h][e][row 4t ..] to shared memory.
template <int I>
__device__ __forceinline__ void put(char *shared, u32 round, const u32 (&v)[2][2][4]) {
  const u32 base = put_place<I>(own_column<I>(round), 4 * lane_t());
  if constexpr (keeps_neighbours<I>()) {
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      if constexpr (merge_of<I>::NEAR == 4) {
        write_quad(in_tile(shared, base, put_place_of<I>(0, b)), v[0][0][b], v[0][1][b], v[1][0][b], v[1][1][b]);
      } else {
#pragma unroll
        for (u32 h = 0; h < 2; h++) write_half(in_tile(shared, base, put_place_of<I>(2 * h, b)), v[h][0][b], v[h][1][b]);
      }
    }
  } else if constexpr (puts_units<I>()) {
#pragma unroll
    for (u32 c = 0; c < 4; c++) {
      const u32(&out)[4] = v[c / 2][c % 2];
      write_quad(in_tile(shared, base, put_place_of<I>(c, 0)), out[0], out[1], out[2], out[3]);
    }
  } else {
#pragma unroll
    for (u32 c = 0; c < 4; c++)
#pragma unroll
      for (u32 b = 0; b < 4; b++) *(u32 *)in_tile(shared, base, put_place_of<I>(c, b)) = v[c / 2][c % 2][b];
  }
}

// The matrices of this pass: of radix 16; the same turned, for the second tile of contiguous lines; and that of another last
// radix or, of radix 32, for the second half of a butterfly.
struct matrices {
  matrix even, beside, last;
  __device__ __forceinline__ void load(const mfft_pass_args &a) {
    even.load(a.matrices, 0);
    if (PASS_MAP_IN == BY_ELEMENT && MERGES > 1) beside.load(a.matrices, 1);
    if (radix(MERGES - 1) != 16 && !SHARED_TABLES) last.load(a.matrices, 2);
  }
};

// Twiddles before the next pass, and the scale: of one output row of COUNT neighbouring columns.
template <int I, u32 COUNT>
__device__ __forceinline__ void turn_last(const block &on, u32 round, value *v, u32 row) {
  constexpr int MAP = merge_of<I>::MAP;
  const u32 own = own_column<I>(round), k = written<I>(part_of<MAP>(own), row);
  twiddle_neighbours<MAP, COUNT>(on.a, v, on.first_line + line_of<MAP>(own), k);
  scale<COUNT>(on.a, v);
}

// A result of column c as it is stored.
template <int I>
__device__ __forceinline__ u32 stored_result(const block &on, u32 round, u32 c, value v) {
  constexpr int MAP = merge_of<I>::MAP;
  if (!LEVELLED) return pack_half(v.re, v.im);
  return raised(v.re, v.im, on.peaks[line_of<MAP>(own_column<I>(round)) + line_of<MAP>(column<I>(0, c / 2, c % 2))]);
}

// Of radix 32, the outputs of two butterflies and those 16 further on, from the products of both tiles.
__device__ __forceinline__ void join(value (&v)[4]) {
#pragma unroll
  for (u32 e = 0; e < 2; e++) {
    const value odd = v[2 + e];
    v[2 + e] = v[e] - odd;
    v[e] = v[e] + odd;
  }
}

// Products of all rows, turned and rounded: [h][e][b].
template <int I>
__device__ __forceinline__ void merge(const block &on, u32 round, const matrices &m, const kept<0> &all,
                                      const quad (&x)[2][2], u32 (&out)[2][2][4]) {
  typedef merge_of<I> M;
  if constexpr (!M::LAST) {
    twiddles<I> w;
    if constexpr (KEEP_ROOTS)
      w = all.template of<I>(round);
    else
      w.load(on.roots, round);
    if constexpr (M::TWO) {
      matrix odd = m.last;
      if (SHARED_TABLES) odd.load(on.roots + ROOTS, 0);
#pragma unroll
      for (u32 b = 0; b < 4; b++) {
        value v[4];
        multiply<16>(v, m.even, x[0][0].x, x[0][1].x, b);
        multiply<16>(v + 2, odd, x[1][0].x, x[1][1].x, b);
        join(v);
#pragma unroll
        for (u32 c = 0; c < 4; c++) {
          v[c] = v[c] * w.at(c / 2, b);
          out[c / 2][c % 2][b] = pack_half(v[c].re, v[c].im);
        }
      }
      return;
    }
#pragma unroll
    for (u32 h = 0; h < 2; h++)
#pragma unroll
      for (u32 b = 0; b < 4; b++) {
        value v[2];
        multiply<16>(v, h && twiddles<I>::ALONE ? m.beside : m.even, x[h][0].x, x[h][1].x, b);
#pragma unroll
        for (u32 e = 0; e < 2; e++) {
          v[e] = v[e] * w.at(e, b);
          out[h][e][b] = pack_half(v[e].re, v[e].im);
        }
      }
  } else {
    constexpr int RADIX = M::TWO ? 16 : radix(I);
    matrix last = m.last;
    if (radix(I) != 16 && SHARED_TABLES) last.load(on.roots + ROOTS, 0);
    const matrix &first = RADIX < 16 ? last : m.even, &second = radix(I) != 16 ? last : m.even;
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      value v[4];
      multiply<RADIX>(v, first, x[0][0].x, x[0][1].x, b);
      multiply<RADIX>(v + 2, second, x[1][0].x, x[1][1].x, b);
      if constexpr (M::TWO) {
        join(v);
        turn_last<I, 2>(on, round, v, last_row<I>(b));
        turn_last<I, 2>(on, round, v + 2, last_row<I>(b) + 16);
      } else {
        turn_last<I, 4>(on, round, v, last_row<I>(b));
      }
#pragma unroll
      for (u32 c = 0; c < 4; c++) out[c / 2][c % 2][b] = stored_result<I>(on, round, M::TWO ? c % 2 : c, v[c]);
    }
  }
}

// The merges from I on, from what merge I - 1 put to shared memory.
template <int I>
__device__ __forceinline__ void merge_on(const block &on, char *from, const matrices &m, const kept<0> &all) {
  constexpr bool LAST = merge_of<I>::LAST, APART = LAST || PASS_TWO_AREAS;  // writes do not disturb who still reads
  char *to = on.shared + (PASS_TWO_AREAS ? I % 2 * PASS_EXCHANGE_BYTES : 0);
  quad x[ROUNDS][2][2];  // [h][half of the rows]
  __syncthreads();
  if (!APART) {
#pragma unroll
    for (u32 round = 0; round < ROUNDS; round++) get<I>(from, round, x[round]);
    __syncthreads();
  }
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) {
    u32 out[2][2][4];  // [h][e][b]
    if (APART) get<I>(from, round, x[round]);
    merge<I>(on, round, m, all, x[round], out);
    if constexpr (LAST)
      keep<I>(on, round, out);
    else
      put<I>(to, round, out);
  }
  if constexpr (!LAST) merge_on<I + 1>(on, to, m, all);
}

__device__ __forceinline__ void fetch_all(const block &on, quad (&x)[ROUNDS][2][2]) {
#pragma unroll
  for (u32 round = 0; round < ROUNDS; round++) fetch<0>(on, round, x[round]);
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // [4 N LINES] the tile, once or twice; [TABLES]; [2][LINES] peaks
  const float4 *const table = (const float4 *)a.merge_table;
  float4 *const tables = (float4 *)(shared + PASS_EXCHANGE_BYTES * (PASS_TWO_AREAS ? 2 : 1));
  u32 *const peaks = (u32 *)(tables + TABLES);
  block on = {a, (line_number)blockIdx.x * LINES, (char *)shared, SHARED_TABLES ? tables : table, peaks};
  matrices m;
  kept<0> all;
  quad x[ROUNDS][2][2];  // [h][half of the rows]
  release_next();
  copy_tables(tables, table, a.matrices);
  m.load(a);
  all.load(table);
  wait_for_previous();
  fetch_all(on, x);
  if (SHARED_TABLES) await_copies();
  if (LEVELLED)
    for (u32 i = threadIdx.x; i < 2 * LINES; i += BLOCK) on.peaks[i] = 0;
  if (LEVELLED || SHARED_TABLES) __syncthreads();
  for (u32 turn = 0;; turn ^= 1) {
    // Whoever still reads the end of the tile before, reads it from the other area or must be waited for.
    constexpr bool SAFE = !PASS_KEPT || MERGES == 1 || LEVELLED || (PASS_TWO_AREAS && MERGES % 2 == 1);
    block next = on;
    next.first_line += (line_number)gridDim.x * LINES;
    const bool more = PASS_KEPT && next.first_line < (line_number)a.lines;
    if (LEVELLED) {
      next.peaks = peaks + (turn ^ 1) * LINES;
      level<0>(on, x);
      for (u32 i = threadIdx.x; i < LINES; i += BLOCK) next.peaks[i] = 0;  // the merges after this one have barriers
    }
    u32 out[ROUNDS][2][2][4];  // [h][e][b]
#pragma unroll
    for (u32 round = 0; round < ROUNDS; round++) {
      if (!LEVELLED) receive(x[round]);
      merge<0>(on, round, m, all, x[round], out[round]);
      if constexpr (MERGES > 1) put<0>(on.shared, round, out[round]);
    }
    if (more) fetch_all(next, x);  // on its way while this tile is merged
    if constexpr (MERGES > 1) {
      merge_on<1>(on, on.shared, m, all);
    } else {
#pragma unroll
      for (u32 round = 0; round < ROUNDS; round++) keep<0>(on, round, out[round]);
    }
    if (!more) break;
    if (!SAFE) __syncthreads();
    on.first_line = next.first_line;
    on.peaks = next.peaks;
  }
}

}  // namespace mfft
