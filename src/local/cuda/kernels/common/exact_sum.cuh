// exact_sum.cuh: exact sums of doubles by a block of threads (mfft_exact_sum in mfft_array.h).
//
// A block adds tiles of TILE = 256 x 16 numbers.  From the largest magnitude of a tile follows a power of two U such
// that adding and subtracting 1.5 U rounds numbers to multiples of a unit u, with the sum of TILE numbers below 2^53 u:
// these parts are added as doubles without any error, in any order (the error-free vector transformation of Rump, Ogita and
// Oishi, Accurate floating-point summation I, SIAM J. Sci. Comput. 31, 2008).  The remainder of each number is at most u / 2
// and is split again, until all remainders of the tile are 0, which takes two rounds for numbers of similar magnitude.  Each
// round gives one double, which the first thread adds to the limbs of the block.  Magnitudes above 2^900, for which U would
// overflow, are added first, one by one, straight to the limbs.
#pragma once

#include "ptx.cuh"
#include "sum_args.h"

namespace mfft {

// EACH: numbers of a thread in a tile.  2^TILE_BITS: numbers of a tile.  LIMB: bits between the units of neighbouring limbs.
// PENDING: additions after which carries are propagated; each changes a limb by less than 2^53, so 1023 cannot overflow it.
constexpr int THREADS_OF_SUM = MFFT_ARRAY_THREADS, EACH = MFFT_SUM_TILE, TILE_BITS = 12, LIMB = 32, PENDING = 900;
static_assert(THREADS_OF_SUM * EACH == 1 << TILE_BITS, "");
constexpr double LARGE = 0x1p900;  // larger magnitudes are added one by one, since U would overflow

__device__ __forceinline__ double power_of_two(int exponent) {  // 2^exponent; 0 if that is below the smallest subnormal
  if (exponent >= -1022) return __longlong_as_double((long long)(exponent + 1023) << 52);
  return exponent >= -1074 ? __longlong_as_double(1ll << (exponent + 1074)) : 0;
}
// The exponent of the largest power of two that is at most x > 0.
__device__ __forceinline__ int exponent_of(double x) {
  const int exponent = (int)((__double_as_longlong(x) >> 52) & 2047);
  return exponent ? exponent - 1023 : (int)((__double_as_longlong(x * 0x1p64) >> 52) & 2047) - 1023 - 64;
}

// Adds a finite double to two neighbouring limbs.
__device__ __forceinline__ void add_to_limbs(long long *limb, double x) {
  const unsigned long long bits = (unsigned long long)__double_as_longlong(x), fraction = bits & 0xfffffffffffffull;
  const int exponent = (int)(bits >> 52) & 2047, place = exponent ? exponent - 1 : 0, shift = place % LIMB;
  const unsigned long long mantissa = exponent ? fraction | 1ull << 52 : fraction;
  const long long low = (long long)((mantissa << shift) & 0xffffffffull), high = (long long)(mantissa >> (LIMB - shift));
  long long *at = limb + place / LIMB;
  at[0] += bits >> 63 ? -low : low;
  at[1] += bits >> 63 ? -high : high;
}

// Propagates carries, so that each limb but the last is in [0, 2^LIMB).
__device__ __forceinline__ void carry(long long *limb) {
  long long over = 0;
  for (int i = 0; i < MFFT_SUM_LIMBS - 1; i++) {
    const long long all = limb[i] + over, low = all & 0xffffffffll;
    over = (all - low) / (1ll << LIMB);
    limb[i] = low;
  }
  limb[MFFT_SUM_LIMBS - 1] += over;
}

// Reduces a number of each thread of the block to the sum or the maximum, in all threads.
struct plus {
  __device__ static double of(double a, double b) { return a + b; }
};
struct larger {
  __device__ static double of(double a, double b) { return a > b ? a : b; }
};
template <class OP>
__device__ __forceinline__ double combine(double x, double *shared) {
#pragma unroll
  for (int step = 16; step; step /= 2) x = OP::of(x, __shfl_xor_sync(0xffffffff, x, step));
  __syncthreads();  // all threads have read the preceding contents
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = x;
  __syncthreads();
  x = shared[0];
#pragma unroll
  for (int warp = 1; warp < THREADS_OF_SUM / 32; warp++) x = OP::of(x, shared[warp]);
  return x;
}

// The sum of a block, in shared memory.
struct block_state {
  long long limb[MFFT_SUM_LIMBS];     // in units of 2^(LIMB i - 1074)
  double warps[THREADS_OF_SUM / 32];  // [warp] partial results of combine
  int pending;                        // numbers added since carries were propagated
  unsigned long long infinite[2];     // positive and negative infinities, which no limb holds; in shared memory, since they
  unsigned long long nan;             // are rare and counts in registers would be live in all loops; NaNs
};

// Adds one number; called by one thread at a time.
__device__ __forceinline__ void add_one(block_state &s, double x) {
  add_to_limbs(s.limb, x);
  if (++s.pending < PENDING) return;
  carry(s.limb);
  s.pending = 0;
}

// Adds the numbers of a tile, whose magnitudes are at most 2^900.
__device__ __forceinline__ void add_tile(block_state &s, double (&x)[EACH]) {
  double most = 0;
#pragma unroll
  for (int i = 0; i < EACH; i++) most = larger::of(most, fabs(x[i]));
  most = combine<larger>(most, s.warps);
  while (most > 0) {  // the same in all threads
    const double upper = 1.5 * power_of_two(exponent_of(most) + TILE_BITS + 2);
    double sum = 0, left = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const double part = (x[i] + upper) - upper;
      x[i] -= part;
      sum += part;
      left = larger::of(left, fabs(x[i]));
    }
    sum = combine<plus>(sum, s.warps);
    if (threadIdx.x == 0) add_one(s, sum);
    most = combine<larger>(left, s.warps);
  }
}

