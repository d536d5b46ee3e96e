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

constexpr bool FORWARD = PASS_LOAD == FORM_REAL;
constexpr int LAST = MERGES - 1, OF_REALS = FORWARD ? 0 : LAST;  // indices of merges
constexpr int A = radix(OF_REALS), H = (A + 1) / 2, HALF_LINE = N / 2 + 1;

struct odd_shape : pass_shape {
  static constexpr int N = mfft::N / A * H;
  __host__ __device__ static constexpr int radix(int i) { return i == OF_REALS ? H : mfft::radix(i); }
};
typedef chain<odd_shape> merges;
constexpr int VALUES = merges::most_values();

// Input (output) q of butterfly j of the first (last) complex merge, I, is element base + q STEP of the line of N.
// Beyond the middle of the line it is the conjugate of another element.  side() says where it is for all butterflies: 1
// below the middle, 2 beyond it, 0 if that depends on the butterfly.
template <int I>
struct half_elements {
  static constexpr int R = merges::radix(I), STEP = MERGES == 1 ? 1 : N / R, MOST = MERGES == 1 ? 0 : STEP - A + H - 1;
  __device__ __forceinline__ static int base(int j) { return MERGES == 1 ? 0 : j / H * A + j % H; }
  __host__ __device__ static constexpr int side(int q) { return 2 * (MOST + q * STEP) < N ? 1 : 2 * q * STEP > N ? 2 : 0; }
};

// The results of a long prime are stored to the staged copy as they are computed, so that the registers of a thread have its
// inputs alone.
constexpr bool STREAMED = MERGES == 1 && PASS_STAGED_IN && PASS_STAGED_OUT && PASS_EXACT < ROUNDED_ONCE && is_long_prime(N);

// Lines whose elements are those of memory, one after the other, so that an access takes a constant distance from the
// address of another one.
constexpr bool PLAIN = !PASS_TRIGONOMETRIC && !PASS_PADDED && !PASS_BLUESTEIN;

// Element first + distance of a line: a real, or an element of a half spectrum within its half.
__device__ __forceinline__ value load_at(const mfft_pass_args &a, long long line, int first, int distance) {
  return PLAIN && PASS_UNIT_IN ? load(a, line + first, distance) : load(a, line, first + distance);
}
__device__ __forceinline__ void store_at(const mfft_pass_args &a, long long line, int first, int distance, value v) {
  if (PLAIN && PASS_UNIT_OUT)
    store(a, line + first, distance, v);
  else
    store(a, line, first + distance, v);
}

// Input q, from element `base` on, of a half spectrum.
template <int I>
__device__ __forceinline__ value load_half(const mfft_pass_args &a, long long line, int base, int q) {
  typedef half_elements<I> of;
  const int distance = q * of::STEP;
  if (!PLAIN || !PASS_UNIT_IN || of::side(q) == 0) return load(a, line, base + distance);
  if (of::side(q) == 2) return conj(widen(from_memory((const stored *)a.in + (line + N - base) - distance)));
  value v = widen(from_memory((const stored *)a.in + (line + base) + distance));
  if (q == 0 && base == 0) v.im = 0;
  return v;
}

// Real number q of a butterfly, which are stored in pairs.
__device__ __forceinline__ real &part(value *v, int q) { return q % 2 ? v[q / 2].im : v[q / 2].re; }

