// staged_rows.cuh: copies between the lines of a block in device memory and their rows in shared memory, in the order of
// memory.
//
// A copy calls put(line, pos, p, get(line, pos, p)) for the elements pos < COUNT of each line of the block, which starts at
// p.  All loads are issued before the first is waited for, except in a last block that is not full.  ROW is the distance of
// two rows that touch in memory, in elements or reals; a line has one row, a pair of real lines has two.
#pragma once

#include "exchange.cuh"

namespace mfft {

// Whether all lines of the block exist, of pairs of real lines both.  The loop over pairs must be the only one.
__device__ __forceinline__ bool is_full(const mfft_pass_args &a, line_number first_line) {
#if PASS_REAL_PAIRS
  return 2 * ((unsigned long long)first_line + LINES) <= a.real_lines;
#else
  return (unsigned long long)first_line + LINES <= a.lines;
#endif
}

// Copies lines at any distance; the start of each is computed for each of its elements.
template <class ELEMENT, bool OUT, int COUNT, class G, class P>
__device__ __forceinline__ void copy_apart(const mfft_pass_args &a, line_number first_line, G get, P put) {
  constexpr int MAP = OUT ? PASS_MAP_OUT : PASS_MAP_IN;
  const auto start = [&](int line) { return find_start<OUT>(a, first_line + line); };
  ELEMENT held[ceil_div(COUNT * LINES, BLOCK)];
  walk<MAP, COUNT>(a, first_line, [&](int i, int line, int pos) { held[i] = get(line, pos, start(line)); });
  walk<MAP, COUNT>(a, first_line, [&](int i, int line, int pos) { put(line, pos, start(line), held[i]); });
}

// Copies touching lines, all of which exist: only the start of the first is computed, and no access is tested.
template <class ELEMENT, bool OUT, int COUNT, int ROW, class G, class P>
__device__ __forceinline__ void copy_touching(const mfft_pass_args &a, line_number first_line, G get, P put) {
  constexpr int ALL = COUNT * LINES, ACCESSES = ceil_div(ALL, BLOCK), DISTANCE = PASS_REAL_PAIRS ? 2 * ROW : ROW;
  constexpr bool WHOLE_ROWS = DISTANCE == COUNT;  // they are copied as one long line
  static_assert((OUT ? PASS_STORE : PASS_LOAD) != FORM_REAL_PAIR || WHOLE_ROWS, "ROW counts pairs of reals");
  const line_start first = find_start<OUT>(a, first_line);
  const auto line_of = [](int at) { return WHOLE_ROWS ? 0 : (int)((u32)at / COUNT); };
  const auto start = [&](int line) {
    line_start p = first;
    p.offset += line * DISTANCE;
    return p;
  };
  ELEMENT held[ACCESSES];
#pragma unroll
  for (int i = 0; i < ACCESSES; i++) {
    const int at = threadIdx.x + i * BLOCK, line = line_of(at);
    if ((i + 1) * BLOCK <= ALL || at < ALL) held[i] = get(line, at - line * COUNT, start(line));
  }
#pragma unroll
  for (int i = 0; i < ACCESSES; i++) {
    const int at = threadIdx.x + i * BLOCK, line = line_of(at);
    if ((i + 1) * BLOCK <= ALL || at < ALL) put(line, at - line * COUNT, start(line), held[i]);
  }
}

// Copies the lines that exist one element after the other, by few instructions.
template <bool OUT, int COUNT, class G, class P>
__device__ __forceinline__ void copy_one_by_one(const mfft_pass_args &a, line_number first_line, G get, P put) {
#pragma unroll 1
  for (int at = threadIdx.x; at < COUNT * LINES; at += BLOCK) {
    const int line = at / COUNT, pos = at % COUNT;
    if (!exists(a, first_line + line)) return;
    const line_start p = find_start<OUT>(a, first_line + line);
    put(line, pos, p, get(line, pos, p));
  }
}

template <class ELEMENT, bool OUT, int COUNT, int ROW, class G, class P>
__device__ __forceinline__ void copy_rows(const mfft_pass_args &a, line_number first_line, G get, P put) {
  constexpr bool TOUCH = (OUT ? PASS_STAGED_OUT : PASS_STAGED_IN) == STAGED_AS_ONE;
  if constexpr (!TOUCH)
    copy_apart<ELEMENT, OUT, COUNT>(a, first_line, get, put);
  else if (is_full(a, first_line))
    copy_touching<ELEMENT, OUT, COUNT, ROW>(a, first_line, get, put);
  else
    copy_one_by_one<OUT, COUNT>(a, first_line, get, put);
}

}  // namespace mfft