// Adds numbers of larger magnitude, and replaces them by zeros.
__device__ __forceinline__ void add_large(block_state &s, double (&x)[EACH]) {
  for (u32 thread = 0; thread < THREADS_OF_SUM; thread++) {
    if (threadIdx.x == thread) {
#pragma unroll
      for (int i = 0; i < EACH; i++) {
        if (!(fabs(x[i]) > LARGE)) continue;
        add_one(s, x[i]);
        x[i] = 0;
      }
    }
    __syncthreads();
  }
}

__device__ __forceinline__ void begin_sum(block_state &s) {
  for (int i = threadIdx.x; i < MFFT_SUM_LIMBS; i += THREADS_OF_SUM) s.limb[i] = 0;
  if (threadIdx.x == 0) {
    s.pending = 0;
    s.infinite[0] = s.infinite[1] = s.nan = 0;
  }
  __syncthreads();
}

// Counts infinities and NaNs of a thread.
__device__ __forceinline__ void count_special(block_state &s, u32 positive, u32 negative, u32 nan) {
  if (positive) atomicAdd(&s.infinite[0], (unsigned long long)positive);
  if (negative) atomicAdd(&s.infinite[1], (unsigned long long)negative);
  if (nan) atomicAdd(&s.nan, (unsigned long long)nan);
}

// Adds 16 numbers of each thread, in any order.
__device__ __forceinline__ void add_numbers(block_state &s, double (&x)[EACH]) {
  u32 positive = 0, negative = 0, nan = 0;
  bool large = false;
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    if (!(x[i] - x[i] == 0)) {
      nan += x[i] != x[i];
      positive += x[i] > 0;
      negative += x[i] < 0;
      x[i] = 0;
    }
    large |= fabs(x[i]) > LARGE;
  }
  count_special(s, positive, negative, nan);
  if (combine<larger>(large, s.warps) > 0) add_large(s, x);
  add_tile(s, x);
}

// Stores the sum of the block.
__device__ __forceinline__ void end_sum(block_state &s, mfft_block_sums *result) {
  __syncthreads();  // all threads have added their numbers
  for (int i = threadIdx.x; i < MFFT_SUM_LIMBS; i += THREADS_OF_SUM) result->limb[i] = s.limb[i];
  if (threadIdx.x) return;
  result->infinite[0] = (long long)s.infinite[0];
  result->infinite[1] = (long long)s.infinite[1];
  result->nan = (long long)s.nan;
}

}  // namespace mfft