// The staged copy of the block's lines in shared memory, in rows of an odd pitch: reals, or complexes of half spectra. Lines
// that are adjacent in memory are copied as one piece (AS_ONE); if each line also belongs to one thread, each warp copies
// its own 32 lines (ALONE), which have space for both forms.
template <bool REALS>
struct staged_element {
  typedef real type;
};
template <>
struct staged_element<false> {
  typedef value type;
};
template <bool OUT>
struct staged {
  static constexpr int HOW = OUT ? PASS_STAGED_OUT : PASS_STAGED_IN;
  static constexpr bool REALS = OUT != FORWARD, AS_ONE = HOW == STAGED_AS_ONE;
  static constexpr bool ALONE = AS_ONE && THREADS == 1 && MERGES == 1 && LINES % 32 == 0;
  static constexpr int GROUP = ALONE ? 32 : BLOCK, COUNT = REALS ? N : HALF_LINE, PITCH = COUNT | 1;
  static constexpr int ACCESSES = ceil_div(COUNT * (GROUP / THREADS), GROUP);
  static constexpr int ROOM =
      ALONE ? (HALF_LINE | 1) * (REALS ? 2 : 1) : PITCH;  // from one group of lines to the next, a line
  typedef typename staged_element<REALS>::type element;

  __device__ __forceinline__ static element &at(const tile &t, int slot) {
    if constexpr (REALS)
      return t.part[slot];
    else
      return t.whole[slot];
  }
  __device__ __forceinline__ static int slot(int line, int pos) {
    return ALONE ? line / 32 * 32 * ROOM + line % 32 * PITCH + pos : line * PITCH + pos;
  }
  __device__ __forceinline__ static void barrier() {
    if constexpr (ALONE)
      __syncwarp();
    else
      merges::barrier();
  }

  // Element `pos` of a line of N in the copy.
  __device__ __forceinline__ static value get(const tile &t, int line, int pos) {
    if constexpr (REALS) {
      return {at(t, slot(line, pos)), 0};
    } else {
      const value x = at(t, slot(line, pos <= N / 2 ? pos : N - pos));
      return AS_ONE && pos == 0 ? value{x.re, 0} : pos <= N / 2 ? x : conj(x);
    }
  }
  __device__ __forceinline__ static void put(const tile &t, int line, int pos, value x) {
    if constexpr (REALS)
      at(t, slot(line, pos)) = x.re;
    else
      at(t, slot(line, pos)) = x;
  }
  // An element from the offset `from`; of a piece it may be one of a later line.
  __device__ __forceinline__ static element read(const mfft_pass_args &a, long long from, int pos) {
    if constexpr (REALS)
      return load(a, from, pos).re;
    else if constexpr (AS_ONE)
      return widen(from_memory((const stored *)a.in + from + pos));
    else
      return load(a, from, pos);
  }
  __device__ __forceinline__ static void write(const mfft_pass_args &a, long long to, int pos, element x) {
    if constexpr (REALS)
      store(a, to, pos, {x, 0});
    else
      store(a, to, pos, x);
  }

  // Calls f(i, from, pos, slot) for the existing elements: element `pos` from the offset `from`, and its slot in the copy.
  template <class F>
  __device__ __forceinline__ static void each(const mfft_pass_args &a, line_number first_line, F f) {
    if constexpr (AS_ONE) {
      const long long from = find_line<OUT>(a, first_line).offset;
      walk_piece<COUNT, GROUP>(a, first_line, [&](int i, u32 first, u32 at) {
        f(i, from, first * COUNT + at, first * ROOM + at + (PITCH - COUNT) * (at / COUNT));
      });
    } else {
      walk<OUT ? PASS_MAP_OUT : PASS_MAP_IN, COUNT>(a, first_line, [&](int i, int line, int pos) {
        f(i, find_line<OUT>(a, first_line + line).offset, pos, slot(line, pos));
      });
    }
  }
};

