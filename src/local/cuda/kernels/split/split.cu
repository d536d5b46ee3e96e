// split.cu: one pass of single or double numbers on tensor cores; product.cuh has the arithmetic.
//
//   block      transforms LINES lines of N elements, as COLUMNS columns of 16 rows (line_matrix.cuh)
//   warp       processes TILES tiles of eight units of columns: lane 4 g + t has rows t, t + 4, t + 8, t + 12 of the
//              columns of one unit, and receives rows 2 g and 2 g + 1 (odd) of the columns of two units
//   thread     has input_tile x[TILES] and result_tile r[TILES] in registers; twiddles are read from tables in device
//              memory
//   shared     [N LINES] the exchange area; in single precision [LINES] peaks (block_float.cuh)
//   barriers   one before results are written where other lanes may still read, one after; of the warp, if WARP_LOCAL
//
// All counts are powers of two, so the bits of an offset are bits of coordinates.  An offset has a part that depends on the
// thread (`here`) and a constant part (`there`): offset(here + there) = offset(here) ^ offset(there).
#include "bank_layout.cuh"
#include "block_float.cuh"
#include "inter_pass.cuh"
#include "line_matrix.cuh"
#include "product.cuh"

namespace mfft {

constexpr u32 TILE = 8 * UNIT;                                       // columns of a tile
constexpr u32 WARPS = BLOCK / 32, TILES = COLUMNS / (TILE * WARPS);  // tiles of a warp
static_assert(PASS_STAGED_IN && PASS_STAGED_OUT || STEP % UNIT == 0 || LINES % UNIT == 0,
              "the columns of a unit are contiguous");
constexpr bool BLOCK_FLOAT = PASS_PRECISION == SINGLE;
constexpr bool LINE_INNER = PASS_MAP_IN == BY_LINE && PASS_MAP_MID == BY_LINE && PASS_MAP_OUT == BY_LINE;
static_assert((LINES & (LINES - 1)) == 0 && (BLOCK & (BLOCK - 1)) == 0, "powers of two");
static_assert(BLOCK % 32 == 0 && TILES * TILE * WARPS == COLUMNS, "all warps have the same number of columns");

template <int MAP>  // whether the UNIT columns of a unit are contiguous
__host__ __device__ constexpr bool are_units() {
  return MAP == BY_LINE ? LINES % UNIT == 0 : STEP % UNIT == 0;
}
// If all columns of a line are in one tile, a barrier of the warp suffices.
constexpr bool WARP_LOCAL = !PASS_STAGED_IN && !PASS_STAGED_OUT && STEP <= TILE && PASS_MAP_IN == BY_ELEMENT &&
                            PASS_MAP_MID == BY_ELEMENT && PASS_MAP_OUT == BY_ELEMENT;
__device__ __forceinline__ void barrier() {
  if constexpr (WARP_LOCAL)
    __syncwarp();
  else
    __syncthreads();
}

// The first column of the unit whose rows a lane has in its first tile, the first column of the two units of its results,
// and the increments for later tiles, for the second unit, and for other columns of a unit.
__device__ __forceinline__ u32 lane_g() { return (threadIdx.x & 31) >> 2; }
__device__ __forceinline__ u32 lane_t() { return threadIdx.x & 3; }
__device__ __forceinline__ u32 first_column() { return threadIdx.x / 32 * TILE; }
__device__ __forceinline__ u32 column_in() { return first_column() + UNIT * ((lane_g() >> 1) + 4 * (lane_g() & 1)); }
__device__ __forceinline__ u32 column_out() { return first_column() + UNIT * lane_t(); }
__host__ __device__ constexpr u32 further(u32 tile, u32 h = 0, u32 c = 0) {
  return tile * (WARPS * TILE) + h * (TILE / 2) + c;
}

// The element of the line to which a result is written, and its address: a lane receives output 2 (g / w) + odd of butterfly
// g % w, w = 16 / r, of the column.
template <int I>
__host__ __device__ constexpr u32 result_position(u32 column, u32 g, u32 odd) {
  constexpr u32 W = 16 / radix(I);
  return output_position<I>(part_of<map_of<I>()>(column) + g % W * STEP, 2 * (g / W) + odd);
}

// Offset of an element in shared memory before the swizzle, and the units that lanes served at once access: rows t and
// columns g when a merge reads, columns t and rows g when it writes, and neighbours in copies of lines.
__host__ __device__ constexpr u32 flat_offset(u32 line, u32 pos) { return LINE_INNER ? pos * LINES + line : line * N + pos; }
template <int I>
__host__ __device__ constexpr u32 flat_input(u32 column, u32 row) {
  constexpr int MAP = map_of<I>();
  return flat_offset(line_of<MAP>(column), part_of<MAP>(column) + row * STEP);
}
template <int I>
__host__ __device__ constexpr u32 flat_output(u32 column, u32 g, u32 odd) {
  return flat_offset(line_of<map_of<I>()>(column), result_position<I>(column, g, odd));
}
__host__ __device__ constexpr access access_of(u32 x, u32 y, u32 z) {
  return {{(int)log2_of(x), (int)log2_of(y), (int)log2_of(z)}};
}

// The layout of the results of merge I; -1: of the copy of lines that the first merge reads.
template <int I>
struct exchange_layout {
  static constexpr int UNIT_BITS = log2_of(UNIT), BITS = log2_of(N * LINES);
  __host__ __device__ static constexpr access_list accesses() {
    access_list all = {};
    if constexpr (I < 0 || I == MERGES - 1) all.of[all.count++] = access_of(UNIT, 2 * UNIT, 4 * UNIT);
    if constexpr (I >= 0)
      all.of[all.count++] = access_of(flat_output<I>(UNIT, 0, 0), flat_output<I>(2 * UNIT, 0, 0), flat_output<I>(0, 1, 0));
    if constexpr (I < MERGES - 1)
      all.of[all.count++] = access_of(flat_input<I + 1>(0, 1), flat_input<I + 1>(0, 2), flat_input<I + 1>(4 * UNIT, 0));
    return all;
  }
  static constexpr swizzle SWIZZLE = solve_banks<UNIT_BITS>(accesses(), BITS);
  static_assert(SWIZZLE.found, "bank conflict");
  __host__ __device__ static constexpr u32 offset(u32 flat) { return add_swizzle<exchange_layout, BITS>(flat); }
};
template <int I>
__host__ __device__ constexpr u32 input_offset(u32 column, u32 row) {
  return exchange_layout<I - 1>::offset(flat_input<I>(column, row));
}
template <int I>
__host__ __device__ constexpr u32 output_offset(u32 column, u32 g, u32 odd) {
  return exchange_layout<I>::offset(flat_output<I>(column, g, odd));
}

// ---- Device memory.  In place of lines beyond the last, the last line is loaded, since columns are independent; they are
// not stored.

__device__ __forceinline__ line_number existing_line(const mfft_pass_args &a, line_number line, u32 room) {
  line_number most = (line_number)a.lines - room;
  return line < most ? line : most;
}
template <int MAP>
__device__ __forceinline__ unit load_unit(const mfft_pass_args &a, line_number line, u32 pos, u32 more) {
  const stored *in = (const stored *)a.in;
  if constexpr (UNIT > 1 && ALIGNED_IN) {
    in += find_line<false>(a, existing_line(a, line, MAP == BY_LINE ? UNIT : 1)).offset;
    return *(const unit *)(MAP == BY_LINE ? in + pos * a.in_stride + more * a.in_stride : in + pos + more);
  } else {
    unit x;
#pragma unroll
    for (u32 c = 0; c < UNIT; c++) {
      const stored *from = in + find_line<false>(a, existing_line(a, MAP == BY_LINE ? line + c : line, 1)).offset;
      if (PASS_UNIT_IN)
        x.x[c] = widen((from + pos)[MAP == BY_LINE ? more : more + c]);
      else
        x.x[c] = widen((from + pos * a.in_stride)[(MAP == BY_LINE ? more : more + c) * a.in_stride]);
    }
    return x;
  }
}
template <int MAP>
__device__ __forceinline__ void store_unit(const mfft_pass_args &a, line_number line, u32 pos, u32 more, const unit &x) {
  stored *out = (stored *)a.out;
  if constexpr (UNIT > 1 && ALIGNED_OUT) {
    if (line >= (line_number)a.lines) return;
    out += find_line<true>(a, line).offset;
    *(unit *)(MAP == BY_LINE ? out + pos * a.out_stride + more * a.out_stride : out + pos + more) = x;
  } else {
#pragma unroll
    for (u32 c = 0; c < UNIT; c++) {
      line_number l = MAP == BY_LINE ? line + c : line;
      if (l >= (line_number)a.lines) continue;
      stored *to = out + find_line<true>(a, l).offset;
      if (PASS_UNIT_OUT)
        (to + pos)[MAP == BY_LINE ? more : more + c] = narrow(x.x[c]);
      else
        (to + pos * a.out_stride)[(MAP == BY_LINE ? more : more + c) * a.out_stride] = narrow(x.x[c]);
    }
  }
}

// Copies whole lines between device and shared memory, a unit at a time.
template <bool OUT, int I>
__device__ __forceinline__ void copy_lines(const mfft_pass_args &a, line_number first_line, value *tile) {
#pragma unroll
  for (u32 i = 0; i < 4 * TILES; i++) {
    u32 at = UNIT * (threadIdx.x + i * BLOCK), line = at / N, pos = at % N;
    unit *here = (unit *)(tile + exchange_layout<I>::offset(flat_offset(line, pos)));
    if (OUT)
      store_unit<BY_ELEMENT>(a, first_line + line, pos, 0, *here);
    else
      *here = load_unit<BY_ELEMENT>(a, first_line + line, pos, 0);
  }
}

// ---- Block floating point

// The peaks of the lines of a tile.
template <int MAP>
__device__ __forceinline__ void find_peaks(u32 *peaks, u32 tile, const input_tile &v) {
  u32 peak[UNIT];
#pragma unroll
  for (u32 c = 0; c < UNIT; c++) {
    real most = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) most = fmaxf(most, fmaxf(fabsf(v.row[i].x[c].re), fabsf(v.row[i].x[c].im)));
    peak[c] = __float_as_uint(most);
  }
  if constexpr (MAP == BY_ELEMENT && STEP >= TILE) {  // all columns of a tile belong to one line
#pragma unroll
    for (u32 c = 1; c < UNIT; c++) peak[0] = max(peak[0], peak[c]);
    raise_peak<31>(peaks, line_of<MAP>(first_column()) + line_of<MAP>(further(tile)), peak[0]);
  } else {
#pragma unroll
    for (u32 c = 0; c < UNIT; c++)
      raise_peak<3>(peaks, line_of<MAP>(column_in()) + line_of<MAP>(further(tile, 0, c)), peak[c]);
  }
}

