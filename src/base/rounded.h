/* rounded.h: operations on doubles that are rounded one by one, for arithmetic that gives the same bits on every processor
 * and on a GPU.
 *
 * The file is compiled as C11 and as CUDA C++, as are the headers that include it: by its name alone, since the device
 * compiler knows no folders.  A GPU's compiler fuses a product and a sum unless it is told not to; C compilers are told by
 * -ffp-contract=off. */
#ifndef MFFT_BASE_ROUNDED_H
#define MFFT_BASE_ROUNDED_H

#if defined(__CUDACC__) || defined(MFFT_EMULATED)
#define MFFT_ROUNDED static __device__ __forceinline__
typedef unsigned int mfft_u32;
typedef unsigned long long mfft_u64;
MFFT_ROUNDED double mfft_n_add(double a, double b) { return __dadd_rn(a, b); }
MFFT_ROUNDED double mfft_n_mul(double a, double b) { return __dmul_rn(a, b); }
MFFT_ROUNDED double mfft_n_div(double a, double b) { return __ddiv_rn(a, b); }
MFFT_ROUNDED double mfft_n_sqrt(double x) { return __dsqrt_rn(x); }
MFFT_ROUNDED double mfft_n_of_bits(mfft_u64 bits) { return __longlong_as_double((long long)bits); }
MFFT_ROUNDED mfft_u64 mfft_n_bits(double x) { return (mfft_u64)__double_as_longlong(x); }
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#define MFFT_ROUNDED static inline __attribute__((always_inline))
typedef uint32_t mfft_u32;
typedef uint64_t mfft_u64;
MFFT_ROUNDED double mfft_n_add(double a, double b) { return a + b; }
MFFT_ROUNDED double mfft_n_mul(double a, double b) { return a * b; }
MFFT_ROUNDED double mfft_n_div(double a, double b) { return a / b; }
MFFT_ROUNDED double mfft_n_sqrt(double x) { return sqrt(x); }
MFFT_ROUNDED double mfft_n_of_bits(mfft_u64 bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
MFFT_ROUNDED mfft_u64 mfft_n_bits(double x) {
  mfft_u64 bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
#endif

#endif
