// merge.cuh: merges with register butterflies (Stockham autosort).  Each thread merges a few elements at a time; between two
// merges threads exchange values through shared memory.
#pragma once

#include "error_free.cuh"
#include "exchange.cuh"
#include "inter_pass.cuh"
#include "zero_half.cuh"

namespace mfft {

// Exchanges the results of merge I for the inputs of merge I + 1.  S: product of the radices before merge I.
template <class C, int I, int S>
__device__ __forceinline__ void exchange_values(value *v, const tile &t) {
  if (I > 0 || C::STAGED_IN) C::barrier();
  write_results<C, I, S>(t.whole, t, [&](int i) { return v[i]; });
  C::barrier();
  read_inputs<C, I + 1>(t.whole, t, [&](int i, value x) { v[i] = x; });
}

// The twiddles that are loaded and those that are products, an mfft_products.
#ifdef PASS_PRODUCTS
constexpr int PRODUCTS = PASS_PRODUCTS;
#else
constexpr int PRODUCTS = 0;
#endif
constexpr int FAST = 3, COMPUTED = 4;  // values of PRODUCTS

// W^(p q) as a product: low[f] is W^(p f), f = 1, 2, 3, and high[f] is W^(4 p f).
__device__ __forceinline__ value product_of(const value *low, const value *high, int q) {
  return q < 4 ? low[q] : q % 4 ? high[q / 4] * low[q % 4] : high[q / 4];
}

// v[q] times W^(p q), q < R, with p = j / S for butterfly j.  Twiddles are loaded for q = 1 and the multiples of 4, with
// PRODUCTS 2 for q = 1, 4 and the multiples of 16; the others are products of those.  With PRODUCTS 3 those are computed by
// fast sines and cosines instead of loaded, with 4 by polynomials.  at: entry of W^p in the table, in which W^(p q) follows
// (q - 1) M entries later.
template <int R, int M, int DIRECTION>
__device__ __forceinline__ void multiply_by_products(const void *twiddles, value *v, int at, int p) {
  const auto load = [&](int q) {
    if constexpr (PRODUCTS == COMPUTED)
      return computed_twiddle<R * M, DIRECTION>(p * q, 4 * q <= R);
    else if constexpr (PRODUCTS == FAST)
      return fast_twiddle((float)(DIRECTION * 6.283185307179586477 / (R * M)), p * q);
    else
      return table(twiddles, at + (q - 1) * M);
  };
  value low[4], high[(R + 3) / 4];  // W^(p q) of q, and of 4 q
  low[1] = load(1);
#pragma unroll
  for (int f = 1; 4 * f < R; f++) {
    if (PRODUCTS < 2 || f == 1 || f % 4 == 0)
      high[f] = load(4 * f);
    else if (f == 2)
      high[f] = high[1] * high[1];
    else if (f == 3)
      high[f] = R > 16 ? load(16) * conj(high[1]) : high[2] * high[1];
    else
      high[f] = high[f / 4 * 4] * high[f % 4];
  }
  low[2] = low[1] * low[1];
  if constexpr (R > 4)
    low[3] = high[1] * conj(low[1]);
  else
    low[3] = low[2] * low[1];
#pragma unroll
  for (int q = 1; q < R; q++) v[q] = v[q] * product_of(low, high, q);
}

// The same product by default.  Twiddles are loaded for q = 1, 2, 3 and the multiples of 4; the others are products of two
// of them, which adds about half a rounding error and saves most of the loads.  offset: the entry of the table at which the
// twiddles of this merge begin; that of W^p is p entries later.
template <int R, int M, int DIRECTION>
__device__ __forceinline__ void twiddle_between_merges(const void *twiddles, value *v, int offset, int p) {
  const int at = offset + p;
  if constexpr (COPRIME || PASS_COPRIME) return;
  if constexpr (PRODUCTS > 0) {
    multiply_by_products<R, M, DIRECTION>(twiddles, v, at, p);
    return;
  }
  if constexpr (PASS_EXACT == TWO_PART_TWIDDLES) {
#pragma unroll
    for (int q = 1; q < R; q++) {
      const int entry = 2 * (at + (q - 1) * M);
      v[q] = twiddled_by_two_parts(v[q], table(twiddles, entry), table(twiddles, entry + 1));
    }
    return;
  }
  constexpr bool LOADED =
      PASS_EXACT == ROUNDED_ONCE ||
      (PASS_EXACT >= LOADED_TWIDDLES && (ODD_LINES || (PASS_LOAD == FORM_HALF_EVEN && M < 16)));  // all twiddles are loaded
  value low[4];
#pragma unroll
  for (int q = 1; q < R && q < 4; q++) {
    low[q] = table(twiddles, at + (q - 1) * M);
    v[q] = v[q] * low[q];
  }
#pragma unroll
  for (int f = 4; f < R; f += 4) {
    value high = table(twiddles, at + (f - 1) * M);
    v[f] = v[f] * high;
#pragma unroll
    for (int q = f + 1; q < R && q < f + 4; q++)
      v[q] = v[q] * (LOADED ? table(twiddles, at + (q - 1) * M) : high * low[q - f]);
  }
}

// With PASS_EARLY the twiddles of a merge are loaded before the exchange that precedes it, so that no thread waits for them
// after its butterfly; they take registers meanwhile.
#ifdef PASS_EARLY
constexpr bool EARLY = PASS_EARLY;
#else
constexpr bool EARLY = false;
#endif

// With PASS_SHARED_TWIDDLES the twiddles of all merges but the first are copied to shared memory, behind the exchange area,
// while the block waits for its lines.  They are few, and a load of them from global memory, even one that hits the L1
// cache, may be held up by loads of lines by other blocks, which a load from shared memory is not.
#ifdef PASS_SHARED_TWIDDLES
constexpr bool SHARED_TWIDDLES = true;
#else
constexpr bool SHARED_TWIDDLES = false;
#endif

// The twiddles that a thread loads for merge I: those of twiddle_between_merges, of each of its butterflies.
template <class C, int I>
struct early_twiddles {
  static constexpr int R = C::radix(I), LOW = R < 4 ? R - 1 : 3, COUNT = LOW + (R - 1) / 4;
  value w[EARLY && I < C::MERGES - 1 ? ceil_div(C::N / R, C::THREADS) * COUNT : 1];

