// split.cu: one pass of single or double numbers on tensor cores; product.cuh has the arithmetic.
//
// Element jc + (N/16) row of a line is row `row` of column jc.  V neighbours are 16 bytes, and a warp takes tiles of 8 V
// columns: lane 4 g + t reads V neighbouring columns of rows t, t+4, t+8, t+12, and ends up with rows 2 g and 2 g + 1 (odd)
// of two groups of V columns.  Twiddles are tables of single or double.
//
// All counts are powers of two, so a place is made of the bits of its coordinates, and is told in two parts: what a thread
// knows (`here`) and what an instruction knows (`there`).  place(here + there) = place(here) ^ place(there).
#include "inter_pass.cuh"
#include "product.cuh"

namespace mfft {

constexpr u32 V = 16 / sizeof(stored), TILE = 8 * V;
constexpr u32 STEP = N / 16, COLUMNS = STEP * LINES, WARPS = BLOCK / 32;
constexpr u32 TILES = COLUMNS / (TILE * WARPS);  // of a warp
static_assert(PASS_STAGED_IN && PASS_STAGED_OUT || STEP % V == 0 || LINES % V == 0, "groups are moved at once");
constexpr bool LINE_INNER = PASS_MAP_IN == BY_LINE && PASS_MAP_MID == BY_LINE && PASS_MAP_OUT == BY_LINE;
static_assert((LINES & (LINES - 1)) == 0 && (BLOCK & (BLOCK - 1)) == 0, "powers of two");
static_assert(BLOCK % 32 == 0 && TILES * TILE * WARPS == COLUMNS, "warps share the columns out evenly");

struct __align__(16) group {
  value v[V];
};

__host__ __device__ constexpr int log2_of(int n) { return n < 2 ? 0 : 1 + log2_of(n / 2); }

// Place in shared memory.  Groups are spread over the banks by the bits in which the lanes of an access differ: rows STEP
// apart when read, outputs S apart (or, of the first merge, columns) when written by a merge of that S; 0 for a plain copy.
template <u32 S>
__host__ __device__ constexpr u32 slot(u32 line, u32 pos) {
  u32 turn = STEP > V ? pos / STEP & 3 : 0;  // shorter lines have their rows side by side
  if (LINE_INNER || S > 1)
    turn ^= (pos / (2 * (S ? S : 1)) & 1) << 2;
  else if (S == 1)
    turn ^= V == 2 ? (pos >> 5 & 3) << 1 : (pos >> 4 & 1) | (pos >> 5 & 1) << 2;
  if (LINE_INNER) return (pos * LINES + line) ^ turn * V;
  return line * N + (pos ^ ((turn ^ line) & 7) * V);
}

template <int MAP>
__host__ __device__ constexpr u32 line_of(u32 column) {
  return MAP == BY_LINE ? column % LINES : column / STEP;
}
template <int MAP>
__host__ __device__ constexpr u32 part_of(u32 column) {
  return MAP == BY_LINE ? column / LINES : column % STEP;
}
template <int MAP>  // whether the V columns of a group lie together
__host__ __device__ constexpr bool together() {
  return MAP == BY_LINE ? LINES % V == 0 : STEP % V == 0;
}
template <int I>
__host__ __device__ constexpr int map_of() {
  return I == 0 && !PASS_STAGED_IN ? PASS_MAP_IN : I == MERGES - 1 && !PASS_STAGED_OUT ? PASS_MAP_OUT : PASS_MAP_MID;
}
__host__ __device__ constexpr u32 before(int i) {
  u32 s = 1;
  for (int m = 0; m < i; m++) s *= radix(m);
  return s;
}

// Lines whose columns are all of one tile need only their warp to be in step.
constexpr bool WARP_LOCAL = !PASS_STAGED_IN && !PASS_STAGED_OUT && STEP <= TILE && PASS_MAP_IN == BY_ELEMENT &&
                            PASS_MAP_MID == BY_ELEMENT && PASS_MAP_OUT == BY_ELEMENT;
__device__ __forceinline__ void in_step() {
  if constexpr (WARP_LOCAL)
    __syncwarp();
  else
    __syncthreads();
}

// First column of the group that a lane reads in its first tile, and of the two it ends up with; what is added for a later
// tile, and for the second group.
__device__ __forceinline__ u32 lane_g() { return (threadIdx.x & 31) >> 2; }
__device__ __forceinline__ u32 lane_t() { return threadIdx.x & 3; }
__device__ __forceinline__ u32 first_column() { return threadIdx.x / 32 * TILE; }
__device__ __forceinline__ u32 column_in() { return first_column() + V * ((lane_g() >> 1) + 4 * (lane_g() & 1)); }
__device__ __forceinline__ u32 column_out() { return first_column() + V * lane_t(); }
__host__ __device__ constexpr u32 further(u32 tile, u32 h = 0, u32 c = 0) {
  return tile * (WARPS * TILE) + h * (TILE / 2) + c;
}

// Output q of butterfly j: rows of a product to Stockham order.
template <int I>
__host__ __device__ constexpr u32 output(u32 g, u32 odd) {
  return 2 * (g / (16 / radix(I))) + odd;
}
template <int I>
__host__ __device__ constexpr u32 written(u32 part, u32 g, u32 odd) {
  constexpr u32 R = radix(I), S = before(I);
  u32 j = part + g % (16 / R) * STEP;
  return j / S * (S * R) + j % S + output<I>(g, odd) * S;
}
template <int I>
__host__ __device__ constexpr u32 put_place(u32 column, u32 g, u32 odd) {
  constexpr int MAP = map_of<I>();
  return slot<before(I)>(line_of<MAP>(column), written<I>(part_of<MAP>(column), g, odd));
}
template <u32 S, int MAP>
__host__ __device__ constexpr u32 get_place(u32 column, u32 row) {
  return slot<S>(line_of<MAP>(column), part_of<MAP>(column) + row * STEP);
}

// ---- Device memory.  Lines beyond the last are read as the last, since columns do not mix, and not written.

__device__ __forceinline__ line_number existing(const mfft_pass_args &a, line_number line, u32 room) {
  line_number most = (line_number)a.lines - room;
  return line < most ? line : most;
}
template <int MAP>
__device__ __forceinline__ group fetch(const mfft_pass_args &a, line_number line, u32 pos, u32 more) {
  const stored *in = (const stored *)a.in;
  if constexpr (V > 1 && (PASS_VECTOR & 1)) {
    in += find_line<false>(a, existing(a, line, MAP == BY_LINE ? V : 1)).offset;
    return *(const group *)(MAP == BY_LINE ? in + pos * a.in_stride + more * a.in_stride : in + pos + more);
  } else {
    group x;
#pragma unroll
    for (u32 c = 0; c < V; c++) {
      const stored *from = in + find_line<false>(a, existing(a, MAP == BY_LINE ? line + c : line, 1)).offset;
      if (PASS_UNIT_IN)
        x.v[c] = widen((from + pos)[MAP == BY_LINE ? more : more + c]);
      else
        x.v[c] = widen((from + pos * a.in_stride)[(MAP == BY_LINE ? more : more + c) * a.in_stride]);
    }
    return x;
  }
}
template <int MAP>
__device__ __forceinline__ void keep(const mfft_pass_args &a, line_number line, u32 pos, u32 more, const group &x) {
  stored *out = (stored *)a.out;
  if constexpr (V > 1 && (PASS_VECTOR & 2)) {
    if (line >= (line_number)a.lines) return;
    out += find_line<true>(a, line).offset;
    *(group *)(MAP == BY_LINE ? out + pos * a.out_stride + more * a.out_stride : out + pos + more) = x;
  } else {
#pragma unroll
    for (u32 c = 0; c < V; c++) {
      line_number l = MAP == BY_LINE ? line + c : line;
      if (l >= (line_number)a.lines) continue;
      stored *to = out + find_line<true>(a, l).offset;
      if (PASS_UNIT_OUT)
        (to + pos)[MAP == BY_LINE ? more : more + c] = narrow(x.v[c]);
      else
        (to + pos * a.out_stride)[(MAP == BY_LINE ? more : more + c) * a.out_stride] = narrow(x.v[c]);
    }
  }
}

// Whole lines between device and shared memory, a group at a time.
template <bool OUT, u32 S>
__device__ __forceinline__ void walk(const mfft_pass_args &a, line_number first_line, value *tile) {
#pragma unroll
  for (u32 i = 0; i < 4 * TILES; i++) {
    u32 at = V * (threadIdx.x + i * BLOCK), line = at / N, pos = at % N;
    group *here = (group *)(tile + slot<S>(line, pos));
    if (OUT)
      keep<BY_ELEMENT>(a, first_line + line, pos, 0, *here);
    else
      *here = fetch<BY_ELEMENT>(a, first_line + line, pos, 0);
  }
}

// ---- The range of a line: see product.cuh.  peaks: the bits of the largest number of each line of the block.

__device__ __forceinline__ float power_of_two(u32 biased) { return __uint_as_float(biased << 23); }
constexpr float FAR = 18446744073709551616.0f;  // 2^64: lines of very small numbers are moved in two steps

template <int MAP>
__device__ __forceinline__ void find_peaks(u32 *peaks, u32 tile, const group (&x)[4]) {
  u32 peak[V];
#pragma unroll
  for (u32 c = 0; c < V; c++) {
    real most = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) most = fmaxf(most, fmaxf(fabsf(x[i].v[c].re), fabsf(x[i].v[c].im)));
    peak[c] = __float_as_uint(most);
  }
  if constexpr (MAP == BY_ELEMENT && STEP >= TILE) {  // a tile is of one line
#pragma unroll
    for (u32 c = 1; c < V; c++) peak[0] = max(peak[0], peak[c]);
    peak[0] = __reduce_max_sync(~0u, peak[0]);
    if (threadIdx.x % 32 == 0) atomicMax(&peaks[line_of<MAP>(first_column()) + line_of<MAP>(further(tile))], peak[0]);
  } else {
#pragma unroll
    for (u32 c = 0; c < V; c++) {
      peak[c] = max(peak[c], __shfl_xor_sync(~0u, peak[c], 1));
      peak[c] = max(peak[c], __shfl_xor_sync(~0u, peak[c], 2));
      if (lane_t() == 0) atomicMax(&peaks[line_of<MAP>(column_in()) + line_of<MAP>(further(tile, 0, c))], peak[c]);
    }
  }
}