template <int MAP>
__device__ __forceinline__ void normalize(const u32 *peaks, u32 tile, input_tile &v) {
#pragma unroll
  for (u32 c = 0; c < UNIT; c++) {
    const u32 peak = peaks[line_of<MAP>(column_in()) + line_of<MAP>(further(tile, 0, c))];
#pragma unroll
    for (int i = 0; i < 4; i++) normalize(v.row[i].x[c], peak);
  }
}

struct thread_block {
  const mfft_pass_args &a;
  line_number first_line;
  value *area;       // [N LINES] in shared memory
  const u32 *peaks;  // [LINES] in shared memory
};

// ---- Merges

// Multiplies by the twiddles before the next merge of this pass, W_(N/S)^(p q) with p = j / S; with block floating point
// they are divided by the radix.  Tables have a row of p for each q.
__host__ __device__ constexpr int table_offset(int i) {
  int offset = 0;
  for (int m = 0; m < i; m++) offset += N / radices_before(m);
  return offset;
}
template <int I>
__device__ __forceinline__ void twiddle_tile(const mfft_pass_args &a, u32 tile, result_tile &r) {
  constexpr int MAP = map_of<I>();
  constexpr u32 S = radices_before(I), M = N / S / 16;
  constexpr u32 SHARING = MAP == BY_LINE ? LINES : S;  // number of neighbouring columns with the same p
  static_assert(radix(I) == 16, "only the last merge is smaller");
  const value *here = (const value *)a.merge_table + (2 * lane_g() * M + part_of<MAP>(column_out()) / S);
#pragma unroll
  for (u32 odd = 0; odd < 2; odd++) {
    const value *row = here + table_offset(I) + odd * M;
    unit w;
#pragma unroll
    for (u32 h = 0; h < 2; h++) {
      if constexpr (MAP == BY_ELEMENT && S == 1 && STEP % UNIT == 0) {
        w = *(const unit *)(row + part_of<MAP>(further(tile, h)));
      } else if (SHARING < TILE || h == 0) {
#pragma unroll
        for (u32 c = 0; c < UNIT; c++)
          w.x[c] = c % SHARING == 0 ? row[part_of<MAP>(further(tile, h, c)) / S] : w.x[c ? c - 1 : 0];
      }
#pragma unroll
      for (u32 c = 0; c < UNIT; c++) r.row[odd][h].x[c] = r.row[odd][h].x[c] * w.x[c];
    }
  }
}