  // S: product of the radices before merge I.
  template <int S>
  __device__ __forceinline__ void load(const void *twiddles, const tile &t) {
    constexpr int M = C::N / (S * R);
    C::template each<I>(t, [&](int b, int, int j) {
      const int at = C::table_offset(I) + j / S;
#pragma unroll
      for (int q = 1; q <= LOW; q++) w[b * COUNT + q - 1] = table(twiddles, at + (q - 1) * M);
#pragma unroll
      for (int f = 4; f < R; f += 4) w[b * COUNT + LOW + f / 4 - 1] = table(twiddles, at + (f - 1) * M);
    });
  }

  __device__ __forceinline__ void multiply(value *v, const tile &t) const {
    C::template each<I>(t, [&](int b, int, int) {
      const value *low = w + b * COUNT - 1, *high = w + b * COUNT + LOW - 1;
#pragma unroll
      for (int q = 1; q < R; q++) v[b * R + q] = v[b * R + q] * product_of(low, high, q);
    });
  }
};

// Chooses the butterfly.  Radix 9 as one sum is used in odd real lines, and from short half spectra, where otherwise cuFFT
// would be more accurate; in longer half spectra its registers would cost a block of the multiprocessor.  It is also used
// towards half spectra of doubles if most factors are 3.  If twiddles have two parts, most of the error is that of the
// butterflies of 5, so the last of them rounds each number once.
template <class C, int R, bool FIRST, bool LAST>
__device__ __forceinline__ void butterfly(value *v) {
  constexpr bool THREES = sizeof(real) == 8 && C::N % 243 == 0;
  if constexpr (FIRST && C::UPPER_IS_ZERO && PASS_EXACT == 0)
    dft_of_lower_half<R, C::SIGN>(v);
  else if constexpr (R == 5 && LAST && PASS_EXACT == TWO_PART_TWIDDLES && PASS_LOAD == FORM_HALF_EVEN)
    dft_prime_error_free<R, C::SIGN>(v);
  else if constexpr (R == 9 && (ODD_LINES ||
                                (PASS_EXACT >= LOADED_TWIDDLES && C::N <= 720 && (PASS_LOAD == FORM_HALF_EVEN || THREES))))
    dft_nine<C::SIGN>(v);
  else
    dft<R, C::SIGN>(v);
}

// The twiddles in shared memory, [COUNT] entries of the table from FIRST on; the barrier of the first exchange makes the
// copy visible to all threads.
template <class C>
struct late_twiddles {
  static constexpr bool SHARED = SHARED_TWIDDLES && C::MERGES > 2;
  static constexpr int FIRST = SHARED ? C::table_offset(1) : 0, COUNT = SHARED ? C::table_offset(C::MERGES - 1) - FIRST : 0;
  static_assert(!SHARED || !C::WARP_LOCAL, "a barrier of the block makes the copy visible");