template <int MAP>
__device__ __forceinline__ void bring_into_range(const u32 *peaks, u32 tile, group (&x)[4]) {
#pragma unroll
  for (u32 c = 0; c < V; c++) {
    u32 exponent = peaks[line_of<MAP>(column_in()) + line_of<MAP>(further(tile, 0, c))] >> 23, low = exponent < 64;
    float up = power_of_two(267 - exponent - 64 * low);
#pragma unroll
    for (int i = 0; i < 4; i++) {
      value &v = x[i].v[c];
      if (low) v.re *= FAR, v.im *= FAR;
      v.re *= up, v.im *= up;
    }
  }
}

// Out of range again; what the merges divided by, and the scale of the pass.
__device__ __forceinline__ void bring_back(const mfft_pass_args &a, u32 peak, value &v) {
  u32 exponent = peak >> 23, low = exponent < 64;
  float down = (float)(a.scale * (double)before(MERGES - 1)) * power_of_two(exponent - 13 + 64 * low);
  v.re *= down, v.im *= down;
  if (low) v.re *= 1 / FAR, v.im *= 1 / FAR;
}

struct block {
  const mfft_pass_args &a;
  line_number first_line;
  value *area;       // [N LINES]
  const u32 *peaks;  // [LINES]
};

// ---- Merges

