// exchange.cuh: the tile of a block in shared memory, through which threads exchange values between merges.
#pragma once

#include "load.cuh"
#include "store.cuh"

namespace mfft {

// With PASS_SOLE_LINE a block has one line, and the grid as many blocks as there are lines: the index of the line of a
// thread in its block, and whether that line exists, are known when the kernel is compiled.
#ifdef PASS_SOLE_LINE
constexpr bool SOLE_LINE = true;
static_assert(PASS_LINES == 1, "a block has one line");
#else
constexpr bool SOLE_LINE = false;
#endif

// The exchange area of a block.
struct tile {
  value *whole;  // [slots of the chain]
  real *part;    // the same memory, through which odd lines of reals are staged (odd.cu)
  bool own;      // the line of this thread is its own mirror (packing.cuh)
};

// A chain of merges at compile time.  SHAPE has the host's choices: elements N of a line, LINES of the block, THREADS of a
// line, radices and maps.  A kernel may have several chains.
template <class SHAPE>
struct chain : SHAPE {
  using SHAPE::GAP;
  using SHAPE::LINES;
  using SHAPE::MAP_IN;
  using SHAPE::MAP_MID;
  using SHAPE::MAP_OUT;
  using SHAPE::MERGES;
  using SHAPE::N;
  using SHAPE::STAGED_IN;
  using SHAPE::STAGED_OUT;
  using SHAPE::THREADS;
  static constexpr int ROWS = LINES;  // lines in the tile

  // If all accesses are by line, lines are the innermost index, so that neighbouring threads access neighbouring banks.
  // Otherwise each line is a row with a gap after every GAP elements, because merges write with a stride of their radix; or
  // without gaps, where GAP exceeds all rows (engines/gaps.h).
  static constexpr bool GAPS = GAP < 1 << 16;
  __host__ __device__ static constexpr int gaps(int pos) { return GAPS ? (int)((unsigned)pos / GAP) : 0; }
  static constexpr int PITCH = (N + gaps(N)) | 1;
  __host__ __device__ static constexpr int slot(int line, int pos) {
    return SHAPE::LINE_INNER ? pos * LINES + line : line * PITCH + pos + gaps(pos);
  }

  __host__ __device__ static constexpr int map_of(int i) {  // map of threads to the tile in merge i
    return i == 0 && !STAGED_IN ? MAP_IN : i == MERGES - 1 && !STAGED_OUT ? MAP_OUT : MAP_MID;
  }
  __host__ __device__ static constexpr int table_offset(int i) {  // twiddles of merge i follow those of the preceding merges
    int offset = 0, s = 1;
    for (int m = 0; m < i; m++) s *= SHAPE::radix(m), offset += (SHAPE::radix(m) - 1) * (N / s);
    return offset;
  }
  __host__ __device__ static constexpr int most_values() {  // values that a thread holds at once: those of the largest merge
    int most = 1;
    for (int i = 0; i < MERGES; i++) {
      int need = ceil_div(N / SHAPE::radix(i), THREADS) * SHAPE::radix(i);
      most = need > most ? need : most;
    }
    return most;
  }

  // If no line is shared by two warps, a barrier of the warp suffices.
  static constexpr bool WARP_LOCAL = !STAGED_IN && (!STAGED_OUT || SHAPE::OWN_ROWS) && MAP_IN == BY_ELEMENT &&
                                     MAP_MID == BY_ELEMENT && MAP_OUT == BY_ELEMENT && 32 % THREADS == 0;
  __device__ __forceinline__ static void barrier() {
    if constexpr (WARP_LOCAL)
      __syncwarp();
    else
      __syncthreads();
  }

  // The two coordinates of a thread under a map.
  template <int MAP>
  __device__ __forceinline__ static int line_of_thread() {
    return SOLE_LINE ? 0 : MAP == BY_LINE ? threadIdx.x % LINES : threadIdx.x / THREADS;
  }
  template <int MAP>
  __device__ __forceinline__ static int part_of_thread() {
    return SOLE_LINE ? threadIdx.x : MAP == BY_LINE ? threadIdx.x / LINES : threadIdx.x % THREADS;
  }

