// wired.cuh: complexes in half their width, as passes store them for peers and load them again (local/wire.h): an exponent
// for both numbers and a fraction of each, 8 + 12 + 12 bits for single, 11 + 26 + 26 for double.
//
//     x = (field - 2^(FIELD - 1)) 2^(exponent - BIAS)
//
// The exponent is that of the larger number, so no scale need be known, and a number is rounded by half a unit of FIELD - 1
// bits of it.  What is not finite arrives as NaN.
#pragma once

#include "config.cuh"

namespace mfft {

#if PASS_PRECISION == 0
typedef unsigned long long wired;
constexpr int FIELD = 26, FRACTION = 52;
constexpr wired EXPONENTS = 2047, BIAS = 1047;
__device__ __forceinline__ wired bits_of(real x) { return (wired)__double_as_longlong(x); }
__device__ __forceinline__ real real_of(wired x) { return __longlong_as_double((long long)x); }
#else
typedef u32 wired;
constexpr int FIELD = 12, FRACTION = 23;
constexpr wired EXPONENTS = 255, BIAS = 137;
__device__ __forceinline__ wired bits_of(real x) { return __float_as_uint(x); }
__device__ __forceinline__ real real_of(wired x) { return __uint_as_float(x); }
#endif
constexpr wired ZERO_EXPONENT = EXPONENTS / 2, LEAST = BIAS - ZERO_EXPONENT + 1;  // the least whose unit is a normal number
constexpr wired FIELD_MASK = ((wired)1 << FIELD) - 1;
// 2^FRACTION + 2^(FIELD - 1): a number added to it leaves its nearest integer, and the middle of a field, in the low bits.
constexpr wired MIDDLE_BITS = ((ZERO_EXPONENT + FRACTION) << FRACTION) + ((wired)1 << (FIELD - 1));

__device__ __forceinline__ real power_of_two(wired exponent) { return real_of(exponent << FRACTION); }

__device__ __forceinline__ wired to_wire(value v) {
  constexpr wired MAGNITUDE = ~(wired)0 >> 1, HALF_UNIT = (wired)1 << (FRACTION - FIELD + 1);
  const wired re = bits_of(v.re) & MAGNITUDE, im = bits_of(v.im) & MAGNITUDE;
  wired exponent = ((re > im ? re : im) + HALF_UNIT) >> FRACTION;  // of what it will be rounded to
  exponent = exponent < LEAST ? LEAST : exponent > EXPONENTS ? EXPONENTS : exponent;
  const real unit = power_of_two(ZERO_EXPONENT + BIAS - exponent), middle = real_of(MIDDLE_BITS);
  return exponent << 2 * FIELD | (bits_of(v.re * unit + middle) & FIELD_MASK) << FIELD |
         (bits_of(v.im * unit + middle) & FIELD_MASK);
}

__device__ __forceinline__ value from_wire(wired w) {
  constexpr wired WHOLE = (ZERO_EXPONENT + FRACTION) << FRACTION;
  const wired exponent = w >> 2 * FIELD;
  const real middle = real_of(MIDDLE_BITS);
  const real unit = exponent == EXPONENTS ? real_of(~(wired)0 >> 1) : power_of_two(ZERO_EXPONENT + exponent - BIAS);
  return {(real_of(WHOLE | (w >> FIELD & FIELD_MASK)) - middle) * unit, (real_of(WHOLE | (w & FIELD_MASK)) - middle) * unit};
}

}  // namespace mfft
