// half_width.cuh: complexes in half their width, as they are stored for peers and loaded again: an exponent for both numbers
// and a fraction of each, 8 + 12 + 12 bits for single, 11 + 26 + 26 for double.
//
//     x = (field - 2^(FIELD - 1)) 2^(exponent - BIAS)
//
// The exponent is that of the larger number, so no scale need be known, and a number is rounded by half a unit of FIELD - 1
// bits of it.  What is not finite arrives as NaN.
#pragma once

#include "ptx.cuh"

namespace mfft {

template <class REAL>
struct half_width;
template <>
struct half_width<float> {
  typedef u32 wired;
  static constexpr int FIELD = 12, FRACTION = 23;
  static constexpr wired EXPONENTS = 255, BIAS = 137;
  __device__ __forceinline__ static wired bits_of(float x) { return __float_as_uint(x); }
  __device__ __forceinline__ static float real_of(wired x) { return __uint_as_float(x); }
};
template <>
struct half_width<double> {
  typedef unsigned long long wired;
  static constexpr int FIELD = 26, FRACTION = 52;
  static constexpr wired EXPONENTS = 2047, BIAS = 1047;
  __device__ __forceinline__ static wired bits_of(double x) { return (wired)__double_as_longlong(x); }
  __device__ __forceinline__ static double real_of(wired x) { return __longlong_as_double((long long)x); }
};

template <class REAL>
struct wire_format : half_width<REAL> {
  typedef half_width<REAL> h;
  typedef typename h::wired wired;
  static constexpr wired ZERO_EXPONENT = h::EXPONENTS / 2;
  static constexpr wired LEAST = h::BIAS - ZERO_EXPONENT + 1;  // the least exponent whose unit is a normal number
  static constexpr wired FIELD_MASK = ((wired)1 << h::FIELD) - 1, MAGNITUDE = ~(wired)0 >> 1;
  // 2^FRACTION, to whose low bits integers can be added, and with the middle of a field there: a number added to that leaves
  // its nearest integer.
  static constexpr wired WHOLE = (ZERO_EXPONENT + h::FRACTION) << h::FRACTION, MIDDLE = WHOLE + ((wired)1 << (h::FIELD - 1));
  __device__ __forceinline__ static REAL power_of_two(wired exponent) { return h::real_of(exponent << h::FRACTION); }
};

template <class REAL>
__device__ __forceinline__ typename half_width<REAL>::wired to_wire(REAL re, REAL im) {
  typedef wire_format<REAL> w;
  typedef typename w::wired wired;
  constexpr wired HALF_UNIT = (wired)1 << (w::FRACTION - w::FIELD + 1);
  const wired a = w::bits_of(re) & w::MAGNITUDE, b = w::bits_of(im) & w::MAGNITUDE;
  wired exponent = ((a > b ? a : b) + HALF_UNIT) >> w::FRACTION;  // of what it will be rounded to
  exponent = exponent < w::LEAST ? w::LEAST : exponent > w::EXPONENTS ? w::EXPONENTS : exponent;
  const REAL unit = w::power_of_two(w::ZERO_EXPONENT + w::BIAS - exponent), middle = w::real_of(w::MIDDLE);
  return exponent << 2 * w::FIELD | (w::bits_of(re * unit + middle) & w::FIELD_MASK) << w::FIELD |
         (w::bits_of(im * unit + middle) & w::FIELD_MASK);
}

template <class REAL>
__device__ __forceinline__ void from_wire(typename half_width<REAL>::wired from, REAL *re, REAL *im) {
  typedef wire_format<REAL> w;
  const typename w::wired exponent = from >> 2 * w::FIELD;
  const REAL middle = w::real_of(w::MIDDLE);
  const REAL unit = exponent == w::EXPONENTS ? w::real_of(w::MAGNITUDE)  // NaN
                                             : w::power_of_two(w::ZERO_EXPONENT + exponent - w::BIAS);
  *re = (w::real_of(w::WHOLE | (from >> w::FIELD & w::FIELD_MASK)) - middle) * unit;
  *im = (w::real_of(w::WHOLE | (from & w::FIELD_MASK)) - middle) * unit;
}

}  // namespace mfft
