// pass.cu: one pass of register butterflies: load a tile of lines, unpack a half spectrum, merge (Stockham autosort),
// multiply by the inter-pass twiddle (inter_pass.cuh), pack a half spectrum, store.
//
//   block      transforms LINES lines of N elements, and with PASS_MIRROR their LINES mirror lines too (packing.cuh)
//   thread     is one of THREADS threads of a line.  It holds VALUES complexes in registers: v[b R + q] is input or
//              output q of its butterfly b of the current merge, whose radix is R
//   warp       has no task of its own, but if no line is shared by two warps, barriers are those of the warp
//              (WARP_LOCAL)
//   shared     [PASS_EXCHANGE_BYTES] the exchange area: the tile between two merges, and the staged copies of lines;
//              then, with PASS_OUTER, [R][ROWS] the factors of the inter-pass twiddle, R being the radix of the last
//              merge
//   barriers   separate the reads of the exchange area from the next writes to it, and the writes from the reads of
//              others
#include "line_pair.cuh"
#include "merge.cuh"
#include "prime_parts.cuh"

namespace mfft {

// The chain of merges of this kernel.  It is the one of packing.cuh if a thread takes butterflies in pairs: for a half
// spectrum, a pair of cosine lines or opposite elements.
#if PASS_LOAD == FORM_HALF_EVEN || PASS_STORE == FORM_HALF_EVEN || PASS_LOAD == FORM_LINE_PAIR || PASS_OPPOSITE
typedef packed_chain<pass_shape> merges;
#else
typedef chain<pass_shape> merges;
#endif
constexpr bool HALF_IN = pass_shape::HALF_IN, HALF_OUT = pass_shape::HALF_OUT;
constexpr int LAST = MERGES - 1, VALUES = merges::most_values();
// Each thread transforms a whole real line by one real butterfly (real_butterfly.cuh).  Lines of a power of two are packed
// instead.
constexpr bool WHOLE = (HALF_IN || HALF_OUT) && !PASS_MIRROR && MERGES == 1 && (N & (N - 1)) != 0;

// The results of a long prime in the last merge are stored as they are computed, so that the registers of a thread have its
// inputs alone.
constexpr bool STREAMED = is_long_prime(radix(LAST)) && PASS_LOAD == FORM_COMPLEX && PASS_STORE == FORM_COMPLEX &&
                          PASS_EXACT == 0 && !PASS_OUTER && !PASS_OPPOSITE && !PASS_MIRROR &&
                          (MERGES == 1 || sizeof(real) == 4);

// Lines of doubles of one long prime, and real ones of twice as many, are transformed in the staged copy (prime_parts.cuh).
constexpr bool IN_ROWS = MERGES == 1 && is_long_prime(N) && THREADS == 1 && LINES % 32 == 0 && sizeof(real) == 8 &&
                         PASS_STAGED_IN == STAGED_AS_ONE && PASS_STAGED_OUT == STAGED_AS_ONE;
constexpr bool BY_PARTS = IN_ROWS && STREAMED, HALF_BY_PARTS = IN_ROWS && WHOLE;

__host__ __device__ constexpr bool has_long_prime(int merges = MERGES) {
  return merges > 0 && (is_long_prime(radix(merges - 1)) || has_long_prime(merges - 1));
}
constexpr bool HAS_LONG_PRIME = has_long_prime() && PASS_LOAD == FORM_COMPLEX && PASS_STORE == FORM_COMPLEX;

// Calls put(q, x) for the results of a butterfly of the last merge.
template <class F>
__device__ __forceinline__ void each_result(const value *v, F put) {
  constexpr int R = radix(LAST);
  if constexpr (STREAMED) {
    dft_prime_to<R, SIGN>(v, put);
  } else {
#pragma unroll
    for (int q = 0; q < R; q++) put(q, v[q]);
  }
}

// The start of a row of the tile.  Rows from LINES on are the mirrors of the first LINES rows (packing.cuh).
template <bool OUT>
__device__ __forceinline__ line_start find_row(const mfft_pass_args &a, line_number first_line, int row) {
  line_start p = find_line<OUT>(a, first_line + row % LINES);
#if PASS_MIRROR
  if (row >= LINES) {
    u32 half = (u32)a.loop_n[PASS_MIRROR - 1], mirror = p.outer ? 2 * half - p.outer : half;
    p.offset += (long long)((int)mirror - (int)p.outer) * (OUT ? a.loop_out : a.loop_in)[PASS_MIRROR - 1];
    p.outer = mirror;
  }
#endif
  return with_filter<OUT>(a, p);
}

// The rows of a thread under a map: its line, and the mirror of that line if there is one.
template <bool OUT, int MAP>
struct rows {
  line_start p[merges::ROWS / LINES];  // [line, mirror]
  bool live;                           // the line exists: the last block may have fewer lines than LINES
  __device__ __forceinline__ rows(const mfft_pass_args &a, line_number first_line) {
    int line = merges::line_of_thread<MAP>();
    live = exists(a, first_line + line);
#pragma unroll
    for (int i = 0; i < merges::ROWS / LINES; i++)
      p[i] = live ? find_row<OUT>(a, first_line, line + i * LINES) : line_start{0, 0};
  }
  __device__ __forceinline__ line_start operator[](int row) const { return p[row >= LINES ? merges::ROWS / LINES - 1 : 0]; }
};

// The staged copy of the block's lines in shared memory, between loads or stores and merges.  Lines that are contiguous in
// memory are copied as one piece, for which only the first address is computed (AS_ONE); if each line also belongs to one
// thread, each warp copies its own lines (ALONE).
template <bool OUT>
struct staged {
  static constexpr int COUNT = N + (OUT ? HALF_OUT : HALF_IN), HOW = OUT ? PASS_STAGED_OUT : PASS_STAGED_IN;
  static constexpr bool AS_ONE = HOW == STAGED_AS_ONE, ALONE = AS_ONE && THREADS == 1 && MERGES == 1 && LINES % 32 == 0;
  static constexpr int GROUP = ALONE ? 32 : BLOCK,
                       ROWS = GROUP / THREADS;  // threads that copy together, and their number of lines
  static constexpr int ACCESSES = ceil_div(COUNT * ROWS, GROUP);
  // If a line belongs to one thread: the pitch is odd, so that threads access different banks; ROOM suffices for input and
  // output.
  static constexpr int PITCH = COUNT | 1, ROOM = (N + (HALF_IN || HALF_OUT)) | 1;

