// tensor.cu: one pass of 16-bit numbers on tensor cores.
//
// A merge of radix r works on tiles of 16 rows: element jc + (N/16) row of a line is row `row` of column jc.  With
// row = a (16/r) + u the 16 rows hold 16/r butterflies u, and the tile is multiplied by F_r (x) I: an m16n8k16 product takes
// 8 columns, with re and im of 8 rows as its 16 deep side, so a register of B is one complex as it lies in memory.
// A warp takes 32 columns at a time.  Lane 4 g + t reads rows t, t+4, t+8, t+12 of four neighbouring columns, and ends up
// with rows 2g and 2g+1 of eight columns in single precision, which it turns and rounds once: all accesses are 16 bytes
// wide.
#include "memory.cuh"

namespace mfft {

constexpr u32 STEP = N / 16;           // distance of rows, and columns of a line
constexpr u32 COLUMNS = STEP * LINES;  // of the block
constexpr bool LINE_INNER = PASS_MAP_IN == BY_LINE && PASS_MAP_MID == BY_LINE && PASS_MAP_OUT == BY_LINE;
static_assert(COLUMNS == BLOCK && BLOCK % 32 == 0, "a warp takes 32 columns");

__host__ __device__ constexpr int log2_of(int n) { return n < 2 ? 0 : 1 + log2_of(n / 2); }

// Place in shared memory.  Groups of four neighbours stay together; groups are spread over the banks by the bits in which
// the lanes of an access differ: rows STEP apart when read, and outputs S apart when written by a merge of that S.
// Everything is a power of two, so a place is made of its coordinates' bits by exclusive or: place(a | b) = place(a) ^
// place(b).
template <u32 S>
__host__ __device__ constexpr u32 slot(u32 line, u32 pos) {
  constexpr int M = log2_of(STEP), W = log2_of(S) + 1;
  if (LINE_INNER) {
    u32 turn = ((pos >> M) & 3) << 2;
    if (S) turn ^= ((pos >> W) & 1) << 4;
    return (pos * LINES + line) ^ turn;
  }
  u32 turn = ((line & 1) << 3) ^ ((line & 2) << 1) ^ (((line >> 2) & 3) << 3);
  if (M <= 5) turn ^= ((pos >> 5) & (S == 1 ? 7 : 3)) << 2;
  if (M > 5) turn ^= ((pos >> M) & 3) << 2;
  if (M > 5 && S == 1) turn ^= ((pos >> 6) & 3) << 3;
  if (S > 1) turn ^= ((pos >> (W < 5 ? 5 : W)) & 1) << 4;
  if (N < 32) turn &= N - 1;
  return line * N + (pos ^ turn);
}

template <int MAP>
__host__ __device__ constexpr u32 line_of(u32 column) {
  return MAP == BY_LINE ? column % LINES : column / STEP;
}
template <int MAP>
__host__ __device__ constexpr u32 part_of(u32 column) {
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
__host__ __device__ constexpr u32 before(int i) {
  u32 s = 1;
  for (int m = 0; m < i; m++) s *= radix(m);
  return s;
}

// Butterfly j and output q of an output row, and where that output goes in Stockham order.
template <int I>
__host__ __device__ constexpr u32 butterfly(u32 part, u32 row) {
  return part + row % (16 / radix(I)) * STEP;
}
template <int I>
__host__ __device__ constexpr u32 output(u32 row) {
  return row / (16 / radix(I));
}
template <int I>
__host__ __device__ constexpr u32 written(u32 part, u32 row) {
  constexpr u32 R = radix(I), S = before(I);
  u32 j = butterfly<I>(part, row);
  return j / S * (S * R) + j % S + output<I>(row) * S;
}
template <int I>
__host__ __device__ constexpr u32 put_place(u32 column, u32 row) {
  constexpr int MAP = map_of<I>();
  return 4 * slot<before(I)>(line_of<MAP>(column), written<I>(part_of<MAP>(column), row));
}
template <u32 S, int MAP>
__host__ __device__ constexpr u32 get_place(u32 column, u32 row) {
  return 4 * slot<S>(line_of<MAP>(column), part_of<MAP>(column) + row * STEP);
}

// The part (jc) of the columns of this lane, given one of them; told in a way that shows the compiler what a warp shares.
template <int MAP>
__device__ __forceinline__ u32 shared_part(u32 column) {
  return MAP == BY_LINE && LINES >= 32 ? threadIdx.x / LINES : part_of<MAP>(column);
}

// First of the four columns that a lane reads, and of those it ends up with (the second four are 16 further on).
__device__ __forceinline__ u32 lane_g() { return (threadIdx.x & 31) >> 2; }
__device__ __forceinline__ u32 lane_t() { return threadIdx.x & 3; }
__device__ __forceinline__ u32 column_in() { return (threadIdx.x & ~31) + 4 * ((lane_g() >> 1) + 4 * (lane_g() & 1)); }
__device__ __forceinline__ u32 column_out() { return (threadIdx.x & ~31) + 4 * lane_t(); }

struct four {
  u32 x[4];
};
__device__ __forceinline__ four read4(const void *p) {
  uint4 v = *(const uint4 *)p;
  return {{v.x, v.y, v.z, v.w}};
}
__device__ __forceinline__ void write4(void *p, const four &v) { *(uint4 *)p = make_uint4(v.x[0], v.x[1], v.x[2], v.x[3]); }

// Four neighbours in device memory, elements or lines as the map says, at element pos + more of a line: `more` is known at
// compile time and goes into the instruction.  Loads beyond the last line repeat that line, since columns do not mix.
template <int MAP>
__device__ __forceinline__ four fetch(const mfft_pass_args &a, line_number line, u32 pos, u32 more) {
  const u32 *in = (const u32 *)a.in;
  four v;
  if constexpr (PASS_VECTOR & 1) {
    line_number most = (line_number)a.lines - (MAP == BY_LINE ? 4 : 1);
    in += find_line<false>(a, line < most ? line : most).offset;
    v = read4(MAP == BY_LINE ? in + pos * a.in_stride + more * a.in_stride : in + pos + more);
  } else {
#pragma unroll
    for (int c = 0; c < 4; c++) {
      line_number l = MAP == BY_LINE ? line + c : line, most = (line_number)a.lines - 1;
      v.x[c] =
          in[find_line<false>(a, l < most ? l : most).offset + (MAP == BY_LINE ? pos + more : pos + more + c) * a.in_stride];
    }
  }
  return v;
}
template <int MAP>
__device__ __forceinline__ void keep(const mfft_pass_args &a, line_number line, u32 pos, u32 more, const four &v) {
  u32 *out = (u32 *)a.out;
  if constexpr (PASS_VECTOR & 2) {
    if (line >= (line_number)a.lines) return;
    out += find_line<true>(a, line).offset;
    write4(MAP == BY_LINE ? out + pos * a.out_stride + more * a.out_stride : out + pos + more, v);
  } else {
#pragma unroll
    for (int c = 0; c < 4; c++) {
      line_number l = MAP == BY_LINE ? line + c : line;
      if (l < (line_number)a.lines)
        out[find_line<true>(a, l).offset + (MAP == BY_LINE ? pos + more : pos + more + c) * a.out_stride] = v.x[c];
    }
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
#define PASS_MMA  mma_half
#define PASS_PACK pack_half
#else
#define PASS_MMA  mma_bfloat
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

// Twiddles before the next merge of this pass: W_(N/S)^(p q) with p = j / S.
template <int I>
__device__ __forceinline__ void turn_between(const mfft_pass_args &a, value (&v)[4], u32 column, u32 row) {
  constexpr u32 S = before(I), CIRCLE = 32 - log2_of(N / S);
  constexpr int MAP = map_of<I>();
  u32 q = output<I>(row);
  value w = quick_root(a.merge_turn, (butterfly<I>(shared_part<MAP>(column), row) / S * q) << CIRCLE);
#if PASS_SCALED
  w.re *= a.merge_scale[I], w.im *= a.merge_scale[I];
#endif
  if constexpr (MAP == BY_LINE || S % 4 == 0) {
#pragma unroll
    for (int c = 0; c < 4; c++) v[c] = v[c] * w;
  } else if constexpr (S == 1 && together<MAP>()) {
    value step = quick_root(a.merge_turn, q << CIRCLE);
#pragma unroll
    for (int c = 0; c < 4; c++) {
      v[c] = v[c] * w;
      if (c < 3) w = w * step;
    }
  } else {
    float scale = 1;
#if PASS_SCALED
    scale = a.merge_scale[I];
#endif
#pragma unroll
    for (int c = 0; c < 4; c++) {
      w = quick_root(a.merge_turn, (butterfly<I>(part_of<MAP>(column + c), row) / S * q) << CIRCLE);
      v[c] = v[c] * value{w.re * scale, w.im * scale};
    }
  }
}

// Twiddles before the next pass, and the scale.
__device__ __forceinline__ void turn_last(const mfft_pass_args &a, value (&v)[4], u32 column, u32 row,
                                          line_number first_line) {
#if PASS_OUTER
  constexpr int I = MERGES - 1, MAP = map_of<I>();
  constexpr bool in_step = together<MAP>() && (MAP == BY_ELEMENT || (PASS_VECTOR & 4));  // four neighbours share k or line
  u32 k = written<I>(shared_part<MAP>(column), row), outer = find_line<true>(a, first_line + line_of<MAP>(column)).outer;
  value w = quick_root(a.merge_turn, (k * outer) << a.outer_shift), step = {1, 0};
  if (in_step && MAP == BY_ELEMENT) step = quick_root(a.merge_turn, outer << a.outer_shift);
  if (in_step && MAP == BY_LINE && PASS_OUTER == 1) step = quick_root(a.merge_turn, k << a.outer_shift);
#pragma unroll
  for (int c = 0; c < 4; c++) {
    if (!in_step && c) {
      k = written<I>(part_of<MAP>(column + c), row);
      outer = find_line<true>(a, first_line + line_of<MAP>(column + c)).outer;
      w = quick_root(a.merge_turn, (k * outer) << a.outer_shift);
    }
    v[c] = v[c] * w;
    if (in_step && c < 3 && (MAP == BY_ELEMENT || PASS_OUTER == 1)) w = w * step;
  }
#endif
#if PASS_SCALED
#pragma unroll
  for (int c = 0; c < 4; c++) v[c].re *= (float)a.scale, v[c].im *= (float)a.scale;
#endif
}

// Rows in (t + 4 i of four columns), results out, turned and rounded.
template <int I>
__device__ __forceinline__ void merge(const mfft_pass_args &a, const matrix &m, const four (&x)[4], line_number first_line,
                                      results &r) {
  value v[2][2][4];
#pragma unroll
  for (int c = 0; c < 4; c++)
#pragma unroll
    for (int odd = 0; odd < 2; odd++) {
      float d[4];
      PASS_MMA(d, m.a[odd][0], x[0].x[c], x[1].x[c], true);
      PASS_MMA(d, m.a[odd][1], x[2].x[c], x[3].x[c], false);
      v[odd][0][c] = {d[0], d[2]};
      v[odd][1][c] = {d[1], d[3]};
    }
#pragma unroll
  for (int odd = 0; odd < 2; odd++)
#pragma unroll
    for (int h = 0; h < 2; h++) {
      if constexpr (I < MERGES - 1)
        turn_between<I>(a, v[odd][h], column_out() + 16 * h, 2 * lane_g() + odd);
      else
        turn_last(a, v[odd][h], column_out() + 16 * h, 2 * lane_g() + odd, first_line);
#pragma unroll
      for (int c = 0; c < 4; c++) r.v[odd][h].x[c] = PASS_PACK(v[odd][h][c].re, v[odd][h][c].im);
    }
}

// Results to shared memory in Stockham order.
template <int I>
__device__ __forceinline__ void put(char *shared, const results &r) {
  constexpr u32 R = radix(I), S = before(I);
  constexpr int MAP = map_of<I>();
  constexpr bool grouped = (MAP == BY_LINE ? LINE_INNER : S % 4 == 0) && together<MAP>();
  u32 base = put_place<I>(column_out(), 2 * lane_g());
#pragma unroll
  for (int h = 0; h < 2; h++) {
    if constexpr (grouped) {
      write4(shared + (base ^ put_place<I>(16 * h, 0)), r.v[0][h]);
      write4(shared + (base ^ put_place<I>(16 * h, 1)), r.v[1][h]);
    } else {
#pragma unroll
      for (int c = 0; c < 4; c++) {
        if constexpr (R == 16 && S == 1) {  // outputs 2g and 2g + 1 touch
          *(uint2 *)(shared + (base ^ put_place<I>(16 * h + c, 0))) = make_uint2(r.v[0][h].x[c], r.v[1][h].x[c]);
        } else {
          *(u32 *)(shared + (base ^ put_place<I>(16 * h + c, 0))) = r.v[0][h].x[c];
          *(u32 *)(shared + (base ^ put_place<I>(16 * h + c, 1))) = r.v[1][h].x[c];
        }
      }
    }
  }
}

// The rows of a lane from shared memory, where a merge of S put them.
template <u32 S, int MAP>
__device__ __forceinline__ void get(const char *shared, four (&x)[4]) {
  u32 base = get_place<S, MAP>(column_in(), lane_t());
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if constexpr ((MAP == BY_LINE ? LINE_INNER : true) && together<MAP>()) {
      x[i] = read4(shared + (base ^ get_place<S, MAP>(0, 4 * i)));
    } else {
#pragma unroll
      for (int c = 0; c < 4; c++) x[i].x[c] = *(const u32 *)(shared + (base ^ get_place<S, MAP>(c, 4 * i)));
    }
  }
}

// Copies whole lines between device and shared memory, four elements at a time.
template <bool OUT, u32 S>
__device__ __forceinline__ void walk(const mfft_pass_args &a, line_number first_line, char *shared) {
  four v[4];
  u32 base = 4 * slot<S>(4 * threadIdx.x / N, 4 * threadIdx.x % N);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    u32 at = 4 * (threadIdx.x + i * BLOCK);
    if (OUT)
      keep<BY_ELEMENT>(a, first_line + at / N, at % N, 0, read4(shared + 4 * slot<S>(at / N, at % N)));
    else
      v[i] = fetch<BY_ELEMENT>(a, first_line + at / N, at % N, 0);
  }
  if (!OUT) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      constexpr u32 step = 4 * BLOCK;
      u32 at = i * step;
      if constexpr ((BLOCK & (BLOCK - 1)) == 0)
        write4(shared + (base ^ (4 * slot<S>(at / N, at % N))), v[i]);
      else
        write4(shared + 4 * slot<S>((at + 4 * threadIdx.x) / N, (at + 4 * threadIdx.x) % N), v[i]);
    }
  }
}

