// stored.cuh: numbers as they are in device memory and as kernels compute with them.
#pragma once

#include "config.cuh"
#if PASS_WIRE
#include "half_width.cuh"
#endif

namespace mfft {

#if PASS_PRECISION < 2
__device__ __forceinline__ value widen(stored s) { return {s.re, s.im}; }
__device__ __forceinline__ stored narrow(value v) { return {v.re, v.im}; }
__device__ __forceinline__ real widen_real(stored_real s) { return s; }
__device__ __forceinline__ stored_real narrow_real(real v) { return v; }
#elif PASS_PRECISION == 2
__device__ __forceinline__ value widen(stored s) {
  return {half_to_float((unsigned short)s.both), half_to_float((unsigned short)(s.both >> 16))};
}
__device__ __forceinline__ stored narrow(value v) { return {pack_half(v.re, v.im)}; }
__device__ __forceinline__ real widen_real(stored_real s) { return half_to_float(s); }
__device__ __forceinline__ stored_real narrow_real(real v) { return (stored_real)pack_half(v, 0); }
#else
__device__ __forceinline__ value widen(stored s) {
  return {__uint_as_float(s.both << 16), __uint_as_float(s.both & 0xffff0000u)};
}
__device__ __forceinline__ stored narrow(value v) { return {pack_bfloat(v.re, v.im)}; }
__device__ __forceinline__ real widen_real(stored_real s) { return bfloat_to_float(s); }
__device__ __forceinline__ stored_real narrow_real(real v) { return (stored_real)pack_bfloat(v, 0); }
#endif

__device__ __forceinline__ value table(const void *base, int i) {
  wide_value w = ((const wide_value *)base)[i];
  return {w.re, w.im};
}

#if PASS_WIRE
typedef half_width<real>::bits half_width_bits;
#endif

// Access to device memory.  Data that is used only once has the cache hint "last use" (ld.cs, st.cs: evict first), so that
// it does not evict the data that a pass has written for the next pass.
template <class T>
__device__ __forceinline__ T from_memory(const T *from) {
  return LAST_USE_IN ? __ldcs(from) : *from;
}
template <class T>
__device__ __forceinline__ void to_memory(T *to, T v) {
  if (LAST_USE_OUT)
    __stcs(to, v);
  else
    *to = v;
}
#if PASS_PRECISION < 2
__device__ __forceinline__ stored from_memory(const stored *from) {
  stored_pair v = from_memory((const stored_pair *)from);
  return {v.x, v.y};
}
__device__ __forceinline__ void to_memory(stored *to, stored v) { to_memory((stored_pair *)to, stored_pair{v.re, v.im}); }
#else
__device__ __forceinline__ stored from_memory(const stored *from) { return {from_memory((const u32 *)from)}; }
__device__ __forceinline__ void to_memory(stored *to, stored v) { to_memory((u32 *)to, v.both); }
#endif

}  // namespace mfft
