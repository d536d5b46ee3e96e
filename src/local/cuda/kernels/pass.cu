// pass.cu: one pass with register butterflies: load or pack a tile of lines, merge, turn between passes, store.
#include "merge.cuh"

namespace mfft {

typedef chain<pass_shape> merges;  // the only one of this kernel

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

// The last merge: twiddle between passes, scale, store.
__device__ __forceinline__ void finish(const mfft_pass_args &a, value *v, const tile &t, const value *steps,
                                       line_number first_line) {
  constexpr int R = radix(MERGES - 1), MAP = merges::map_of(MERGES - 1);
  int line = merges::line_of_thread<MAP>(), part = merges::part_of_thread<MAP>();
  bool live = first_line + line < (line_number)a.lines;
  place p = {0, 0};
  if (live) p = find_line<true>(a, first_line + line);
#if PASS_OUTER
  turn_out<merges>(a, v, steps, p.outer);
#endif
#if PASS_SCALED
#pragma unroll
  for (int i = 0; i < merges::most_values(); i++) v[i].re *= (real)a.scale, v[i].im *= (real)a.scale;
#endif
#if !PASS_STAGED_OUT
  if (live)
    merges::each<R>(part, [&](int b, int j) {
#pragma unroll
      for (int q = 0; q < R; q++) store(a, p.offset, j + q * (N / R), v[b * R + q]);
    });
#else
  if (MERGES > 1 || PASS_STAGED_IN) merges::in_step();
  merges::each<R>(part, [&](int b, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) t.whole[merges::slot(line, j + q * (N / R))] = v[b * R + q];
  });
  merges::in_step();
#if PASS_STORE == 3  // real input: even and odd samples were packed as re and im
  walk<PASS_MAP_OUT, N / 2 + 1>(a, first_line, [&](int, int line, int k) {
    value x = t.whole[merges::slot(line, k)], y = conj(t.whole[merges::slot(line, k ? N - k : 0)]);
    value even = x + y, odd = x - y;
    value turned = table(a.real_table, k) * value{odd.im, -odd.re};
    stored *out = (stored *)a.out + find_line<true>(a, first_line + line).offset;
    value sum = even + turned, difference = conj(even - turned);
    out[k * a.out_stride] = narrow({sum.re * (real)0.5, sum.im * (real)0.5});
    if (2 * k != N) out[(N - k) * a.out_stride] = narrow({difference.re * (real)0.5, difference.im * (real)0.5});
  });
#else
  walk<PASS_MAP_OUT, N>(a, first_line, [&](int, int line, int pos) {
    store(a, find_line<true>(a, first_line + line).offset, pos, t.whole[merges::slot(line, pos)]);
  });
#endif
#endif
}

// Fills v with the elements of the first merge.
__device__ __forceinline__ void begin(const mfft_pass_args &a, value *v, const tile &t, line_number first_line) {
  constexpr int R = radix(0);
#pragma unroll
  for (int i = 0; i < merges::most_values(); i++) v[i] = {0, 0};
#if !PASS_STAGED_IN
  int line = merges::line_of_thread<PASS_MAP_IN>(), part = merges::part_of_thread<PASS_MAP_IN>();
  if (first_line + line >= (line_number)a.lines) return;
  place p = find_line<false>(a, first_line + line);
  merges::each<R>(part, [&](int b, int j) {
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
    t.whole[merges::slot(line, k)] = even + odd;
    if (k && 2 * k != N) t.whole[merges::slot(line, N - k)] = conj(even - odd);
  });
#else
  value kept[ceil_div(N, THREADS)];
  walk<PASS_MAP_IN, N>(a, first_line, [&](int i, int line, int pos) {
    kept[i] = load(a, find_line<false>(a, first_line + line).offset, pos);
  });
  walk<PASS_MAP_IN, N>(a, first_line, [&](int i, int line, int pos) { t.whole[merges::slot(line, pos)] = kept[i]; });
#endif
  merges::in_step();
  int line = merges::line_of_thread<merges::map_of(0)>(), part = merges::part_of_thread<merges::map_of(0)>();
  merges::each<R>(part, [&](int b, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = t.whole[merges::slot(line, j + q * (N / R))];
  });
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // [exchange area][twiddle steps]
  tile t = {(value *)shared, (real *)shared};
  value *steps = (value *)(shared + PASS_EXCHANGE_BYTES);
  line_number first_line = (line_number)blockIdx.x * LINES;
  value v[merges::most_values()];
  release_next();
  wait_for_previous();
  begin(a, v, t, first_line);
#if PASS_OUTER
  fill_steps<merges>(a, steps, [&](int line) {
    return first_line + line < (line_number)a.lines ? find_line<true>(a, first_line + line).outer : 0;
  });
  __syncthreads();
#endif
  merge_all<merges>(a.merge_table, v, t);
  finish(a, v, t, steps, first_line);
}

}  // namespace mfft