struct rows_of_lane {
  group row[4];  // t + 4 i
};
struct results {
  group v[2][2];  // [odd][group of columns]
};

// Twiddles before the next merge of this pass, W_(N/S)^(p q) with p = j / S; where lines must stay in range they are divided
// by the radix.  Tables have a row of p for each q.
__host__ __device__ constexpr int table_offset(int i) {
  int offset = 0;
  for (int m = 0; m < i; m++) offset += N / before(m);
  return offset;
}
template <int I>
__device__ __forceinline__ void turn_between(const mfft_pass_args &a, u32 tile, results &r) {
  constexpr int MAP = map_of<I>();
  constexpr u32 S = before(I), M = N / S / 16;
  constexpr u32 SHARING = MAP == BY_LINE ? LINES : S;  // neighbouring columns of the same p
  static_assert(radix(I) == 16, "only the last merge is smaller");
  const value *here = (const value *)a.merge_table + (output<I>(lane_g(), 0) * M + part_of<MAP>(column_out()) / S);
#pragma unroll
  for (u32 odd = 0; odd < 2; odd++) {
    const value *row = here + table_offset(I) + odd * M;
    group w;
#pragma unroll
    for (u32 h = 0; h < 2; h++) {
      if constexpr (MAP == BY_ELEMENT && S == 1 && STEP % V == 0) {
        w = *(const group *)(row + part_of<MAP>(further(tile, h)));
      } else if (SHARING < TILE || h == 0) {
#pragma unroll
        for (u32 c = 0; c < V; c++)
          w.v[c] = c % SHARING == 0 ? row[part_of<MAP>(further(tile, h, c)) / S] : w.v[c ? c - 1 : 0];
      }
#pragma unroll
      for (u32 c = 0; c < V; c++) r.v[odd][h].v[c] = r.v[odd][h].v[c] * w.v[c];
    }
  }
}

