// words.hpp: the part of CUDA that makes the kernels valid C++.  It precedes a kernel's source; entry.hpp follows it.
#pragma once

#include "kernel.hpp"

extern "C" {  // the headers that declare these take longer to compile than a kernel
void *memcpy(void *, const void *, size_t);
double fabs(double), floor(double), trunc(double), fmod(double, double), rint(double), sin(double), cos(double),
    sqrt(double), ldexp(double, int), scalbn(double, int), fma(double, double, double);
float fmaf(float, float, float), fabsf(float), sinf(float), cosf(float), sqrtf(float), fmaxf(float, float),
    fminf(float, float);
float nextafterf(float, float), scalbnf(float, int);
int ilogb(double), ilogbf(float);
}
#define isfinite __builtin_isfinite

namespace emulated {
#define EMULATED_BLIND __attribute__((no_sanitize("thread"), noinline))  // to the checks of memory

template <class T>
static inline T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
static inline T min(T a, T b) {
  return b < a ? b : a;
}
}  // namespace emulated
using emulated::max;
using emulated::min;

#define MFFT_EMULATED  // kernels use the functions of this file for instructions that C++ does not have
#define __device__
#define __host__
#define __global__
#define __shared__      static __attribute__((section("emulated_shared")))  // dynamic shared memory is rewritten by compile.cpp
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define threadIdx    emulated::machine->thread
#define blockIdx     emulated::machine->block
#define gridDim      emulated::machine->grid
#define blockDim     emulated::machine->block_size