// Loads the inputs of the first merge to v.
__device__ __forceinline__ void load_tile(const mfft_pass_args &a, value *v, const tile &t, line_number first_line) {
  constexpr int R = merges::radix(0);
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
#if PASS_STAGED_IN
  typedef staged<false> copy;
  copy::element held[copy::ACCESSES];
  copy::each(a, first_line, [&](int i, long long from, int pos, int) { held[i] = copy::read(a, from, pos); });
  if (copy::AS_ONE) __syncwarp();  // all threads have loaded before any copies
  copy::each(a, first_line, [&](int i, long long, int, int slot) { copy::at(t, slot) = held[i]; });
  copy::barrier();
  const auto get = [&](int line, int first, int distance) { return copy::get(t, line, first + distance); };
  const auto get_half = [&](int line, int base, int q) { return copy::get(t, line, base + q * half_elements<0>::STEP); };
#else
  const own_line<false, merges, 0> at(a, first_line);
  if (!at.live) return;
  const auto get = [&](int, int first, int distance) { return load_at(a, at.p.offset, first, distance); };
  const auto get_half = [&](int, int base, int q) { return load_half<0>(a, at.p.offset, base, q); };
#endif
  merges::each<0>(t, [&](int b, int line, int j) {
    if constexpr (FORWARD) {
#pragma unroll
      for (int q = 0; q < A; q++) part(v + b * H, q) = get(line, j, q * (N / A)).re;
    } else {
#pragma unroll
      for (int q = 0; q < R; q++) v[b * R + q] = get_half(line, half_elements<0>::base(j), q);
    }
  });
}

// Does the butterfly of a long prime, whose results are stored by put(q, x).
template <class F>
__device__ __forceinline__ void stream_results(const value *v, F put) {
  if constexpr (FORWARD) {
    real x[N];
#pragma unroll
    for (int q = 0; q < N; q++) x[q] = q % 2 ? v[q / 2].im : v[q / 2].re;
    prime_to_half_to<N, SIGN>(x, put);
  } else {
    prime_to_reals_to<N, SIGN>(v, [&](int q, real x) { put(q, value{x, 0}); });
  }
}

// Scales and stores the results of the last merge; with STREAMED it does that merge, too.
__device__ __forceinline__ void store_tile(const mfft_pass_args &a, value *v, const tile &t, line_number first_line) {
  constexpr int R = merges::radix(LAST);
  scale<VALUES>(a, v);
#if PASS_STAGED_OUT
  typedef staged<true> copy;
  if constexpr (copy::ALONE && staged<false>::ALONE)
    __syncwarp();
  else if (MERGES > 1 || PASS_STAGED_IN)
    merges::barrier();
  const auto put = [&](int line, int first, int distance, value x) { copy::put(t, line, first + distance, x); };
#else
  const own_line<true, merges, LAST> at(a, first_line);
  if (!at.live) return;
  const auto put = [&](int, int first, int distance, value x) { store_at(a, at.p.offset, first, distance, x); };
#endif
  merges::each<LAST>(t, [&](int b, int line, int j) {
    if constexpr (STREAMED) {
      stream_results(v, [&](int q, value x) { put(line, 0, q, x); });
    } else if constexpr (!FORWARD) {
#pragma unroll
      for (int q = 0; q < A; q++) put(line, j, q * (N / A), {part(v + b * H, q), 0});
    } else {
      typedef half_elements<LAST> of;
      const int base = of::base(j);
      const bool alone = j % H;  // otherwise the butterfly has the conjugates of its results too
#pragma unroll
      for (int q = 0; q < R; q++) {
        const int distance = q * of::STEP;
        if (of::side(q) == 1 || (of::side(q) == 0 && 2 * (base + distance) < N))
          put(line, base, distance, v[b * R + q]);
        else if (alone)
          put(line, N - base, -distance, conj(v[b * R + q]));
      }
    }
  });
#if PASS_STAGED_OUT
  copy::barrier();
  copy::element held[copy::ACCESSES];
  copy::each(a, first_line, [&](int i, long long, int, int slot) { held[i] = copy::at(t, slot); });
  copy::each(a, first_line, [&](int i, long long to, int pos, int) { copy::write(a, to, pos, held[i]); });
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
  if (FORWARD && !STREAMED) merge_reals(v, t);
  merge_all<merges, FORWARD ? 1 : 0, FORWARD ? MERGES : LAST>(a.merge_table, v, t);
  if (!FORWARD && !STREAMED) merge_reals(v, t);
  store_tile(a, v, t, first_line);
}

}  // namespace mfft
