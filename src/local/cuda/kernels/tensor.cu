// tensor.cu: one pass of 16-bit numbers on tensor cores.
//
// A merge of radix r works on tiles of 16 rows: element jc + (N/16) row of a line is row `row` of column jc.  With
// row = a (16/r) + u the 16 rows hold 16/r butterflies u, and the tile is multiplied by F_r (x) I: an m16n8k16 product takes
// 8 columns, with re and im of 8 rows as its 16 deep side, so a register of B is one complex as it lies in memory.
// A warp takes 32 columns at a time.  Lane 4 g + t reads rows t, t+4, t+8, t+12 of four neighbouring columns, and ends up with
// rows 2g and 2g+1 of eight columns in single precision, which it turns and rounds once: all accesses are 16 bytes wide.
#include "memory.cuh"

namespace mfft {

constexpr int STEP = N / 16;           // distance of rows, and columns of a line
constexpr int COLUMNS = STEP * LINES;  // of the block
constexpr int TILES = COLUMNS / 32 / (BLOCK / 32);  // of a warp
constexpr bool LINE_INNER = PASS_MAP_IN == BY_LINE && PASS_MAP_MID == BY_LINE && PASS_MAP_OUT == BY_LINE;
static_assert(COLUMNS == TILES * BLOCK, "a block is whole warps of whole tiles");

__host__ __device__ constexpr int log2_of(int n) { return n < 2 ? 0 : 1 + log2_of(n / 2); }

// Place in shared memory.  Groups of four neighbours stay together; groups are spread over the banks by the bits in which the
// lanes of an access differ: rows STEP apart when read, and outputs S apart when written by a merge of that S.
template <int S>
__device__ __forceinline__ int slot(int line, int pos) {
  constexpr int M = log2_of(STEP), W = log2_of(S) + 1;
  if constexpr (LINE_INNER) {
    int turn = ((pos >> M) & 3) << 2;
    if (S) turn ^= ((pos >> W) & 1) << 4;
    return pos * LINES + (line ^ turn);
  } else {
    int turn = (((pos >> (M < 5 ? 5 : M)) & 3) << 2) ^ ((line & 1) << 2) ^ (((line >> 2) & 3) << 3);
    if (S == 1) turn ^= ((pos >> 6) & 3) << 3;
    if (S > 1) turn ^= ((pos >> (W < 5 ? 5 : W)) & 1) << 4;
    if (N < 32) turn &= N - 1;
    return line * N + (pos ^ turn);
  }
}

template <int MAP>
__device__ __forceinline__ int line_of(int column) {
  return MAP == BY_LINE ? column % LINES : column / STEP;
}
template <int MAP>
__device__ __forceinline__ int part_of(int column) {
  return MAP == BY_LINE ? column / LINES : column % STEP;
}
template <int MAP>  // whether four columns lie together
__host__ __device__ constexpr bool together() {
  return MAP == BY_LINE ? LINES % 4 == 0 : STEP % 4 == 0;
}

template <int I>
__host__ __device__ constexpr int map_of() {
  return I == 0 && !PASS_STAGED_IN ? PASS_MAP_IN : I == MERGES - 1 && !PASS_STAGED_OUT ? PASS_MAP_OUT : PASS_MAP_MID;
}
__host__ __device__ constexpr int before(int i) {
  int s = 1;
  for (int m = 0; m < i; m++) s *= radix(m);
  return s;
}
// First of the four columns that a lane reads, and of group h (0, 1) of those it ends up with.
__device__ __forceinline__ int lane_g() { return (threadIdx.x & 31) >> 2; }
__device__ __forceinline__ int lane_t() { return threadIdx.x & 3; }
__device__ __forceinline__ int tile_column(int tile) { return ((threadIdx.x >> 5) * TILES + tile) * 32; }
__device__ __forceinline__ int column_in(int tile) { return tile_column(tile) + 4 * ((lane_g() >> 1) + 4 * (lane_g() & 1)); }
__device__ __forceinline__ int column_out(int tile, int h) { return tile_column(tile) + 4 * lane_t() + 16 * h; }

struct four {
  u32 x[4];
};
__device__ __forceinline__ four read4(const u32 *p) {
  uint4 v = *(const uint4 *)p;
  return {{v.x, v.y, v.z, v.w}};
}
__device__ __forceinline__ void write4(u32 *p, const four &v) { *(uint4 *)p = make_uint4(v.x[0], v.x[1], v.x[2], v.x[3]); }

// Four neighbouring columns at one row, or at one output, of device memory.  Neighbours are elements or lines, as the map says.
template <int MAP, bool OUT>
__device__ __forceinline__ void touch(const mfft_pass_args &a, line_number first_line, int line, int pos, four &v) {
  long long stride = OUT ? a.out_stride : a.in_stride;
  u32 *base = OUT ? (u32 *)a.out : (u32 *)a.in;
  if (a.vector & (OUT ? 2 : 1)) {
    if (first_line + line >= (line_number)a.lines) return;
    u32 *p = base + find_line<OUT>(a, first_line + line).offset + (MAP == BY_LINE ? pos * stride : pos);
    if (OUT)
      write4(p, v);
    else
      v = read4(p);
    return;
  }
#pragma unroll
  for (int c = 0; c < 4; c++) {
    int l = MAP == BY_LINE ? line + c : line, at = MAP == BY_LINE ? pos : pos + c;
    if (first_line + l >= (line_number)a.lines) continue;
    u32 *p = base + find_line<OUT>(a, first_line + l).offset + at * stride;
    if (OUT)
      *p = v.x[c];
    else
      v.x[c] = *p;
  }
}

struct matrix {
  u32 a[2][2][4];  // [output parity][half of the rows][register of A]
};
__device__ __forceinline__ void load_matrix(const mfft_pass_args &a, int merge, matrix &m) {
  const uint4 *table = (const uint4 *)a.matrices + merge * 128 + (threadIdx.x & 31);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    uint4 v = table[i * 32];
    u32 *to = m.a[i >> 1][i & 1];
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
  }
}