struct float2 {
  float x, y;
};
struct double2 {
  double x, y;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

template <class T>
static inline T __ldcs(const T *from) {
  return *from;
}
template <class T>
static inline void __stcs(T *to, T v) {
  *to = v;
}
static inline float __uint_as_float(unsigned bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
static inline unsigned __float_as_uint(float f) {
  unsigned bits;
  memcpy(&bits, &f, 4);
  return bits;
}
static inline double __longlong_as_double(long long bits) {
  double d;
  memcpy(&d, &bits, 8);
  return d;
}
static inline long long __double_as_longlong(double d) {
  long long bits;
  memcpy(&bits, &d, 8);
  return bits;
}
static inline void emulated_sincos(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
#define __sincosf emulated_sincos  // the name is taken by the C library
static inline void sincospi(double x, double *s, double *c) {
  const double turn = x - 2 * floor(x / 2), pi = 3.141592653589793238462643;
  *s = sin(pi * turn), *c = cos(pi * turn);
}

static inline double __dmul_rn(double x, double y) { return x * y; }
static inline double __dadd_rn(double x, double y) { return x + y; }
static inline double __ddiv_rn(double x, double y) { return x / y; }
static inline double __dsqrt_rn(double x) { return sqrt(x); }
static inline float __fmul_rn(float x, float y) { return x * y; }

static inline void __syncthreads() { emulated::machine->sync_threads(); }
static inline void __syncwarp() { emulated::machine->sync_warp(); }
EMULATED_BLIND static void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __nanosleep(unsigned) { emulated::machine->pause(); }
template <class T>
static inline T __shfl_sync(unsigned, T x, unsigned lane) {
  double laid = 0;
  memcpy(&laid, &x, sizeof x);
  memcpy(&x, &emulated::machine->exchange(&laid, 1)[lane % emulated::WARP][0], sizeof x);
  return x;
}
template <class T>
static inline T __shfl_xor_sync(unsigned all, T x, unsigned mask) {
  return __shfl_sync(all, x, threadIdx.x % emulated::WARP ^ mask);
}
static inline unsigned __reduce_max_sync(unsigned, unsigned x) {
  const double mine = x;
  emulated::lanes all = emulated::machine->exchange(&mine, 1);
  double most = 0;
  for (int lane = 0; lane < emulated::WARP; lane++) most = max(most, all[lane][0]);
  return (unsigned)most;
}
template <class T>
EMULATED_BLIND static T atomicMax(T *at, T x) {
  emulated::machine->touch(at, sizeof *at, emulated::ATOMIC, true);
  const T before = *at;
  *at = max(before, x);
  return before;
}
template <class T>
EMULATED_BLIND static T atomicAdd(T *at, T x) {
  emulated::machine->touch(at, sizeof *at, emulated::ATOMIC, true);
  const T before = *at;
  *at = before + x;
  return before;
}
static inline unsigned __match_any_sync(unsigned, unsigned x) {
  const double mine = x;
  emulated::lanes all = emulated::machine->exchange(&mine, 1);
  unsigned same = 0;
  for (int lane = 0; lane < emulated::WARP; lane++) same |= (unsigned)(all[lane][0] == mine) << lane;
  return same;
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }

namespace mfft {
typedef unsigned int u32;

// Ordering between launches, and between operations of a stream.
static inline void wait_for_previous() { emulated::machine->wait_for_previous(); }
static inline void prefetch(const void *) {}
static inline void release_next() { emulated::machine->release_next(); }
static inline void cluster_arrive(bool stores) { emulated::machine->cluster_arrive(stores); }
static inline void cluster_wait() { emulated::machine->cluster_wait(); }
template <class V, class T>
static inline void store_in_block(V *place, u32 block, T re, T im) {
  const T both[2] = {re, im};
  emulated::machine->store(place, block, both, sizeof both);
}
static inline uint2 load_from_block(const void *place, u32 block) {
  uint2 v;
  emulated::machine->load(place, block, &v, sizeof v);
  return v;
}
static inline long long opaque(long long x) { return x; }
static inline u32 opaque(u32 x) { return x; }

// Asynchronous copies are done when they are waited for, which is as late as a device may do them.
template <class T, class S>
static inline void copy_to_shared(T *to, const S *from) {
  static_assert(sizeof(T) == sizeof(S) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16), "");
  emulated::machine->copy_later(to, from, sizeof(T));
}
static inline void end_copies() { emulated::machine->end_group(); }
template <int N>
static inline void await_copies_but() {
  emulated::machine->await_copies(N);
}
static inline void await_copies() { emulated::machine->await_copies(-1); }
EMULATED_BLIND static void store_release(unsigned long long *to, unsigned long long value) {
  emulated::machine->touch(to, sizeof *to, emulated::ATOMIC, true);
  __atomic_store_n(to, value, __ATOMIC_RELEASE);
}
EMULATED_BLIND static unsigned long long load_acquire(const unsigned long long *from) {
  emulated::machine->touch(from, sizeof *from, emulated::ATOMIC, true);
  return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}
static inline unsigned long long nanoseconds() { return emulated::machine->nanoseconds(); }

// 16-bit numbers.
static inline float half_to_float(unsigned short bits) {
  _Float16 h;
  memcpy(&h, &bits, 2);
  return (float)h;
}
static inline u32 pack_half(float lo, float hi) {
  _Float16 both[2] = {(_Float16)lo, (_Float16)hi};
  u32 bits;
  memcpy(&bits, both, 4);
  return bits;
}
static inline u32 pack_bfloat(float lo, float hi) {
  u32 bits[2] = {__float_as_uint(lo), __float_as_uint(hi)};
  for (int i = 0; i < 2; i++) bits[i] = (bits[i] + 0x7fff + (bits[i] >> 16 & 1)) >> 16;
  return bits[0] | bits[1] << 16;
}
static inline float bfloat_value(u32 bits) { return __uint_as_float(bits << 16); }
static inline u32 greater_bfloats(u32 x, u32 y) {
  return pack_bfloat(max(bfloat_value(x & 0xffff), bfloat_value(y & 0xffff)),
                     max(bfloat_value(x >> 16), bfloat_value(y >> 16)));
}
static inline u32 greater_sizes(u32 x, u32 y) { return greater_bfloats(x & 0x7fff7fff, y & 0x7fff7fff); }
template <bool MEAN>
static inline u32 add_halves(u32 x, u32 y, bool minus) {
  _Float16 a[2], b[2];
  memcpy(a, &x, 4), memcpy(b, &y, 4);
  for (int i = 0; i < 2; i++) a[i] = (_Float16)(((float)a[i] + (minus ? -(float)b[i] : (float)b[i])) * (MEAN ? 0.5f : 1.0f));
  memcpy(&x, a, 4);
  return x;
}
static inline u32 multiply_bfloats(u32 x, u32 y) {
  return pack_bfloat(bfloat_value(x & 0xffff) * bfloat_value(y & 0xffff), bfloat_value(x >> 16) * bfloat_value(y >> 16));
}
static inline float reciprocal(float x) { return 1 / x; }
}  // namespace mfft

#include "product.hpp"
