// block_float.cuh: bfloats as halves.  bfloat16 has too few digits for what comes between the ends of a pass and too wide a
// range for halves.  So every line (or plane) is divided by a power of two that brings its largest number to [1, 2),
// computed as halves are, and multiplied again.
#pragma once

#include "memory.cuh"

namespace mfft {

constexpr bool LEVELLED = PASS_PRECISION == 3;

// A peak, as the bits of a bfloat, without its digits, in a range where it and its inverse are normal numbers.
__device__ __forceinline__ u32 exponent_of(u32 peak) { return min(max(peak & 0x7f80, 1u << 7), 253u << 7); }

__device__ __forceinline__ u32 inverse_of(u32 peak) { return (254u << 7) - exponent_of(peak); }

// Two bfloats over a power of two, whose inverse is given, as halves.
__device__ __forceinline__ u32 lowered(u32 x, u32 inverse) {
  u32 y = multiply_bfloats(x, inverse * 0x10001);
  return pack_half(__uint_as_float(y << 16), __uint_as_float(y & 0xffff0000u));
}
// Two numbers times the power of two of a peak, as bfloats.
__device__ __forceinline__ u32 raised(float re, float im, u32 peak) {
  return multiply_bfloats(pack_bfloat(re, im), exponent_of(peak) * 0x10001);
}

// The larger size of two.
__device__ __forceinline__ u32 larger_half(u32 both) { return max(both & 0x7fff, both >> 16 & 0x7fff); }

}  // namespace mfft