  // f(b, line, j) for the butterflies b of this thread in merge I: they merge the elements j + q N / R of a line.
  template <int I, class F>
  __device__ __forceinline__ static void each(const tile &, F f) {
    constexpr int MAP = map_of(I), COUNT = N / SHAPE::radix(I);
    int line = line_of_thread<MAP>(), first = part_of_thread<MAP>();
#pragma unroll
    for (int b = 0; b < ceil_div(COUNT, THREADS); b++) {
      int j = first + b * THREADS;
      if (COUNT % THREADS == 0 || j < COUNT) f(b, line, j);
    }
  }
};

// Two merges whose radices A and B are coprime need no twiddles between them if elements are reordered (the prime-factor
// algorithm of Good and Thomas): butterfly b of the first merge has the elements A b + B q modulo N, and output q of
// butterfly a of the second is element x a + y q modulo N, where x is 1 modulo A and 0 modulo B, and y is 0 modulo A and 1
// modulo B.
constexpr bool COPRIME = PASS_EXACT == COPRIME_RADICES;
template <class C>
__host__ __device__ constexpr int coprime_input(int b, int q) {
  const int at = C::radix(0) * b + C::N / C::radix(0) * q;
  return at < C::N ? at : at - C::N;
}
template <class C>
__host__ __device__ constexpr int coprime_output(int a, int q) {
  constexpr int A = C::radix(0), B = C::N / A, X = one_modulo(A, B), Y = one_modulo(B, A);
  const int at = X * a % C::N + Y * q % C::N;
  return at < C::N ? at : at - C::N;
}

// Slot of element pos + q DISTANCE of a line of chain C.  SIMPLE: the number of gaps between pos and pos + q DISTANCE is the
// same for all threads, which the compiler cannot deduce.  With it, or without gaps, only the slot of pos is computed.
template <class C, int DISTANCE, bool SIMPLE>
__host__ __device__ constexpr int slot_from(int line, int pos, int q) {
  constexpr int UNIT = C::slot(0, 1) - C::slot(0, 0);
  if (C::LINE_INNER) return C::slot(line, pos) + q * DISTANCE * UNIT;
  return SIMPLE || !C::GAPS ? C::slot(line, pos) + q * DISTANCE + C::gaps(q * DISTANCE) : C::slot(line, pos + q * DISTANCE);
}
template <class C, int R>  // input q of butterfly j
__host__ __device__ constexpr int slot_read(int line, int j, int q) {
  constexpr int STEP = C::N / R, GAP = C::GAP;
  return slot_from < C, STEP, STEP % GAP == 0 || GAP % STEP == 0 > (line, j, q);
}
// Output q of butterfly j of radix R, after merges with the product S of radices (Stockham: natural order at the end).
template <class C, int R, int S>
__host__ __device__ constexpr int slot_written(int line, int j, int q) {
  constexpr int GAP = C::GAP;
  constexpr bool SIMPLE = S % GAP == 0 || (GAP % S == 0 && (S * R % GAP == 0 || GAP % (S * R) == 0));
  return slot_from<C, S, SIMPLE>(line, j / S * (S * R) + j % S, q);
}

// Writes a number of each result of merge I of chain C to where merge I + 1 reads it.  number(i): that of value i of the
// thread.  S: product of the radices before merge I.
template <class C, int I, int S, class T, class F>
__device__ __forceinline__ void write_results(T *area, const tile &t, F number) {
  constexpr int R = C::radix(I);
  C::template each<I>(t, [&](int b, int line, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) area[slot_written<C, R, S>(line, j, q)] = number(b * R + q);
  });
}
// Reads a number of each input of merge I of chain C.  put(i, x): takes that of value i of the thread.
template <class C, int I, class T, class F>
__device__ __forceinline__ void read_inputs(const T *area, const tile &t, F put) {
  constexpr int R = C::radix(I);
  C::template each<I>(t, [&](int b, int line, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) put(b * R + q, area[slot_read<C, R>(line, j, q)]);
  });
}

// Whether a line of the block exists: the last block may have fewer lines than LINES.
__device__ __forceinline__ bool exists(const mfft_pass_args &a, line_number line) {
  return SOLE_LINE || line < (line_number)a.lines;
}

// A start of a line with its part of the filter, if the pass multiplies on this side.
template <bool OUT>
__device__ __forceinline__ line_start with_filter(const mfft_pass_args &a, line_start p) {
#if PASS_FILTER
  if (OUT == (PASS_FILTER == FILTER_OF_OUTPUT)) p.filter = find_filter(a, p.offset);
#endif
  return p;
}

template <bool OUT>
__device__ __forceinline__ line_start find_start(const mfft_pass_args &a, line_number line) {
  return with_filter<OUT>(a, find_line<OUT>(a, line));
}

// The line of a thread under the map of merge I of chain C.
template <bool OUT, class C, int I>
struct own_line {
  line_start p;
  bool live;  // the line exists: the last block may have fewer lines than LINES
  __device__ __forceinline__ own_line(const mfft_pass_args &a, line_number first_line) {
    const int line = C::template line_of_thread<C::map_of(I)>();
    live = exists(a, first_line + line);
    p = live ? find_start<OUT>(a, first_line + line) : line_start{0, 0};
  }
};

