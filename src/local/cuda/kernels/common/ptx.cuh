// ptx.cuh: PTX instructions that have no equivalent in C++, one line each, and numbers of 16 bits.
#pragma once

namespace mfft {

typedef unsigned int u32;

#ifndef MFFT_EMULATED  // tests/emulated/words.hpp has these in C++

// Two floats to one register of two halves (lo in the low 16 bits), rounded to nearest, and back.
__device__ __forceinline__ u32 pack_half(float lo, float hi) {
  u32 r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
  return r;
}
__device__ __forceinline__ u32 pack_bfloat(float lo, float hi) {
  u32 r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
  return r;
}
// Maxima of two bfloats each.
__device__ __forceinline__ u32 greater_bfloats(u32 x, u32 y) {
  u32 r;
  asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
// Maxima of the magnitudes of two bfloats each; the signs of the results are arbitrary.
__device__ __forceinline__ u32 greater_sizes(u32 x, u32 y) {
#if __CUDA_ARCH__ >= 860
  u32 r;
  asm("max.NaN.xorsign.abs.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
#else
  return greater_bfloats(x & 0x7fff7fff, y & 0x7fff7fff);
#endif
}
// Products of two bfloats each.
__device__ __forceinline__ u32 multiply_bfloats(u32 x, u32 y) {
  u32 r;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(0x80008000));  // minus zero
  return r;
}
// x + y or x - y of two halves each; MEAN: half of the result, which never overflows.
template <bool MEAN>
__device__ __forceinline__ u32 add_halves(u32 x, u32 y, bool minus) {
  u32 r;
  if (!MEAN && minus)
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  else if (!MEAN)
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  else
    asm("{ .reg .b32 t; mul.rn.f16x2 t, %1, %3; fma.rn.f16x2 %0, %2, %4, t; }"
        : "=r"(r)
        : "r"(x), "r"(y), "r"(0x38003800), "r"(minus ? 0xb800b800 : 0x38003800));
  return r;
}
__device__ __forceinline__ float half_to_float(unsigned short h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}

// Programmatic dependent launch: wait for the preceding kernel on the stream, and allow the next one to start its blocks.
__device__ __forceinline__ void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ __forceinline__ void release_next() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" :::);
#endif
}

// 1/x with an error of at most one unit in the last place, for numbers that are not subnormal.
__device__ __forceinline__ float reciprocal(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
// The barrier of a cluster, in two halves.  Arriving with `stores` makes this thread's stores into other blocks visible to
// threads that wait, which takes a fence.
__device__ __forceinline__ void cluster_arrive(bool stores) {
  if (stores)
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  else
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ __forceinline__ void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// Address in the shared memory of a block of the cluster that corresponds to `at` in this block; stores of two numbers
// there.
__device__ __forceinline__ u32 address_in_block(const void *at, u32 block) {
  u32 address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"((u32)__cvta_generic_to_shared(at)), "r"(block));
  return address;
}
__device__ __forceinline__ void store_in_block(void *at, u32 block, float re, float im) {
  asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(address_in_block(at, block)), "f"(re), "f"(im) : "memory");
}
__device__ __forceinline__ void store_in_block(void *at, u32 block, double re, double im) {
  asm volatile("st.shared::cluster.v2.f64 [%0], {%1, %2};" ::"r"(address_in_block(at, block)), "d"(re), "d"(im) : "memory");
}

// Returns x, but opaque to the compiler: values that depend on it are recomputed instead of occupying registers.
__device__ __forceinline__ long long opaque(long long x) {
  asm volatile("" : "+l"(x));
  return x;
}
__device__ __forceinline__ u32 opaque(u32 x) {
  asm volatile("" : "+r"(x));
  return x;
}

// Loads 8 bytes from another block of the cluster, at the address that corresponds to `at` in this block.
__device__ __forceinline__ uint2 load_from_block(const void *at, u32 block) {
  uint2 v;
  asm volatile("ld.shared::cluster.v2.u32 {%0, %1}, [%2];"
               : "=r"(v.x), "=r"(v.y)
               : "r"(address_in_block(at, block))
               : "memory");
  return v;
}

// Starts an asynchronous copy of 4, 8 or 16 bytes from device to shared memory.
template <class T, class S>
__device__ __forceinline__ void copy_to_shared(T *to, const S *from) {
  static_assert(sizeof(T) == sizeof(S) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16), "");
  u32 address = (u32)__cvta_generic_to_shared(to);
  if constexpr (sizeof(T) == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(sizeof(T)) : "memory");
}
// end_copies: the copies since the preceding call are a group.  The next functions wait for all groups except the last N,
// and for all copies.
__device__ __forceinline__ void end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void await_copies_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
__device__ __forceinline__ void await_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// Prefetches the line of an address to the L2 cache.
__device__ __forceinline__ void prefetch(const void *from) { asm volatile("prefetch.global.L2 [%0];" ::"l"(from)); }

// For signals between processes: flags in shared memory, and a clock.
__device__ __forceinline__ void store_release(unsigned long long *to, unsigned long long value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
__device__ __forceinline__ unsigned long long load_acquire(const unsigned long long *from) {
  unsigned long long value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}
__device__ __forceinline__ unsigned long long nanoseconds() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

#endif

__device__ __forceinline__ float bfloat_to_float(unsigned short h) { return __uint_as_float((u32)h << 16); }

}  // namespace mfft