  __device__ __forceinline__ static value *place(const tile &t) {
    return (value *)((unsigned char *)t.whole + PASS_EXCHANGE_BYTES);
  }
  __device__ __forceinline__ static void copy(const void *twiddles, const tile &t) {
#pragma unroll
    for (int i = 0; i < ceil_div(COUNT, BLOCK); i++) {
      const int at = threadIdx.x + i * BLOCK;
      if ((i + 1) * BLOCK <= COUNT || at < COUNT) place(t)[at] = table(twiddles, FIRST + at);
    }
  }
};

// Whether merge I of chain C writes the results of a long prime to the exchange area as they are computed, so that the
// registers of a thread have its inputs alone; not in double, where the compiler then spills.
template <class C, int I>
constexpr bool streams_results = is_long_prime(C::radix(I)) && !EARLY && PRODUCTS == 0 && PASS_EXACT == 0 &&
                                 sizeof(real) == 4;

// Does so, and multiplies them by the twiddles of twiddle_between_merges.
template <class C, int I, int S>
__device__ __forceinline__ void stream_results(const void *twiddles, const value *v, const tile &t, int offset) {
  constexpr int R = C::radix(I), M = C::N / (S * R);
  if (I > 0 || C::STAGED_IN) C::barrier();
  if constexpr (PASS_COPRIME) {
    C::template each<I>(t, [&](int b, int line, int j) {
      dft_prime_to<R, C::SIGN>(v + b * R, [&](int q, value x) { t.whole[slot_written<C, R, S>(line, j, q)] = x; });
    });
    return;
  }
  C::template each<I>(t, [&](int b, int line, int j) {
    const int at = offset + j / S;
    const auto load = [&](int q) { return table(twiddles, at + (q - 1) * M); };
    const value low[4] = {{1, 0}, load(1), load(2), load(3)};
    dft_prime_to<R, C::SIGN>(v + b * R, [&](int q, value x) {
      const value w = q < 4 ? low[q] : q % 4 ? load(q / 4 * 4) * low[q % 4] : load(q);
      t.whole[slot_written<C, R, S>(line, j, q)] = q ? x * w : x;
    });
  });
}

// Does the merges from I on.  Afterwards v[b R + q] is output j + q N / R of the last merge, of radix R (see each).
// after_reading() is called after the last read of the tile by any thread of the block.  The caller does the butterflies of
// merges before FROM and from TO on.  early: with EARLY the twiddles of merge I.
template <class C, int I, int S, int FROM, int TO, class F>
__device__ __forceinline__ void merge_from(const void *twiddles, value *v, const tile &t, F after_reading,
                                           const early_twiddles<C, I> &early) {
  constexpr int R = C::radix(I);
  constexpr bool MERGED = I >= FROM && I < TO, STREAMED = MERGED && I < C::MERGES - 1 && streams_results<C, I>;
  if constexpr (MERGED && !STREAMED)
    C::template each<I>(t, [&](int b, int, int) { butterfly<C, R, I == 0, I == C::MERGES - 1>(v + b * R); });
  if constexpr (I < C::MERGES - 1) {
    constexpr int M = C::N / (S * R);  // S neighbours have the same twiddles
    typedef late_twiddles<C> late;
    constexpr bool LATE = late::SHARED && I > 0;
    const void *const from = LATE ? (const void *)late::place(t) : twiddles;
    constexpr int OFFSET = C::table_offset(I) - (LATE ? late::FIRST : 0);
    early_twiddles<C, I + 1> next;
    if constexpr (EARLY) {
      early.multiply(v, t);
      if constexpr (I + 1 < C::MERGES - 1) next.template load<S * R>(twiddles, t);
    } else if constexpr (!STREAMED) {
      C::template each<I>(t,
                          [&](int b, int, int j) { twiddle_between_merges<R, M, C::SIGN>(from, v + b * R, OFFSET, j / S); });
    }
    if constexpr (STREAMED) {
      stream_results<C, I, S>(from, v, t, OFFSET);
      C::barrier();
      read_inputs<C, I + 1>(t.whole, t, [&](int i, value x) { v[i] = x; });
    } else {
      exchange_values<C, I, S>(v, t);
    }
    merge_from<C, I + 1, S * R, FROM, TO>(twiddles, v, t, after_reading, next);
  } else {
    after_reading();
  }
}
template <class C, int FROM, int TO, class F>
__device__ __forceinline__ void merge_in_range(const void *twiddles, value *v, const tile &t, F after_reading) {
  early_twiddles<C, 0> early;
  if constexpr (late_twiddles<C>::SHARED) late_twiddles<C>::copy(twiddles, t);
  if constexpr (EARLY && C::MERGES > 1) early.template load<1>(twiddles, t);
  merge_from<C, 0, 1, FROM, TO>(twiddles, v, t, after_reading, early);
}
template <class C, class F>
__device__ __forceinline__ void merge_all(const void *twiddles, value *v, const tile &t, F after_reading) {
  merge_in_range<C, 0, C::MERGES>(twiddles, v, t, after_reading);
}
template <class C, int FROM = 0, int TO = C::MERGES>
__device__ __forceinline__ void merge_all(const void *twiddles, value *v, const tile &t) {
  merge_in_range<C, FROM, TO>(twiddles, v, t, [] {});
}

}  // namespace mfft
