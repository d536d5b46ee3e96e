// odd.cu: one pass over real lines of odd length N, to the first half of their spectrum or back.
//
// Forward, the first merge has radix A and real inputs.  Its results q and A - q are conjugates, and so are all results that
// later merges compute from them.  Therefore only results q < H = (A + 1) / 2 are computed, and the later merges work on H N
// / A complexes, half the numbers and half the work.  Element p H + q of these corresponds to element p A + q of the N,
// whose twiddle it gets, and finally to result p A + q, or, beyond the middle, to the conjugate of result N - (p A + q).
// Backward the steps are done in the opposite order, and the last merge computes A reals from H complexes.  (Sorensen and
// others, Real-valued fast Fourier transform algorithms, 1987, for powers of two; here for odd factors.)
//
//   block      transforms LINES real lines
//   thread     is one of THREADS threads of a line and holds VALUES complexes, as in pass.cu; the A reals of a real
//              butterfly are stored two by two in H complexes
//   shared     [PASS_EXCHANGE_BYTES] the exchange area, and staged copies of lines as reals or as half spectra
#include "merge.cuh"
#include "real_butterfly.cuh"

namespace mfft {

constexpr bool FORWARD = PASS_LOAD == REAL;
constexpr int LAST = MERGES - 1, OF_REALS = FORWARD ? 0 : LAST;  // indices of merges
constexpr int A = radix(OF_REALS), H = (A + 1) / 2, HALF_LINE = N / 2 + 1;

struct odd_shape : pass_shape {
  static constexpr int N = mfft::N / A * H;
  __host__ __device__ static constexpr int radix(int i) { return i == OF_REALS ? H : mfft::radix(i); }
};
typedef chain<odd_shape> merges;
constexpr int VALUES = merges::most_values();

// The line of a thread under a map.
template <bool OUT, int MAP>
struct own_line {
  line_start p;
  bool live;  // the line exists: the last block may have fewer lines than LINES
  __device__ __forceinline__ own_line(const mfft_pass_args &a, line_number first_line) {
    const int line = merges::line_of_thread<MAP>();
    live = first_line + line < (line_number)a.lines;
    p = live ? find_line<OUT>(a, first_line + line) : line_start{0, 0};
  }
};

// The element of the line of N that is input (output) q of butterfly j of the first (last) complex merge.
template <int I>
__device__ __forceinline__ int element(int j, int q) {
  return MERGES == 1 ? q : j / H * A + j % H + q * (N / radix(I));
}

// Real number q of a butterfly, which are stored in pairs.
__device__ __forceinline__ real &part(value *v, int q) { return q % 2 ? v[q / 2].im : v[q / 2].re; }

// Rows of staged copies have an odd pitch.
__device__ __forceinline__ real &staged_real(const tile &t, int line, int pos) { return t.part[line * N + pos]; }
__device__ __forceinline__ value &staged_half(const tile &t, int line, int pos) {
  return t.whole[line * (HALF_LINE | 1) + pos];
}

// Loads the inputs of the first merge to v.
__device__ __forceinline__ void load_tile(const mfft_pass_args &a, value *v, const tile &t, line_number first_line) {
  constexpr int R = merges::radix(0);
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
#if PASS_STAGED_IN
  constexpr int COUNT = FORWARD ? N : HALF_LINE;
  value held[ceil_div(COUNT * LINES, BLOCK)];
  walk<PASS_MAP_IN, COUNT>(a, first_line, [&](int i, int line, int pos) {
    held[i] = load(a, find_line<false>(a, first_line + line).offset, pos);
  });
  walk<PASS_MAP_IN, COUNT>(a, first_line, [&](int i, int line, int pos) {
    if constexpr (FORWARD)
      staged_real(t, line, pos) = held[i].re;
    else
      staged_half(t, line, pos) = held[i];
  });
  merges::barrier();
  const auto get = [&](int line, int pos) {
    if constexpr (FORWARD) return value{staged_real(t, line, pos), 0};
    const value x = staged_half(t, line, pos <= N / 2 ? pos : N - pos);
    return pos <= N / 2 ? x : conj(x);
  };
#else
  const own_line<false, merges::map_of(0)> at(a, first_line);
  if (!at.live) return;
  const auto get = [&](int, int pos) { return load(a, at.p.offset, pos); };
#endif
  merges::each<0>(t, [&](int b, int line, int j) {
    if constexpr (FORWARD) {
#pragma unroll
      for (int q = 0; q < A; q++) part(v + b * H, q) = get(line, j + q * (N / A)).re;
    } else {
#pragma unroll
      for (int q = 0; q < R; q++) v[b * R + q] = get(line, element<0>(j, q));
    }
  });
}

// Scales and stores the results of the last merge.
__device__ __forceinline__ void store_tile(const mfft_pass_args &a, value *v, const tile &t, line_number first_line) {
  constexpr int R = merges::radix(LAST);
  scale<VALUES>(a, v);
#if PASS_STAGED_OUT
  if (MERGES > 1 || PASS_STAGED_IN) merges::barrier();
  const auto put = [&](int line, int pos, value x) {
    if constexpr (FORWARD)
      staged_half(t, line, pos) = x;
    else
      staged_real(t, line, pos) = x.re;
  };
#else
  const own_line<true, merges::map_of(LAST)> at(a, first_line);
  if (!at.live) return;
  const auto put = [&](int, int pos, value x) { store(a, at.p.offset, pos, x); };
#endif
  merges::each<LAST>(t, [&](int b, int line, int j) {
    if constexpr (!FORWARD) {
#pragma unroll
      for (int q = 0; q < A; q++) put(line, j + q * (N / A), {part(v + b * H, q), 0});
    } else {
#pragma unroll
      for (int q = 0; q < R; q++) {
        const int k = element<LAST>(j, q);
        if (2 * k < N)
          put(line, k, v[b * R + q]);
        else if (j % H)  // otherwise the butterfly has its conjugate too
          put(line, N - k, conj(v[b * R + q]));
      }
    }
  });
#if PASS_STAGED_OUT
  merges::barrier();
  walk<PASS_MAP_OUT, FORWARD ? HALF_LINE : N>(a, first_line, [&](int, int line, int pos) {
    const value x = FORWARD ? staged_half(t, line, pos) : value{staged_real(t, line, pos), 0};
    store(a, find_line<true>(a, first_line + line).offset, pos, x);
  });
#endif
}

__device__ __forceinline__ void merge_reals(value *v, const tile &t) {
  merges::each<OF_REALS>(t, [&](int b, int, int) { transform_odd<A, SIGN, (PASS_EXACT >= ROUNDED_ONCE)>(v + b * H); });
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];
  const tile t = {(value *)shared, (real *)shared, false};
  const line_number first_line = (line_number)blockIdx.x * LINES;
  value v[VALUES];
  release_next();
  wait_for_previous();
  load_tile(a, v, t, first_line);
#if PASS_FETCH
  prefetch_lines<HALF_LINE>(a, [&](line_number first, int line) { return find_line<false>(a, first + line).offset; });
#endif
  if (FORWARD) merge_reals(v, t);
  merge_all<merges, FORWARD ? 1 : 0, FORWARD ? MERGES : LAST>(a.merge_table, v, t);
  if (!FORWARD) merge_reals(v, t);
  store_tile(a, v, t, first_line);
}

}  // namespace mfft