// Element k of a line leaves: the twiddle before the next pass, the range, and the scale.
__device__ __forceinline__ void finish(const mfft_pass_args &a, u32 outer, u32 peak, u32 k, value &v) {
#if PASS_OUTER
  v = v * outer_twiddle(a, k * outer);
#endif
  if constexpr (operands::BOUNDED)
    bring_back(a, peak, v);
  else
    scale<1>(a, &v);
}
__device__ __forceinline__ u32 outer_of(const mfft_pass_args &a, line_number line) {
  return PASS_OUTER ? find_line<true>(a, existing(a, line, 1)).outer : 0;
}

__device__ __forceinline__ void multiply(const operands &m, const rows_of_lane &rows, results &r) {
  const group *x = rows.row;
#pragma unroll
  for (u32 c = 0; c < V; c++) {
    const value sum[2] = {x[0].v[c] + x[2].v[c], x[1].v[c] + x[3].v[c]};
    const value difference[2] = {x[0].v[c] - x[2].v[c], x[1].v[c] - x[3].v[c]};
    real even[4], odd[4];
    m.multiply(0, sum, even);
    m.multiply(1, difference, odd);
    r.v[0][0].v[c] = {even[0], even[2]};
    r.v[0][1].v[c] = {even[1], even[3]};
    r.v[1][0].v[c] = {odd[0], odd[2]};
    r.v[1][1].v[c] = {odd[1], odd[3]};
  }
}

template <int I>
__device__ __forceinline__ void finish_results(const block &b, u32 tile, results &r) {
  constexpr int MAP = map_of<I>();
#pragma unroll
  for (u32 h = 0; h < 2; h++)
#pragma unroll
    for (u32 c = 0; c < V; c++) {
      u32 there = further(tile, h, c), line = line_of<MAP>(column_out()) + line_of<MAP>(there);
      u32 outer = outer_of(b.a, b.first_line + line), peak = operands::BOUNDED ? b.peaks[line] : 0;
#pragma unroll
      for (u32 odd = 0; odd < 2; odd++)
        finish(b.a, outer, peak,
               written<I>(part_of<MAP>(column_out()), lane_g(), 0) + written<I>(part_of<MAP>(there), 0, odd),
               r.v[odd][h].v[c]);
    }
}