#if PASS_PRECISION == 2
#define PASS_MMA mma_half
#define PASS_PACK pack_half
#else
#define PASS_MMA mma_bfloat
#define PASS_PACK pack_bfloat
#endif

// exp(i turn k), k a signed angle that fills 32 bits: exact until it becomes a float.  Circles are powers of two.
__device__ __forceinline__ value quick_root(float turn, u32 k) {
  float angle = (float)(int)k * turn, s, c;
  __sincosf(angle, &s, &c);
  return {c, s};
}

struct results {
  four v[2][2];  // [output parity][group of columns]
};

// One tile: rows in (by lane: t + 4 i of four columns), results out, turned for the next merge or for the next pass.
template <int I>
__device__ __forceinline__ void merge_tile(const mfft_pass_args &a, const matrix &m, const four (&x)[4], int tile,
                                           line_number first_line, results &r) {
  constexpr int R = radix(I), S = before(I), MAP = map_of<I>();
  value v[2][2][4];
#pragma unroll
  for (int c = 0; c < 4; c++)
#pragma unroll
    for (int odd = 0; odd < 2; odd++) {
      float d[4] = {0, 0, 0, 0};
      PASS_MMA(d, m.a[odd][0], x[0].x[c], x[1].x[c]);
      PASS_MMA(d, m.a[odd][1], x[2].x[c], x[3].x[c]);
      v[odd][0][c] = {d[0], d[2]};
      v[odd][1][c] = {d[1], d[3]};
    }
#pragma unroll
  for (int odd = 0; odd < 2; odd++)
#pragma unroll
    for (int h = 0; h < 2; h++) {
      int row = 2 * lane_g() + odd, q = row / (16 / R), u = row % (16 / R), column = column_out(tile, h);
      if constexpr (I < MERGES - 1) {
        constexpr int CIRCLE = 32 - log2_of(N / S);  // W_(N/S)^(p q), p = j / S
        int j = part_of<MAP>(column) + u * STEP;
        value w = quick_root(a.merge_turn, (u32)(j / S * q) << CIRCLE);
        w.re *= a.merge_scale[I], w.im *= a.merge_scale[I];
        if constexpr (MAP == BY_LINE || S % 4 == 0) {
#pragma unroll
          for (int c = 0; c < 4; c++) v[odd][h][c] = v[odd][h][c] * w;
        } else if constexpr (S == 1 && together<MAP>()) {
          value step = quick_root(a.merge_turn, (u32)q << CIRCLE);
#pragma unroll
          for (int c = 0; c < 4; c++) {
            v[odd][h][c] = v[odd][h][c] * w;
            if (c < 3) w = w * step;
          }
        } else {
#pragma unroll
          for (int c = 0; c < 4; c++) {
            w = quick_root(a.merge_turn, (u32)((part_of<MAP>(column + c) + u * STEP) / S * q) << CIRCLE);
            v[odd][h][c].re *= a.merge_scale[I], v[odd][h][c].im *= a.merge_scale[I];
            v[odd][h][c] = v[odd][h][c] * w;
          }
        }
      } else {
#if PASS_OUTER
        int k = part_of<MAP>(column) + u * STEP + q * S;
        u32 outer = find_line<true>(a, first_line + line_of<MAP>(column)).outer;
        value w = quick_root(a.merge_turn, (k * outer) << a.outer_shift);
        value step = {1, 0};
        if (MAP == BY_ELEMENT) step = quick_root(a.merge_turn, outer << a.outer_shift);
        if (MAP == BY_LINE && PASS_OUTER == 1) step = quick_root(a.merge_turn, k << a.outer_shift);
#pragma unroll
        for (int c = 0; c < 4; c++) {
          if ((MAP == BY_LINE && !(a.vector & 4)) || !together<MAP>()) {  // neighbours that are not in step
            int kc = part_of<MAP>(column + c) + u * STEP + q * S;
            w = quick_root(a.merge_turn, (kc * find_line<true>(a, first_line + line_of<MAP>(column + c)).outer) << a.outer_shift);
          }
          v[odd][h][c] = v[odd][h][c] * w;
          w = w * step;
        }
#endif
#if PASS_SCALED
#pragma unroll
        for (int c = 0; c < 4; c++) v[odd][h][c].re *= (float)a.scale, v[odd][h][c].im *= (float)a.scale;
#endif
      }
#pragma unroll
      for (int c = 0; c < 4; c++) r.v[odd][h].x[c] = PASS_PACK(v[odd][h][c].re, v[odd][h][c].im);
    }
}