// Multiplies element k of a line after its last merge by the twiddle between passes and by the scale; with block floating
// point also by the power of two of the line and by the radices that the merges have divided by.
__device__ __forceinline__ void finish(const mfft_pass_args &a, u32 outer, u32 peak, u32 k, value &v) {
#if PASS_OUTER
  v = v * outer_twiddle(a, k * outer);
#endif
#if PASS_PRECISION == 1
  restore(v, peak, a.scale * (double)radices_before(MERGES - 1));
#else
  scale<1>(a, &v);
#endif
}
__device__ __forceinline__ u32 outer_of(const mfft_pass_args &a, line_number line) {
  return PASS_OUTER ? find_line<true>(a, existing_line(a, line, 1)).outer : 0;
}

template <int I>
__device__ __forceinline__ void finish_tile(const thread_block &block, u32 tile, result_tile &r) {
  constexpr int MAP = map_of<I>();
#pragma unroll
  for (u32 h = 0; h < 2; h++)
#pragma unroll
    for (u32 c = 0; c < UNIT; c++) {
      u32 there = further(tile, h, c), line = line_of<MAP>(column_out()) + line_of<MAP>(there);
      u32 outer = outer_of(block.a, block.first_line + line), peak = BLOCK_FLOAT ? block.peaks[line] : 0;
#pragma unroll
      for (u32 odd = 0; odd < 2; odd++)
        finish(block.a, outer, peak, result_position<I>(column_out(), lane_g(), 0) + result_position<I>(there, 0, odd),
               r.row[odd][h].x[c]);
    }
}