// Results to shared memory in Stockham order.
template <int I>
__device__ __forceinline__ void put(value *area, u32 tile, const results &r) {
  constexpr u32 S = before(I);
  constexpr int MAP = map_of<I>();
  u32 here = put_place<I>(column_out(), lane_g(), 0);
#pragma unroll
  for (u32 h = 0; h < 2; h++) {
    if constexpr (together<MAP>() && (MAP == BY_LINE ? LINE_INNER : S % V == 0)) {
#pragma unroll
      for (u32 odd = 0; odd < 2; odd++) *(group *)(area + (here ^ put_place<I>(further(tile, h), 0, odd))) = r.v[odd][h];
    } else {
#pragma unroll
      for (u32 c = 0; c < V; c++) {
        if constexpr (S == 1 && V == 2 && !LINE_INNER && STEP > 1) {  // outputs 2g and 2g + 1 touch
          group pair;
          pair.v[0] = r.v[0][h].v[c], pair.v[V - 1] = r.v[1][h].v[c];
          *(group *)(area + (here ^ put_place<I>(further(tile, h, c), 0, 0))) = pair;
        } else {
#pragma unroll
          for (u32 odd = 0; odd < 2; odd++) area[here ^ put_place<I>(further(tile, h, c), 0, odd)] = r.v[odd][h].v[c];
        }
      }
    }
  }
}

template <int I>
__device__ __forceinline__ void keep_results(const mfft_pass_args &a, u32 tile, line_number first_line, const results &r) {
  constexpr int MAP = map_of<I>();
  u32 pos = written<I>(part_of<MAP>(column_out()), lane_g(), 0);
#pragma unroll
  for (u32 h = 0; h < 2; h++)
#pragma unroll
    for (u32 odd = 0; odd < 2; odd++) {
      u32 there = further(tile, h);
      keep<MAP>(a, first_line + (line_of<MAP>(column_out()) + line_of<MAP>(there)), pos,
                written<I>(part_of<MAP>(there), 0, odd), r.v[odd][h]);
    }
}

// The rows of a lane from shared memory, where a merge of S put them.
template <u32 S, int MAP>
__device__ __forceinline__ void get(const value *area, u32 tile, group (&x)[4]) {
  u32 here = get_place<S, MAP>(column_in(), lane_t());
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    if constexpr (together<MAP>() && (MAP == BY_LINE ? LINE_INNER : true)) {
      x[i] = *(const group *)(area + (here ^ get_place<S, MAP>(further(tile), 4 * i)));
    } else {
#pragma unroll
      for (u32 c = 0; c < V; c++) x[i].v[c] = area[here ^ get_place<S, MAP>(further(tile, 0, c), 4 * i)];
    }
  }
}

// A last merge of radix 2 or 4 needs no product: a lane has all the inputs of a butterfly, those of u = t for radix 4, of
// t and t + 4 for radix 2, and stores what comes of them.
template <int I>
__host__ __device__ constexpr bool light() {
  return I == MERGES - 1 && I > 0 && radix(I) <= 4 && !PASS_STAGED_OUT;
}
template <int I>
__device__ __forceinline__ void merge_light(const block &b, u32 tile, rows_of_lane x) {
  constexpr int MAP = map_of<I>();
  constexpr u32 R = radix(I), EACH = 4 / R;
  u32 line = line_of<MAP>(column_in()) + line_of<MAP>(further(tile));
  u32 pos = part_of<MAP>(column_in()) + lane_t() * STEP;  // output q of butterfly u = t + 4 e: pos + 4 e STEP + q N / R
#pragma unroll
  for (u32 c = 0; c < V; c++) {
    u32 of_line = line_of<MAP>(column_in()) + line_of<MAP>(further(tile, 0, c));
    u32 outer = outer_of(b.a, b.first_line + of_line), peak = operands::BOUNDED ? b.peaks[of_line] : 0;
#pragma unroll
    for (u32 e = 0; e < EACH; e++) {
      value v[R];
#pragma unroll
      for (u32 q = 0; q < R; q++) v[q] = x.row[e + q * EACH].v[c];
      dft<R, SIGN>(v);
#pragma unroll
      for (u32 q = 0; q < R; q++) {
        finish(b.a, outer, peak, pos + part_of<MAP>(further(tile, 0, c)) + 4 * e * STEP + q * (N / R), v[q]);
        x.row[e + q * EACH].v[c] = v[q];
      }
    }
  }
#pragma unroll
  for (u32 i = 0; i < 4; i++)
    keep<MAP>(b.a, b.first_line + line, pos, part_of<MAP>(further(tile)) + i % EACH * 4 * STEP + i / EACH * (N / R),
              x.row[i]);
}