// Results to shared memory in Stockham order.
template <int I>
__device__ __forceinline__ void put(u32 *shared, const results &r, int tile) {
  constexpr int R = radix(I), S = before(I), MAP = map_of<I>();
#pragma unroll
  for (int h = 0; h < 2; h++)
#pragma unroll
    for (int c = 0; c < 4; c++) {
      int column = column_out(tile, h) + c, line = line_of<MAP>(column), part = part_of<MAP>(column);
      bool grouped = (MAP == BY_LINE ? LINE_INNER : S % 4 == 0) && together<MAP>();
      if (grouped && c) break;
      int row = 2 * lane_g(), q = row / (16 / R), j = part + row % (16 / R) * STEP;
      int at = j / S * (S * R) + j % S + q * S;
      if constexpr (R == 16 && S == 1) {  // outputs 2g and 2g + 1 touch
        if (!grouped) {
          *(uint2 *)(shared + slot<S>(line, at)) = make_uint2(r.v[0][h].x[c], r.v[1][h].x[c]);
          continue;
        }
      }
      int row1 = row + 1, q1 = row1 / (16 / R), j1 = part + row1 % (16 / R) * STEP;
      int at1 = j1 / S * (S * R) + j1 % S + q1 * S;
      if (grouped) {
        write4(shared + slot<S>(line, at), r.v[0][h]);
        write4(shared + slot<S>(line, at1), r.v[1][h]);
      } else {
        shared[slot<S>(line, at)] = r.v[0][h].x[c];
        shared[slot<S>(line, at1)] = r.v[1][h].x[c];
      }
    }
}

