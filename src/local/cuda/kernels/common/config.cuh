// config.cuh: the options of a pass as constants.  The host defines each as a macro PASS_... when it compiles a kernel
// (engines/options.c lists them with the field of mfft_kernel that each comes from).
#pragma once

#include "butterfly.cuh"
#include "option_values.cuh"
#include "pass_args.h"
#include "ptx.cuh"

#ifndef PASS_TRIGONOMETRIC
#define PASS_TRIGONOMETRIC 0  // an mfft_axis_kind: lines in memory are of cosines or sines
#endif

#ifndef PASS_OPPOSITE
#define PASS_OPPOSITE 0  // bits: the first, the last merge takes butterflies in pairs of opposite elements (packing.cuh)
#endif

#ifndef PASS_CONVOLVED
#define PASS_CONVOLVED 0  // an mfft_convolved: an axis is transformed, multiplied, and transformed back
#endif

#ifndef PASS_ENDS
#define PASS_ENDS 0  // 1: elements 0 and N of half spectra are in args.ends
#endif

#ifndef PASS_REAL_PAIRS
#define PASS_REAL_PAIRS 0  // 1 + the loop over pairs of real lines, which are one line of complexes each (real_pair.cuh)
#endif

#ifndef PASS_COPRIME
#define PASS_COPRIME \
  0  // 1: no two radices have a common factor, and the order of elements is such that there are no twiddles
#endif

#ifndef PASS_PADDED
#define PASS_PADDED 0  // an mfft_padding: which elements of a line exist
#endif

namespace mfft {

enum { DOUBLE = 0, SINGLE = 1, HALF = 2, BFLOAT = 3 };  // PASS_PRECISION
enum { BY_ELEMENT = 0, BY_LINE = 1 };                   // maps: neighbouring threads have neighbouring elements or lines

constexpr int N = PASS_N;              // elements of a line
constexpr int MERGES = PASS_MERGES;    // radices in the chain
constexpr int LINES = PASS_LINES;      // lines of a block
constexpr int THREADS = PASS_THREADS;  // threads that share a line
constexpr int SIGN = PASS_SIGN;        // sign of the exponent
constexpr int BLOCK = LINES * THREADS;
constexpr bool ODD_LINES = !PASS_BLUESTEIN && ((PASS_LOAD == FORM_REAL && PASS_STORE == FORM_HALF_ODD) ||
                                               (PASS_LOAD == FORM_HALF_ODD && PASS_STORE == FORM_REAL));

// The lines of a pass are pairs of real lines, whose spectrum becomes cosines or sines, or is made of them (line_pair.cuh).
constexpr bool COSINES_OUT = PASS_STORE == FORM_LINE_PAIR && (PASS_TRIGONOMETRIC - 1) % 4 + 1 == 2,
               COSINES_IN = PASS_LOAD == FORM_LINE_PAIR && (PASS_TRIGONOMETRIC - 1) % 4 + 1 == 3;

constexpr bool ALIGNED_IN = PASS_VECTOR & 1, ALIGNED_OUT = PASS_VECTOR & 2;  // accesses of whole units, or pairs of reals
constexpr bool OUTER_IN_FOURS = PASS_VECTOR & 4;  // four neighbouring lines have the same or consecutive indices in the loop
                                                  // of the inter-pass twiddle
constexpr bool SHORT = PASS_VECTOR & 8;           // lines of 16 or 32 that are contiguous in memory
constexpr bool LAST_USE_IN = PASS_LAST_USE & 1, LAST_USE_OUT = PASS_LAST_USE & 2;  // cache hints
constexpr bool PERSISTENT = PASS_PERSISTENT;  // a block processes many tiles, one after the other

__host__ __device__ constexpr int radix(int i) {
  constexpr int list[] = {PASS_R0, PASS_R1, PASS_R2, PASS_R3, PASS_R4, PASS_R5, PASS_R6, PASS_R7};  // [MERGES] count
  return list[i];
}
__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

struct pass_shape {  // these constants as a type, for exchange.cuh
  static constexpr int N = PASS_N, MERGES = PASS_MERGES, LINES = PASS_LINES, THREADS = PASS_THREADS, SIGN = PASS_SIGN;
  static constexpr int MAP_IN = PASS_MAP_IN, MAP_MID = PASS_MAP_MID, MAP_OUT = PASS_MAP_OUT;
  static constexpr bool LINE_INNER = MAP_IN == BY_LINE && MAP_MID == BY_LINE && MAP_OUT == BY_LINE;
  static constexpr int GAP = PASS_GAP ? PASS_GAP : 16;
  static constexpr bool STAGED_IN = PASS_STAGED_IN, STAGED_OUT = PASS_STAGED_OUT;
  static constexpr bool OWN_ROWS = PASS_STAGED_OUT == STAGED_BY_SECTOR;
  static constexpr bool HALF_IN = PASS_LOAD == FORM_HALF_EVEN, HALF_OUT = PASS_STORE == FORM_HALF_EVEN, MIRROR = PASS_MIRROR;
  static constexpr bool SELECTS = false;
  static constexpr bool UPPER_IS_ZERO = PASS_BLUESTEIN & CHIRP_AT_LOAD;  // inputs of the first merge (zero_half.cuh)
  static constexpr bool PAIRED_IN = HALF_IN || COSINES_IN, PAIRED_OUT = HALF_OUT || COSINES_OUT;
  static constexpr bool OPPOSITE_IN = PASS_OPPOSITE & 1, OPPOSITE_OUT = PASS_OPPOSITE & 2;
  __host__ __device__ static constexpr int radix(int i) { return mfft::radix(i); }
};

#if PASS_PRECISION == 0
typedef double real;
struct __align__(16) stored {
  double re, im;
};
typedef double stored_real;
typedef double2 stored_pair;
#elif PASS_PRECISION == 1
typedef float real;
struct __align__(8) stored {
  float re, im;
};
typedef float stored_real;
typedef float2 stored_pair;
#else
typedef float real;
struct __align__(4) stored {
  u32 both;
};
typedef unsigned short stored_real;
#endif
typedef complex_of<real> value;
struct __align__(2 * sizeof(real)) wide_value {
  real re, im;
};

#if PASS_WIDE
typedef unsigned long long line_number;
#else
typedef u32 line_number;
#endif

}  // namespace mfft