// Writes results to shared memory in Stockham order.
template <int I>
__device__ __forceinline__ void write_tile(value *area, u32 tile, const result_tile &r) {
  constexpr u32 S = radices_before(I);
  constexpr int MAP = map_of<I>();
  u32 here = output_offset<I>(column_out(), lane_g(), 0);
#pragma unroll
  for (u32 h = 0; h < 2; h++) {
    if constexpr (are_units<MAP>() && (MAP == BY_LINE ? LINE_INNER : S % UNIT == 0)) {
#pragma unroll
      for (u32 odd = 0; odd < 2; odd++)
        write_unit(area + (here ^ output_offset<I>(further(tile, h), 0, odd)), r.row[odd][h]);
    } else {
#pragma unroll
      for (u32 c = 0; c < UNIT; c++) {
        if constexpr (S == 1 && UNIT == 2 && !LINE_INNER && STEP > 1) {  // outputs 2g and 2g + 1 are contiguous
          unit pair;
          pair.x[0] = r.row[0][h].x[c], pair.x[UNIT - 1] = r.row[1][h].x[c];
          write_unit(area + (here ^ output_offset<I>(further(tile, h, c), 0, 0)), pair);
        } else {
#pragma unroll
          for (u32 odd = 0; odd < 2; odd++) area[here ^ output_offset<I>(further(tile, h, c), 0, odd)] = r.row[odd][h].x[c];
        }
      }
    }
  }
}