template <int I>
__device__ __forceinline__ void merge_on(const mfft_pass_args &a, char *whole, char *shared, matrix &m,
                                         line_number first_line) {
  constexpr int MAP = map_of<I>();
  constexpr u32 CAME = I ? before(I - 1) : 0;
  four x[4];
  results r;
  if constexpr (I == 0 && !PASS_STAGED_IN) {
#pragma unroll
    for (int i = 0; i < 4; i++)
      x[i] =
          fetch<MAP>(a, first_line + line_of<MAP>(column_in()), part_of<MAP>(column_in()) + lane_t() * STEP, 4 * i * STEP);
  } else {
    get<CAME, MAP>(shared, x);
  }
  if constexpr (I == 0 || radix(I) != radix(I ? I - 1 : 0)) load_matrix(a, I, m);
  merge<I>(a, m, x, first_line, r);
  if constexpr (I == MERGES - 1 && !PASS_STAGED_OUT) {
#pragma unroll
    for (int odd = 0; odd < 2; odd++)
#pragma unroll
      for (int h = 0; h < 2; h++) {
        constexpr bool whole = MAP == BY_ELEMENT && STEP >= 32;  // the lane's columns belong to one line
        u32 column = column_out() + (whole ? 0 : 16 * h);
        keep<MAP>(a, first_line + line_of<MAP>(column), written<I>(part_of<MAP>(column), 2 * lane_g()),
                  written<I>(whole ? 16 * h : 0, odd), r.v[odd][h]);
      }
  } else {
    // With two areas, whoever still reads the one is not disturbed by writes to the other.
    if (PASS_TWO_AREAS)
      shared = whole + (I + PASS_STAGED_IN) % 2 * PASS_EXCHANGE_BYTES;
    else if (I > 0 || PASS_STAGED_IN)
      __syncthreads();
    put<I>(shared, r);
    __syncthreads();
    if constexpr (I < MERGES - 1)
      merge_on<I + 1>(a, whole, shared, m, first_line);
    else
      walk<true, before(I)>(a, first_line, shared);
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) char shared_bytes[];  // [4 N LINES] the tile, once or twice
  line_number first_line = (line_number)blockIdx.x * LINES;
  matrix m;
  release_next();
  wait_for_previous();
  if constexpr (PASS_STAGED_IN) {
    walk<false, 0>(a, first_line, shared_bytes);
    __syncthreads();
  }
  merge_on<0>(a, shared_bytes, shared_bytes, m, first_line);
}

}  // namespace mfft