  __device__ __forceinline__ static int slot(int line, int pos) {
    return ALONE ? line % 32 * PITCH + line / 32 * (32 * ROOM) + pos : merges::slot(line, pos);
  }
  template <int R>  // slot of input or output q of butterfly j
  __device__ __forceinline__ static int slot(int line, int j, int q) {
    if (COPRIME) return merges::slot(line, OUT ? coprime_output<merges>(j, q) : coprime_input<merges>(j, q));
    return ALONE ? slot(line, q) : slot_read<merges, R>(line, j, q);
  }
  __device__ __forceinline__ static void barrier() {
    if constexpr (ALONE)
      __syncwarp();
    else
      merges::barrier();
  }

  // Chains with a long prime copy pieces by copy_piece, which takes fewer registers.
  static constexpr bool BY_PIECE = AS_ONE && (HAS_LONG_PRIME || HALF_BY_PARTS) && COUNT * ROWS % GROUP == 0;

  // Slot of element `at` of the piece that the group from line `first` on copies.
  __device__ __forceinline__ static int slot_of_piece(u32 first, u32 at) {
    const u32 line = at / COUNT;
    return ALONE ? first * ROOM + at + (PITCH - COUNT) * line : slot(line, at - line * COUNT);
  }

  // Calls f(i, from, pos, slot) for the existing elements: element `pos` from the start `from`, and its slot in the copy.
  template <class F>
  __device__ __forceinline__ static void each(const mfft_pass_args &a, line_number first_line, F f) {
    if constexpr (AS_ONE) {
      const line_start first_row = find_row<OUT>(a, first_line, 0);
      walk_piece<COUNT, GROUP>(
          a, first_line, [&](int i, u32 first, u32 at) { f(i, first_row, first * COUNT + at, slot_of_piece(first, at)); });
    } else {
      walk<OUT ? PASS_MAP_OUT : PASS_MAP_IN, COUNT>(a, first_line, [&](int i, int line, int pos) {
        f(i, find_row<OUT>(a, first_line, line), pos, merges::slot(line, pos));
      });
    }
  }
};

#if PASS_LOAD == FORM_HALF_EVEN || PASS_STORE == FORM_HALF_EVEN
// The column of the whole transform that a butterfly of the first or last merge belongs to; column 0 is its own partner.
template <class ROWS>
__device__ __forceinline__ u32 column(const mfft_pass_args &a, const ROWS &at, int line, int j) {
#if PASS_MIRROR
  return at[line].outer + (u32)j * 2 * (u32)a.loop_n[PASS_MIRROR - 1];
#else
  return (u32)j;
#endif
}

// W_2n^k, k <= n / 2.
__device__ __forceinline__ two_part_root real_root(const mfft_pass_args &a, int k) {
  if constexpr (PASS_EXACT >= TWO_PART_TWIDDLES) return {table(a.real_table, 2 * k), table(a.real_table, 2 * k + 1)};
  return {table(a.real_table, k)};
}

// Converts between a half spectrum and packed reals in registers.  end: element n of the half spectrum, in the thread with
// element 0.
template <int I, class ROWS>
__device__ __forceinline__ void pack(const mfft_pass_args &a, value *v, const tile &t, real &end, const ROWS &at) {
  constexpr int R = radix(I);
  merges::each_pair<I>(t, [&](int b, int line, int j, int, int) {
    value *x = v + 2 * b * R, *y = x + R;
    u32 g = column(a, at, line, j);
    if (g == 0) {
      pack_first<R, SIGN, merges::SIDES == 2 || N / R % 2 == 0>(x, y, end);
    } else if constexpr (COPRIME) {
      pack_coprime<R, SIGN>(x, y, [&](int q) {
        const int k = coprime_input<merges>(j, q);
        return 2 * k > N ? mirrored_root(real_root(a, N - k)) : real_root(a, k);
      });
    } else {
      const two_part_root first = PASS_MIRROR ? two_part_root{table_twiddle(a, g)} : real_root(a, g);
      pack_columns<R, SIGN>(x, y, [&](int q) {
        if (q == 0) return first;
        if (PASS_EXACT < LOADED_TWIDDLES) return two_part_root{times_root<2 * R, SIGN>(first.high, q)};
        const int k = g + q * (N / R);
        return 2 * q < R ? real_root(a, k) : mirrored_root(real_root(a, N - k));
      });
    }
  });
}
#endif

#if PASS_OPPOSITE
// f(i, x, y) for the elements i < N / 2 of merge I and their opposites N - 1 - i, in pairs of butterflies.
template <int I, class F>
__device__ __forceinline__ void each_opposite(value *v, const tile &t, F f) {
  constexpr int R = radix(I), M = N / R;
  merges::each_pair<I>(t, [&](int b, int, int j, int, int j2) {
    value *x = v + 2 * b * R, *y = x + R;
    if (M % 2 && j == j2) {  // this butterfly has both
#pragma unroll
      for (int q = 0; 2 * q < R; q++) f(j + q * M, x[q], x[R - 1 - q]);
    } else {
#pragma unroll
      for (int q = 0; q < R; q++) {
        if (2 * q < R)
          f(j + q * M, x[q], y[R - 1 - q]);
        else
          f(j2 + (R - 1 - q) * M, y[R - 1 - q], x[q]);
      }
    }
  });
}
#endif

#if PASS_STAGED_OUT == STAGED_BY_SECTOR
// Rows of n + 1 elements are not aligned, so the threads of a line store it from the staged copy by whole sectors.
__device__ __forceinline__ void store_row(const mfft_pass_args &a, const tile &t, line_number first_line) {
  constexpr int SECTOR = 32 / (int)sizeof(stored);
  const int line = merges::line_of_thread<BY_ELEMENT>(), first = merges::part_of_thread<BY_ELEMENT>();
  if (first_line + line >= (line_number)a.lines) return;
  const line_start p = find_row<true>(a, first_line, line);
  const int before = (int)(p.offset & (SECTOR - 1));  // elements of the first sector that belong to the preceding row
#pragma unroll
  for (int i = 0; i < ceil_div(N + SECTOR, THREADS); i++) {
    const int pos = first + i * THREADS - before;
    if (pos >= 0 && pos <= N) store<1>(a, p, 0, pos, t.whole[merges::slot(line, pos)]);
  }
}
#endif

// Transforms the line of a thread in its row of the staged copy.
__device__ __forceinline__ void transform_row(const mfft_pass_args &a, const tile &t) {
  value *const in = t.whole + staged<false>::slot(threadIdx.x, 0), *const out = t.whole + staged<true>::slot(threadIdx.x, 0);
  const real scale = PASS_SCALED ? (real)a.scale : (real)1;
  if constexpr (BY_PARTS) prime_by_parts<N, SIGN>(in, scale);
  if constexpr (HALF_BY_PARTS && HALF_OUT) reals_by_parts<N, SIGN>((real *)in, out, scale);
  if constexpr (HALF_BY_PARTS && HALF_IN) half_by_parts<N, SIGN>(in, (real *)out, scale);
}

// After the last merge, or with STREAMED before its butterflies: multiplies by the twiddles between passes, scales, packs
// and stores.
__device__ __forceinline__ void store_tile(const mfft_pass_args &a, value *v, const tile &t, const value *steps,
                                           line_number first_line) {
  constexpr int R = radix(LAST);
  const rows<true, merges::map_of(LAST)> at(a, first_line);
#if PASS_OUTER
  twiddle_butterflies<merges>(
      v, t, [&](int line, int j) { return outer_twiddle(a, (u32)j * at[line].outer); },
      [&](int line, int q) { return steps[q * merges::ROWS + line]; });
#endif
  scale<VALUES>(a, v);
  if constexpr (COSINES_OUT) convert_line_pair<merges, LAST>(a, v, t, [](int, int j) { return j; });
#if PASS_STORE == FORM_HALF_EVEN
  real end;
  if constexpr (WHOLE && !HALF_BY_PARTS)
    transform_whole<N, SIGN>(v, end);
  else if constexpr (!WHOLE)
    pack<LAST>(a, v, t, end, at);
#endif
#if !PASS_STAGED_OUT
  if (!at.live) return;
#if PASS_OPPOSITE & 2
  each_opposite<LAST>(v, t, [&](int i, value &x, value &y) { store_opposite(a, at[0].offset, i, x, y); });
#else
  merges::each<LAST>(t, [&](int b, int line, int j) {
    each_result(v + b * R, [&](int q, value x) { store<N / R>(a, at[line], j, q, x); });
  });
#endif
#if PASS_STORE == FORM_HALF_EVEN
  merges::each_pair<LAST>(t, [&](int, int line, int j, int, int) {
    if (column(a, at, line, j) == 0) store<1>(a, at[line], 0, N, {end, 0});
  });
#endif
#else
  typedef staged<true> copy;
  if constexpr (copy::ALONE && staged<false>::ALONE)
    __syncwarp();
  else if (MERGES > 1 || PASS_STAGED_IN)
    merges::barrier();
  if constexpr (IN_ROWS) {
    transform_row(a, t);
  } else {
    merges::each<LAST>(t, [&](int b, int line, int j) {
      each_result(v + b * R, [&](int q, value x) { t.whole[copy::slot<R>(line, j, q)] = x; });
    });
#if PASS_STORE == FORM_HALF_EVEN
    merges::each_pair<LAST>(t, [&](int, int line, int j, int, int) {
      if (j == 0) t.whole[copy::slot(line, N)] = {end, 0};
    });
#endif
  }
  copy::barrier();
#if PASS_STAGED_OUT == STAGED_BY_SECTOR
  store_row(a, t, first_line);
#else
  if constexpr (copy::BY_PIECE) {
    const line_start first_row = find_row<true>(a, first_line, 0);
    copy_piece<copy::COUNT, copy::GROUP>(
        a, first_line, [&](u32 first, u32 at) { return t.whole[copy::slot_of_piece(first, at)]; },
        [&](u32 first, u32 at, value x) { store<1>(a, first_row, 0, first * copy::COUNT + at, x); });
  } else if constexpr (copy::AS_ONE) {
    value held[copy::ACCESSES];
    copy::each(a, first_line, [&](int i, const line_start &, int, int slot) { held[i] = t.whole[slot]; });
    copy::each(a, first_line, [&](int i, const line_start &from, int pos, int) { store<1>(a, from, 0, pos, held[i]); });
  } else {
    copy::each(a, first_line,
               [&](int, const line_start &from, int pos, int slot) { store<1>(a, from, 0, pos, t.whole[slot]); });
  }
#endif
#endif
}

// Before the first merge: loads its elements to v and unpacks them.
__device__ __forceinline__ void load_tile(const mfft_pass_args &a, value *v, const tile &t, line_number first_line) {
  constexpr int R = radix(0);
  const rows<false, merges::map_of(0)> at(a, first_line);
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
#if PASS_LOAD == FORM_HALF_EVEN
  real end = 0;
#endif
#if !PASS_STAGED_IN
  if (!at.live) return;
#if PASS_OPPOSITE & 1
  each_opposite<0>(v, t, [&](int i, value &x, value &y) { load_opposite(a, at[0].offset, i, x, y); });
#else
  merges::each<0>(t, [&](int b, int line, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = load<N / R>(a, at[line], j, q);
  });
#endif
#if PASS_ENDS
  merges::each_pair<0>(t, [&](int b, int line, int j, int, int) {
    if (j) return;
    const stored *ends = (const stored *)a.ends + 2 * (long long)(first_line + line);
    v[2 * b * R] = widen(from_memory(ends));
    end = widen(from_memory(ends + 1)).re;
  });
#elif PASS_LOAD == FORM_HALF_EVEN
  merges::each_pair<0>(t, [&](int, int line, int j, int, int) {
    if (column(a, at, line, j) == 0) end = load(a, at[line], N).re;
  });
#endif
#else
  typedef staged<false> copy;
  if constexpr (copy::BY_PIECE) {
    const line_start first_row = find_row<false>(a, first_line, 0);
    copy_piece<copy::COUNT, copy::GROUP>(
        a, first_line, [&](u32 first, u32 at) { return load(a, first_row, first * copy::COUNT + at); },
        [&](u32 first, u32 at, value x) { t.whole[copy::slot_of_piece(first, at)] = x; });
  } else {
    value held[copy::ACCESSES];
    copy::each(a, first_line, [&](int i, const line_start &from, int pos, int) { held[i] = load(a, from, pos); });
    if (copy::AS_ONE) __syncwarp();  // all threads have loaded before any copies
    copy::each(a, first_line, [&](int i, const line_start &, int, int slot) { t.whole[slot] = held[i]; });
  }
  copy::barrier();
  if constexpr (!IN_ROWS) {
    merges::each<0>(t, [&](int b, int line, int j) {
#pragma unroll
      for (int q = 0; q < R; q++) v[b * R + q] = t.whole[copy::slot<R>(line, j, q)];
    });
  }
#if PASS_LOAD == FORM_HALF_EVEN
  if constexpr (!IN_ROWS) {
    merges::each_pair<0>(t, [&](int, int line, int j, int, int) {
      if (j == 0) end = t.whole[copy::slot(line, N)].re;
    });
  }
#endif
#endif
#if PASS_LOAD == FORM_HALF_EVEN
  if constexpr (WHOLE && !HALF_BY_PARTS)
    transform_whole<N, SIGN>(v, end);
  else if constexpr (!WHOLE)
    pack<0>(a, v, t, end, at);
#endif
  if constexpr (COSINES_IN) convert_line_pair<merges, 0>(a, v, t, [](int, int j) { return j; });
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // [exchange area][twiddle steps]
  tile t = {(value *)shared, (real *)shared, false};
  value *steps = (value *)(shared + PASS_EXCHANGE_BYTES);
  const line_number first_line = (line_number)blockIdx.x * LINES;
  value v[VALUES];
  release_next();
  wait_for_previous();
#if PASS_MIRROR
  t.own = rows<HALF_OUT, merges::map_of(HALF_OUT ? LAST : 0)>(a, first_line)[0].outer == 0;
#endif
  load_tile(a, v, t, first_line);
#if PASS_FETCH
  prefetch_lines<N>(a, [&](line_number first, int row) { return find_row<false>(a, first, row).offset; });
#endif
#if PASS_OUTER
  constexpr int R = radix(LAST);
  fill_twiddles<R, N / R, merges::ROWS>(a, steps, [&](int row) {
    return first_line + row % LINES < (line_number)a.lines ? find_row<true>(a, first_line, row).outer : 0;
  });
  __syncthreads();
#endif
  if constexpr (!WHOLE) merge_all<merges, 0, STREAMED ? LAST : MERGES>(a.merge_table, v, t);
  store_tile(a, v, t, steps, first_line);
}

}  // namespace mfft