template <int I>
__device__ __forceinline__ void store_tile(const mfft_pass_args &a, u32 tile, line_number first_line, const result_tile &r) {
  constexpr int MAP = map_of<I>();
  u32 pos = result_position<I>(column_out(), lane_g(), 0);
#pragma unroll
  for (u32 h = 0; h < 2; h++)
#pragma unroll
    for (u32 odd = 0; odd < 2; odd++) {
      u32 there = further(tile, h);
      store_unit<MAP>(a, first_line + (line_of<MAP>(column_out()) + line_of<MAP>(there)), pos,
                      result_position<I>(there, 0, odd), r.row[odd][h]);
    }
}

// Reads the rows of a lane for merge I.
template <int I>
__device__ __forceinline__ void read_tile(const value *area, u32 tile, input_tile &v) {
  constexpr int MAP = map_of<I>();
  u32 here = input_offset<I>(column_in(), lane_t());
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    if constexpr (are_units<MAP>() && (MAP == BY_LINE ? LINE_INNER : true)) {
      v.row[i] = read_unit(area + (here ^ input_offset<I>(further(tile), 4 * i)));
    } else {
#pragma unroll
      for (u32 c = 0; c < UNIT; c++) v.row[i].x[c] = area[here ^ input_offset<I>(further(tile, 0, c), 4 * i)];
    }
  }
}

// A last merge of radix 2 or 4 needs no tensor cores: a lane has all inputs of its butterflies and stores their outputs.
// The butterflies of lane t are u = t for radix 4, and u = t and u = t + 4 for radix 2.
template <int I>
__host__ __device__ constexpr bool in_registers() {
  return I == MERGES - 1 && I > 0 && radix(I) <= 4 && !PASS_STAGED_OUT;
}
template <int I>
__device__ __forceinline__ void merge_in_registers(const thread_block &block, u32 tile, input_tile x) {
  constexpr int MAP = map_of<I>();
  constexpr u32 R = radix(I), EACH = 4 / R;
  u32 line = line_of<MAP>(column_in()) + line_of<MAP>(further(tile));
  u32 pos = part_of<MAP>(column_in()) + lane_t() * STEP;  // output q of butterfly u = t + 4 e: pos + 4 e STEP + q N / R
#pragma unroll
  for (u32 c = 0; c < UNIT; c++) {
    u32 of_line = line_of<MAP>(column_in()) + line_of<MAP>(further(tile, 0, c));
    u32 outer = outer_of(block.a, block.first_line + of_line), peak = BLOCK_FLOAT ? block.peaks[of_line] : 0;
#pragma unroll
    for (u32 e = 0; e < EACH; e++) {
      value v[R];
#pragma unroll
      for (u32 q = 0; q < R; q++) v[q] = x.row[e + q * EACH].x[c];
      dft<R, SIGN>(v);
#pragma unroll
      for (u32 q = 0; q < R; q++) {
        finish(block.a, outer, peak, pos + part_of<MAP>(further(tile, 0, c)) + 4 * e * STEP + q * (N / R), v[q]);
        x.row[e + q * EACH].x[c] = v[q];
      }
    }
  }
#pragma unroll
  for (u32 i = 0; i < 4; i++)
    store_unit<MAP>(block.a, block.first_line + line, pos,
                    part_of<MAP>(further(tile)) + i % EACH * 4 * STEP + i / EACH * (N / R), x.row[i]);
}