// Calls f(i, line, pos) for the elements pos < COUNT of the block's existing lines, in the order of the map, for staged
// copies.
template <int MAP, int COUNT, class F>
__device__ __forceinline__ void walk(const mfft_pass_args &a, line_number first_line, F f) {
#pragma unroll
  for (int i = 0; i < ceil_div(COUNT * LINES, BLOCK); i++) {
    int at = threadIdx.x + i * BLOCK;
    int line = MAP == BY_LINE ? at % LINES : at / COUNT, pos = MAP == BY_LINE ? at / LINES : at % COUNT;
    if ((COUNT * LINES % BLOCK == 0 || at < COUNT * LINES) && exists(a, first_line + line)) f(i, line, pos);
  }
}

// The elements of the lines, adjacent in memory, that a group of GROUP threads copies as one piece: COUNT of each of GROUP /
// THREADS lines.
template <int COUNT, int GROUP>
struct piece {
  static constexpr u32 ROWS = GROUP / THREADS, ALL = ROWS * COUNT, ACCESSES = ceil_div(ALL, GROUP);
  u32 member, first;  // this thread's index in its group, and the index in the block of the group's first line
  int live;           // elements that exist, of ALL: the last block may have fewer lines than LINES
  __device__ __forceinline__ piece(const mfft_pass_args &a, line_number first_line) {
    member = threadIdx.x % GROUP;
    first = GROUP < BLOCK ? (threadIdx.x - member) / THREADS : 0;
    const line_number left = a.lines - first_line;
    live = !SOLE_LINE && left < (line_number)LINES ? ((int)left - (int)first) * COUNT : ALL;
  }
};

// Calls f(i, first, at) for the elements `at` of such a piece.
template <int COUNT, int GROUP, class F>
__device__ __forceinline__ void walk_piece(const mfft_pass_args &a, line_number first_line, F f) {
  typedef piece<COUNT, GROUP> of;
  constexpr u32 ALL = of::ALL, ACCESSES = of::ACCESSES;
  const of p(a, first_line);
  const u32 member = p.member, first = p.first;
  const int live = p.live;
  const auto access = [&](u32 i, bool full) {
    const u32 at = member + i * GROUP;
    const bool sure = full && (i + 1) * GROUP <= ALL;
    if (sure || (int)at < live) f(i, first, at);
  };
  if (live >= (int)ALL) {  // without a comparison for each element, so that all loads are issued at once
#pragma unroll
    for (u32 i = 0; i < ACCESSES; i++) access(i, true);
  } else {
#pragma unroll
    for (u32 i = 0; i < ACCESSES; i++) access(i, false);
  }
}

// Copies such a piece of whole elements of each thread: put(first, at, get(first, at)), all of the first before any of the
// others.  The few blocks of which not all lines exist copy one element after the other.
template <int COUNT, int GROUP, class G, class P>
__device__ __forceinline__ void copy_piece(const mfft_pass_args &a, line_number first_line, G get, P put) {
  typedef piece<COUNT, GROUP> of;
  static_assert(of::ALL % GROUP == 0, "each thread has as many elements");
  const of p(a, first_line);
  if (p.live >= (int)of::ALL) {
    value held[of::ACCESSES];
#pragma unroll
    for (u32 i = 0; i < of::ACCESSES; i++) held[i] = get(p.first, p.member + i * GROUP);
#pragma unroll
    for (u32 i = 0; i < of::ACCESSES; i++) put(p.first, p.member + i * GROUP, held[i]);
  } else {
#pragma unroll 1
    for (int at = (int)p.member; at < p.live; at += GROUP) put(p.first, (u32)at, get(p.first, (u32)at));
  }
}

#if PASS_FETCH
// Prefetches the lines of a block that will run soon, about COUNT complexes each, to the L2 cache, since memory would be
// idle while the few blocks of a multiprocessor merge.
template <int COUNT, class F>
__device__ __forceinline__ void prefetch_lines(const mfft_pass_args &a, F offset_of) {
  constexpr int SEGMENT = 128 / (int)sizeof(stored);
  constexpr bool OF_REALS = PASS_LOAD == FORM_REAL_PAIR || PASS_LOAD == FORM_REAL;
  const u32 block = blockIdx.x + PASS_FETCH;
  if (block >= gridDim.x) return;
  const line_number first_line = (line_number)block * LINES;
  walk<BY_ELEMENT, ceil_div(COUNT, SEGMENT)>(a, first_line, [&](int, int line, int segment) {
    const long long offset = offset_of(first_line, line);
    const void *row = OF_REALS ? (const void *)((const stored_real *)a.in + offset) : (const stored *)a.in + offset;
    prefetch((const stored *)row + segment * SEGMENT);
  });
}
#endif

}  // namespace mfft
