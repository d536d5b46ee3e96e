// pass.cu: one pass with register butterflies.  Each thread merges a few elements at a time; between two merges the values
// change hands through shared memory.
#include "exchange.cuh"

namespace mfft {

struct tile {
  value *whole;  // [SLOTS] or, where the exchange is split,
  real *part;    // [SLOTS]
  value *steps;  // [radix of the last merge][LINES] twiddles between passes
};

template <int I>
__host__ __device__ constexpr int map_of() {
  return I == 0 && !PASS_STAGED_IN ? PASS_MAP_IN : I == MERGES - 1 && !PASS_STAGED_OUT ? PASS_MAP_OUT : PASS_MAP_MID;
}
__host__ __device__ constexpr int table_offset(int i) {  // twiddles of merge i come after those of the merges before it
  int offset = 0, s = 1;
  for (int m = 0; m < i; m++) s *= radix(m), offset += (radix(m) - 1) * (N / s);
  return offset;
}

template <int R, class F>
__device__ __forceinline__ void each(int first, F f) {  // f(b, j) for the butterflies j of this thread
  constexpr int COUNT = N / R, EACH = (COUNT + THREADS - 1) / THREADS;
#pragma unroll
  for (int b = 0; b < EACH; b++) {
    int j = first + b * THREADS;
    if (COUNT % THREADS == 0 || j < COUNT) f(b, j);
  }
}

// f(i, line, pos) for the elements pos < COUNT of the block's lines that exist, neighbours by the map: staged copies.
template <int MAP, int COUNT, class F>
__device__ __forceinline__ void walk(const mfft_pass_args &a, line_number first_line, F f) {
#pragma unroll
  for (int i = 0; i < ceil_div(COUNT * LINES, BLOCK); i++) {
    int at = threadIdx.x + i * BLOCK;
    int line = MAP == BY_LINE ? at % LINES : at / COUNT, pos = MAP == BY_LINE ? at / LINES : at % COUNT;
    if ((COUNT * LINES % BLOCK == 0 || at < COUNT * LINES) && first_line + line < (line_number)a.lines) f(i, line, pos);
  }
}

// Values of merge I, of which the radices before multiply to S, to the places where merge I + 1 finds them.
template <int I, int S>
__device__ __forceinline__ void hand_over(value (&v)[VALUES], const tile &t) {
  constexpr int R = radix(I), NEXT = radix(I + 1);
  int line = line_of_thread<map_of<I>()>(), part = part_of_thread<map_of<I>()>();
  int line2 = line_of_thread<map_of<I + 1>()>(), part2 = part_of_thread<map_of<I + 1>()>();
  if constexpr (!PASS_SPLIT) {
    if (I > 0 || PASS_STAGED_IN) in_step();
    each<R>(part, [&](int b, int j) {
#pragma unroll
      for (int q = 0; q < R; q++) t.whole[slot(line, written<R, S>(j, q))] = v[b * R + q];
    });
    in_step();
    each<NEXT>(part2, [&](int b, int j) {
#pragma unroll
      for (int q = 0; q < NEXT; q++) v[b * NEXT + q] = t.whole[slot(line2, j + q * (N / NEXT))];
    });
  } else {
    real kept[VALUES];
    if (I > 0 || PASS_STAGED_IN) in_step();
    each<R>(part, [&](int b, int j) {
#pragma unroll
      for (int q = 0; q < R; q++) t.part[slot(line, written<R, S>(j, q))] = v[b * R + q].re;
    });
    in_step();
    each<NEXT>(part2, [&](int b, int j) {
#pragma unroll
      for (int q = 0; q < NEXT; q++) kept[b * NEXT + q] = t.part[slot(line2, j + q * (N / NEXT))];
    });
    in_step();
    each<R>(part, [&](int b, int j) {
#pragma unroll
      for (int q = 0; q < R; q++) t.part[slot(line, written<R, S>(j, q))] = v[b * R + q].im;
    });
    in_step();
    each<NEXT>(part2, [&](int b, int j) {
#pragma unroll
      for (int q = 0; q < NEXT; q++) v[b * NEXT + q] = {kept[b * NEXT + q], t.part[slot(line2, j + q * (N / NEXT))]};
    });
  }
}

// The last merge: twiddle between passes, scale, store.
template <int S>
__device__ __forceinline__ void finish(const mfft_pass_args &a, value (&v)[VALUES], const tile &t, line_number first_line) {
  constexpr int R = radix(MERGES - 1), MAP = map_of<MERGES - 1>();
  int line = line_of_thread<MAP>(), part = part_of_thread<MAP>();
  bool live = first_line + line < (line_number)a.lines;
  place p = {0, 0};
  if (live) p = find_line<true>(a, first_line + line);
#if PASS_OUTER
  each<R>(part, [&](int b, int j) {
    value base = outer_root(a, (u32)j * p.outer);
    v[b * R] = v[b * R] * base;
#pragma unroll
    for (int q = 1; q < R; q++) v[b * R + q] = v[b * R + q] * (base * t.steps[q * LINES + line]);
  });
#endif
#if PASS_SCALED
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i].re *= (real)a.scale, v[i].im *= (real)a.scale;
#endif
#if !PASS_STAGED_OUT
  if (live)
    each<R>(part, [&](int b, int j) {
#pragma unroll
      for (int q = 0; q < R; q++) store(a, p.offset, j + q * (N / R), v[b * R + q]);
    });
#else
  if (MERGES > 1 || PASS_STAGED_IN) in_step();
  each<R>(part, [&](int b, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) t.whole[slot(line, j + q * (N / R))] = v[b * R + q];
  });
  in_step();