// Does merge I on the rows that `rows` returns for each tile.  If these are in shared memory, results are written after all
// rows have been read.  (A second area would save that barrier but leave less cache to twiddles; it was not faster.)
template <int I, class F>
__device__ __forceinline__ void merge_full(const thread_block &block, matrix &m, F rows);

template <int I, class F>
__device__ __forceinline__ void merge_on(const thread_block &block, matrix &m, F rows) {
  if constexpr (in_registers<I>()) {
#pragma unroll
    for (u32 tile = 0; tile < TILES; tile++) merge_in_registers<I>(block, tile, rows(tile));
  } else {
    merge_full<I>(block, m, rows);
  }
}

template <int I, class F>
__device__ __forceinline__ void merge_full(const thread_block &block, matrix &m, F rows) {
  constexpr bool STORED = I == MERGES - 1 && !PASS_STAGED_OUT, WAITS = !STORED && (I > 0 || PASS_STAGED_IN);
  if constexpr (I == 0 || radix(I) != radix(I ? I - 1 : 0))
    m.load((const uint4 *)block.a.matrices + I * 128 + (threadIdx.x & 31));
  result_tile r[TILES];
#pragma unroll
  for (u32 tile = 0; tile < TILES; tile++) {
    multiply(r[tile], m, rows(tile));
    if constexpr (I < MERGES - 1)
      twiddle_tile<I>(block.a, tile, r[tile]);
    else
      finish_tile<I>(block, tile, r[tile]);
    if constexpr (STORED)
      store_tile<I>(block.a, tile, block.first_line, r[tile]);
    else if constexpr (!WAITS)
      write_tile<I>(block.area, tile, r[tile]);
  }
  if constexpr (!STORED) {
    if constexpr (WAITS) {
      barrier();
#pragma unroll
      for (u32 tile = 0; tile < TILES; tile++) write_tile<I>(block.area, tile, r[tile]);
    }
    barrier();
    if constexpr (I < MERGES - 1)
      merge_on<I + 1>(block, m, [&](u32 tile) {
        input_tile x;
        read_tile<I + 1>(block.area, tile, x);
        return x;
      });
    else
      copy_lines<true, I>(block.a, block.first_line, block.area);
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int MAP = map_of<0>();
  u32 *peaks = (u32 *)(shared + PASS_EXCHANGE_BYTES);
  const thread_block block = {a, (line_number)blockIdx.x * LINES, (value *)shared, peaks};
  matrix m;
  input_tile x[TILES];
  release_next();
  if constexpr (BLOCK_FLOAT) {
    for (u32 i = threadIdx.x; i < LINES; i += BLOCK) peaks[i] = 0;
    if (!PASS_STAGED_IN) __syncthreads();
  }
  wait_for_previous();
  if constexpr (PASS_STAGED_IN) {
    copy_lines<false, -1>(a, block.first_line, block.area);
    __syncthreads();
  }
#pragma unroll
  for (u32 tile = 0; tile < TILES; tile++) {
    if constexpr (PASS_STAGED_IN) {
      read_tile<0>(block.area, tile, x[tile]);
    } else {
      u32 line = line_of<MAP>(column_in()) + line_of<MAP>(further(tile));
#pragma unroll
      for (u32 i = 0; i < 4; i++)
        x[tile].row[i] = load_unit<MAP>(a, block.first_line + line, part_of<MAP>(column_in()) + lane_t() * STEP,
                                        part_of<MAP>(further(tile)) + 4 * i * STEP);
    }
  }
  if constexpr (BLOCK_FLOAT) {
#pragma unroll
    for (u32 tile = 0; tile < TILES; tile++) find_peaks<MAP>(peaks, tile, x[tile]);
    barrier();
  }
  merge_on<0>(block, m, [&](u32 tile) {
    if constexpr (BLOCK_FLOAT) normalize<MAP>(peaks, tile, x[tile]);
    return x[tile];
  });
}

}  // namespace mfft