// Merge I of the rows that `rows` tells for each tile.  Where these come from shared memory, all results wait until all rows
// are read.  (A second area would save that barrier, but leave the twiddles less cache: it is no faster.)
template <int I, class F>
__device__ __forceinline__ void merge_full(const block &b, operands &m, F rows);

template <int I, class F>
__device__ __forceinline__ void merge_on(const block &b, operands &m, F rows) {
  if constexpr (light<I>()) {
#pragma unroll
    for (u32 tile = 0; tile < TILES; tile++) merge_light<I>(b, tile, rows(tile));
  } else {
    merge_full<I>(b, m, rows);
  }
}

template <int I, class F>
__device__ __forceinline__ void merge_full(const block &b, operands &m, F rows) {
  constexpr bool STORED = I == MERGES - 1 && !PASS_STAGED_OUT, WAITS = !STORED && (I > 0 || PASS_STAGED_IN);
  if constexpr (I == 0 || radix(I) != radix(I ? I - 1 : 0))
    m.load((const uint4 *)b.a.matrices + I * 128 + (threadIdx.x & 31));
  results r[TILES];
#pragma unroll
  for (u32 tile = 0; tile < TILES; tile++) {
    multiply(m, rows(tile), r[tile]);
    if constexpr (I < MERGES - 1)
      turn_between<I>(b.a, tile, r[tile]);
    else
      finish_results<I>(b, tile, r[tile]);
    if constexpr (STORED)
      keep_results<I>(b.a, tile, b.first_line, r[tile]);
    else if constexpr (!WAITS)
      put<I>(b.area, tile, r[tile]);
  }
  if constexpr (!STORED) {
    if constexpr (WAITS) {
      in_step();
#pragma unroll
      for (u32 tile = 0; tile < TILES; tile++) put<I>(b.area, tile, r[tile]);
    }
    in_step();
    if constexpr (I < MERGES - 1)
      merge_on<I + 1>(b, m, [&](u32 tile) {
        rows_of_lane x;
        get<before(I), map_of<I + 1>()>(b.area, tile, x.row);
        return x;
      });
    else
      walk<true, before(I)>(b.a, b.first_line, b.area);
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // [N LINES] the exchange area; [LINES] peaks
  constexpr int MAP = map_of<0>();
  u32 *peaks = (u32 *)(shared + PASS_EXCHANGE_BYTES);
  const block b = {a, (line_number)blockIdx.x * LINES, (value *)shared, peaks};
  operands m;
  rows_of_lane x[TILES];
  release_next();
  if constexpr (operands::BOUNDED) {
    for (u32 i = threadIdx.x; i < LINES; i += BLOCK) peaks[i] = 0;
    if (!PASS_STAGED_IN) __syncthreads();
  }
  wait_for_previous();
  if constexpr (PASS_STAGED_IN) {
    walk<false, 0>(a, b.first_line, b.area);
    __syncthreads();
  }
#pragma unroll
  for (u32 tile = 0; tile < TILES; tile++) {
    if constexpr (PASS_STAGED_IN) {
      get<0, MAP>(b.area, tile, x[tile].row);
    } else {
      u32 line = line_of<MAP>(column_in()) + line_of<MAP>(further(tile));
#pragma unroll
      for (u32 i = 0; i < 4; i++)
        x[tile].row[i] = fetch<MAP>(a, b.first_line + line, part_of<MAP>(column_in()) + lane_t() * STEP,
                                    part_of<MAP>(further(tile)) + 4 * i * STEP);
    }
  }
  if constexpr (operands::BOUNDED) {
#pragma unroll
    for (u32 tile = 0; tile < TILES; tile++) find_peaks<MAP>(peaks, tile, x[tile].row);
    in_step();
  }
  merge_on<0>(b, m, [&](u32 tile) {
    if constexpr (operands::BOUNDED) bring_into_range<MAP>(peaks, tile, x[tile].row);
    return x[tile];
  });
}

}  // namespace mfft