#if PASS_STORE == 3  // real input: even and odd samples were packed as re and im
  walk<PASS_MAP_OUT, N / 2 + 1>(a, first_line, [&](int, int line, int k) {
    value x = t.whole[slot(line, k)], y = conj(t.whole[slot(line, k ? N - k : 0)]);
    value even = x + y, odd = x - y;
    value turned = table(a.real_table, k) * value{odd.im, -odd.re};
    stored *out = (stored *)a.out + find_line<true>(a, first_line + line).offset;
    value sum = even + turned, difference = conj(even - turned);
    out[k * a.out_stride] = narrow({sum.re * (real)0.5, sum.im * (real)0.5});
    if (2 * k != N) out[(N - k) * a.out_stride] = narrow({difference.re * (real)0.5, difference.im * (real)0.5});
  });
#else
  walk<PASS_MAP_OUT, N>(a, first_line, [&](int, int line, int pos) {
    store(a, find_line<true>(a, first_line + line).offset, pos, t.whole[slot(line, pos)]);
  });
#endif
#endif
}

// v[q] times W^(p q).  Roots are loaded for q = 1, 2, 3 and the multiples of 4; the others are products of two of those,
// which costs half a rounding and saves most of the loads.
template <int R, int M>
__device__ __forceinline__ void turn_between(const mfft_pass_args &a, value *v, int at) {
  value low[4];
#pragma unroll
  for (int q = 1; q < R && q < 4; q++) {
    low[q] = table(a.merge_table, at + (q - 1) * M);
    v[q] = v[q] * low[q];
  }
#pragma unroll
  for (int f = 4; f < R; f += 4) {
    value high = table(a.merge_table, at + (f - 1) * M);
    v[f] = v[f] * high;
#pragma unroll
    for (int q = f + 1; q < R && q < f + 4; q++) v[q] = v[q] * (high * low[q - f]);
  }
}

template <int I, int S>
__device__ __forceinline__ void merge_on(const mfft_pass_args &a, value (&v)[VALUES], const tile &t,
                                         line_number first_line) {
  constexpr int R = radix(I);
  each<R>(part_of_thread<map_of<I>()>(), [&](int b, int) { dft<R, SIGN>(v + b * R); });
  if constexpr (I == MERGES - 1) {
    finish<S>(a, v, t, first_line);
  } else {
    constexpr int M = N / (S * R);  // twiddles repeat for S neighbours
    each<R>(part_of_thread<map_of<I>()>(), [&](int b, int j) { turn_between<R, M>(a, v + b * R, table_offset(I) + j / S); });
    hand_over<I, S>(v, t);
    merge_on<I + 1, S * R>(a, v, t, first_line);
  }
}

// Fills v with the elements of the first merge.
__device__ __forceinline__ void begin(const mfft_pass_args &a, value (&v)[VALUES], const tile &t, line_number first_line) {
  constexpr int R = radix(0);
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
#if !PASS_STAGED_IN
  int line = line_of_thread<PASS_MAP_IN>(), part = part_of_thread<PASS_MAP_IN>();
  if (first_line + line >= (line_number)a.lines) return;
  place p = find_line<false>(a, first_line + line);
  each<R>(part, [&](int b, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = load(a, p.offset, j + q * (N / R));
  });
#else
#if PASS_LOAD == 3  // real output: pack even and odd samples as re and im
  constexpr int PAIRS = ceil_div((N / 2 + 1) * LINES, BLOCK);
  stored low[PAIRS], high[PAIRS];  // all loads first, so that they wait together
  walk<PASS_MAP_IN, N / 2 + 1>(a, first_line, [&](int i, int line, int k) {
    const stored *in = (const stored *)a.in + find_line<false>(a, first_line + line).offset;
    low[i] = in[k * a.in_stride];
    high[i] = in[(N - k) * a.in_stride];
  });
  walk<PASS_MAP_IN, N / 2 + 1>(a, first_line, [&](int i, int line, int k) {
    value x = widen(low[i]), y = conj(widen(high[i]));
    if (k == 0) x.im = 0, y.im = 0;  // these two are real by definition
    value even = x + y, odd = table(a.real_table, k) * (x - y);
    odd = {-odd.im, odd.re};
    t.whole[slot(line, k)] = even + odd;
    if (k && 2 * k != N) t.whole[slot(line, N - k)] = conj(even - odd);
  });
#else
  value kept[ceil_div(N, THREADS)];
  walk<PASS_MAP_IN, N>(a, first_line, [&](int i, int line, int pos) {
    kept[i] = load(a, find_line<false>(a, first_line + line).offset, pos);
  });
  walk<PASS_MAP_IN, N>(a, first_line, [&](int i, int line, int pos) { t.whole[slot(line, pos)] = kept[i]; });
#endif
  in_step();
  int line = line_of_thread<map_of<0>()>(), part = part_of_thread<map_of<0>()>();
  each<R>(part, [&](int b, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = t.whole[slot(line, j + q * (N / R))];
  });
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // [exchange area][twiddle steps]
  tile t;
  t.whole = (value *)shared;
  t.part = (real *)shared;
  t.steps = (value *)(shared + PASS_EXCHANGE_BYTES);
  line_number first_line = (line_number)blockIdx.x * LINES;
  value v[VALUES];
  release_next();
  wait_for_previous();
  begin(a, v, t, first_line);
#if PASS_OUTER
  for (int i = threadIdx.x; i < radix(MERGES - 1) * LINES; i += BLOCK) {
    int q = i / LINES, line = i % LINES;
    value step = {1, 0};
    if (first_line + line < (line_number)a.lines)
      step = outer_root(a, find_line<true>(a, first_line + line).outer * (u32)(q * (N / radix(MERGES - 1))));
    t.steps[i] = step;
  }
  __syncthreads();
#endif
  merge_on<0, 1>(a, v, t, first_line);
}

}  // namespace mfft
