// half_width.cuh: the format of complexes in exchanges of half the width: a shared exponent and a fraction of each number, 8
// + 12 + 12 bits for single, 11 + 26 + 26 for double.
//
//     x = (field - 2^(FIELD - 1)) 2^(exponent - BIAS)
//
// The exponent is that of the larger number, so no scale is needed, and the error of a number is at most half a unit in bit
// FIELD - 1 of the larger one.  Numbers that are not finite become NaN.
#pragma once

#include "ptx.cuh"

namespace mfft {

template <class REAL>
struct half_width;
template <>
struct half_width<float> {
  typedef u32 bits;
  static constexpr int FIELD = 12, FRACTION = 23;
  static constexpr bits EXPONENTS = 255, BIAS = 137;
  __device__ __forceinline__ static bits bits_of(float x) { return __float_as_uint(x); }
  __device__ __forceinline__ static float real_of(bits x) { return __uint_as_float(x); }
};
template <>
struct half_width<double> {
  typedef unsigned long long bits;
  static constexpr int FIELD = 26, FRACTION = 52;
  static constexpr bits EXPONENTS = 2047, BIAS = 1047;
  __device__ __forceinline__ static bits bits_of(double x) { return (bits)__double_as_longlong(x); }
  __device__ __forceinline__ static double real_of(bits x) { return __longlong_as_double((long long)x); }
};

template <class REAL>
struct half_width_format : half_width<REAL> {
  typedef half_width<REAL> h;
  typedef typename h::bits bits;
  static constexpr bits ZERO_EXPONENT = h::EXPONENTS / 2;
  static constexpr bits LEAST = h::BIAS - ZERO_EXPONENT + 1;  // the smallest exponent whose unit is a normal number
  static constexpr bits FIELD_MASK = ((bits)1 << h::FIELD) - 1, MAGNITUDE = ~(bits)0 >> 1;
  // WHOLE: 2^FRACTION, whose low bits are an integer.  MIDDLE: 2^FRACTION with the middle of a field in those bits; a number
  // added to it is rounded to the nearest integer (conversion by a magic number).
  static constexpr bits WHOLE = (ZERO_EXPONENT + h::FRACTION) << h::FRACTION, MIDDLE = WHOLE + ((bits)1 << (h::FIELD - 1));
  __device__ __forceinline__ static REAL power_of_two(bits exponent) { return h::real_of(exponent << h::FRACTION); }
};

template <class REAL>
__device__ __forceinline__ typename half_width<REAL>::bits to_half_width(REAL re, REAL im) {
  typedef half_width_format<REAL> w;
  typedef typename w::bits bits;
  constexpr bits HALF_UNIT = (bits)1 << (w::FRACTION - w::FIELD + 1);
  const bits a = w::bits_of(re) & w::MAGNITUDE, b = w::bits_of(im) & w::MAGNITUDE;
  bits exponent = ((a > b ? a : b) + HALF_UNIT) >> w::FRACTION;  // exponent after rounding
  exponent = exponent < w::LEAST ? w::LEAST : exponent > w::EXPONENTS ? w::EXPONENTS : exponent;
  const REAL unit = w::power_of_two(w::ZERO_EXPONENT + w::BIAS - exponent), middle = w::real_of(w::MIDDLE);
  return exponent << 2 * w::FIELD | (w::bits_of(re * unit + middle) & w::FIELD_MASK) << w::FIELD |
         (w::bits_of(im * unit + middle) & w::FIELD_MASK);
}

template <class REAL>
__device__ __forceinline__ void from_half_width(typename half_width<REAL>::bits from, REAL *re, REAL *im) {
  typedef half_width_format<REAL> w;
  const typename w::bits exponent = from >> 2 * w::FIELD;
  const REAL middle = w::real_of(w::MIDDLE);
  const REAL unit = exponent == w::EXPONENTS ? w::real_of(w::MAGNITUDE)  // NaN
                                             : w::power_of_two(w::ZERO_EXPONENT + exponent - w::BIAS);
  *re = (w::real_of(w::WHOLE | (from >> w::FIELD & w::FIELD_MASK)) - middle) * unit;
  *im = (w::real_of(w::WHOLE | (from & w::FIELD_MASK)) - middle) * unit;
}

}  // namespace mfft
