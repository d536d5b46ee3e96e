// block_float.cuh: block floating point (Wilkinson): a line, or plane, whose numbers may exceed the range of the merges is
// divided by a power of two that follows from its largest magnitude, the peak, and multiplied by it at the end.
//
// bfloat16 has too few digits for intermediate results, and too wide a range for halves: the peaks of lines are scaled to
// [1, 2), and the merges compute with halves.  Single as a sum of two halves (product.cuh) needs lines below 2^14.
//
// A peak is stored as the bits of a positive floating-point number, which are ordered like the numbers.
#pragma once

#include "tile.cuh"

namespace mfft {

// Updates the peak of a line by that of each thread's numbers.  LANES: the bits in which lanes with numbers of this line
// differ.
template <u32 LANES>
__device__ __forceinline__ void raise_peak(u32 *peaks, u32 line, u32 mine, u32 thread = threadIdx.x) {
  if constexpr (LANES == 31) {
    mine = __reduce_max_sync(~0u, mine);
  } else {
#pragma unroll
    for (u32 bit = 1; bit < 32; bit *= 2)
      if (LANES & bit) mine = max(mine, __shfl_xor_sync(~0u, mine, bit));
  }
  if ((thread & LANES) == 0) atomicMax(peaks + line, mine);
}

#if PASS_PRECISION >= 2

constexpr bool BLOCK_FLOAT = PASS_PRECISION == BFLOAT;

// The power of two of a peak, as the bits of a bfloat, in the range where it and its inverse are normal numbers.
__device__ __forceinline__ u32 power_of(u32 peak) { return min(max(peak & 0x7f80, 1u << 7), 253u << 7); }
__device__ __forceinline__ u32 inverse_power_of(u32 peak) { return (254u << 7) - power_of(peak); }

// Two bfloats divided by a power of two, whose inverse is given, as halves.
__device__ __forceinline__ u32 normalized(u32 x, u32 inverse) {
  u32 y = multiply_bfloats(x, inverse * 0x10001);
  return pack_half(__uint_as_float(y << 16), __uint_as_float(y & 0xffff0000u));
}
// Two numbers times the power of two of a peak, as bfloats.
__device__ __forceinline__ u32 restored(value v, u32 peak) {
  return multiply_bfloats(pack_bfloat(v.re, v.im), power_of(peak) * 0x10001);
}

// The larger magnitude of two bfloats.
__device__ __forceinline__ u32 larger_size(u32 both) { return max(both & 0x7fff, both >> 16 & 0x7fff); }

#else

__device__ __forceinline__ float power_of_two(u32 biased) { return __uint_as_float(biased << 23); }
constexpr float FAR = 18446744073709551616.0f;  // 2^64; lines of very small numbers are scaled in two steps

// Divides a number by the power of two for which its line is below 2^14.
__device__ __forceinline__ void normalize(value &v, u32 peak) {
  const u32 exponent = peak >> 23, low = exponent < 64;
  const float up = power_of_two(267 - exponent - 64 * low);
  if (low) v.re *= FAR, v.im *= FAR;
  v.re *= up, v.im *= up;
}
// Multiplies a number by that power of two and a scale.
__device__ __forceinline__ void restore(value &v, u32 peak, double scale) {
  const u32 exponent = peak >> 23, low = exponent < 64;
  const float down = (float)scale * power_of_two(exponent - 13 + 64 * low);
  v.re *= down, v.im *= down;
  if (low) v.re *= 1 / FAR, v.im *= 1 / FAR;
}

#endif

}  // namespace mfft