// The rows of a tile from shared memory, where a merge of S put them.
template <int S, int MAP>
__device__ __forceinline__ void get(const u32 *shared, int tile, four (&x)[4]) {
  int column = column_in(tile);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    int row = lane_t() + 4 * i;
    if constexpr ((MAP == BY_LINE ? LINE_INNER : true) && together<MAP>()) {
      x[i] = read4(shared + slot<S>(line_of<MAP>(column), part_of<MAP>(column) + row * STEP));
    } else {
#pragma unroll
      for (int c = 0; c < 4; c++)
        x[i].x[c] = shared[slot<S>(line_of<MAP>(column + c), part_of<MAP>(column + c) + row * STEP)];
    }
  }
}

// Copies whole lines between device and shared memory, four elements at a time.
template <bool OUT, int S>
__device__ __forceinline__ void walk(const mfft_pass_args &a, line_number first_line, u32 *shared) {
  constexpr int COUNT = N * LINES / 4 / BLOCK;  // 4 TILES
  four v[COUNT];
#pragma unroll
  for (int i = 0; i < COUNT; i++) {
    int at = 4 * (threadIdx.x + i * BLOCK), line = at / N, pos = at % N;
    if (OUT) {
      v[i] = read4(shared + slot<S>(line, pos));
      touch<BY_ELEMENT, true>(a, first_line, line, pos, v[i]);
    } else {
      v[i] = {{0, 0, 0, 0}};
      touch<BY_ELEMENT, false>(a, first_line, line, pos, v[i]);
    }
  }
  if (!OUT) {
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
      int at = 4 * (threadIdx.x + i * BLOCK);
      write4(shared + slot<S>(at / N, at % N), v[i]);
    }
  }
}

template <int I>
__device__ __forceinline__ void merge_on(const mfft_pass_args &a, u32 *shared, matrix &m, line_number first_line) {
  constexpr int R = radix(I), MAP = map_of<I>(), CAME = I ? before(I - 1) : 0;
  if constexpr (I == 0 || radix(I) != radix(I ? I - 1 : 0)) load_matrix(a, I, m);
  results r[TILES];
  four x[TILES][4];
#pragma unroll
  for (int tile = 0; tile < TILES; tile++) {
    if constexpr (I == 0 && !PASS_STAGED_IN) {
      int column = column_in(tile);
#pragma unroll
      for (int i = 0; i < 4; i++) {
        x[tile][i] = {{0, 0, 0, 0}};
        touch<MAP, false>(a, first_line, line_of<MAP>(column), part_of<MAP>(column) + (lane_t() + 4 * i) * STEP, x[tile][i]);
      }
    } else {
      get<CAME, MAP>(shared, tile, x[tile]);
    }
  }
#pragma unroll
  for (int tile = 0; tile < TILES; tile++) merge_tile<I>(a, m, x[tile], tile, first_line, r[tile]);
  if constexpr (I == MERGES - 1 && !PASS_STAGED_OUT) {
#pragma unroll
    for (int tile = 0; tile < TILES; tile++)
#pragma unroll
      for (int odd = 0; odd < 2; odd++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
          int column = column_out(tile, h), row = 2 * lane_g() + odd, q = row / (16 / R), u = row % (16 / R);
          touch<MAP, true>(a, first_line, line_of<MAP>(column), part_of<MAP>(column) + u * STEP + q * (N / R), r[tile].v[odd][h]);
        }
  } else {
    if (I > 0 || PASS_STAGED_IN) __syncthreads();
#pragma unroll
    for (int tile = 0; tile < TILES; tile++) put<I>(shared, r[tile], tile);
    __syncthreads();
    if constexpr (I < MERGES - 1)
      merge_on<I + 1>(a, shared, m, first_line);
    else
      walk<true, before(I)>(a, first_line, shared);
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) u32 shared_words[];  // [N LINES] the tile
  line_number first_line = (line_number)blockIdx.x * LINES;
  matrix m;
  release_next();
  wait_for_previous();
  if constexpr (PASS_STAGED_IN) {
    walk<false, 0>(a, first_line, shared_words);
    __syncthreads();
  }
  merge_on<0>(a, shared_words, m, first_line);
}

}  // namespace mfft
