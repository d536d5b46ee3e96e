/* vectors.h: loops compiled once for each kind of vectors that x86-64 processors have, of which a call takes the widest; on
 * other processors once, for those that all have.
 *
 * A loop is a function NAME_loop with MFFT_VECTOR_LOOP before it, simple enough for the compiler to vectorise.
 *
 *     MFFT_VECTOR_LOOP double largest_loop(const double *value, int64_t count) { ... }
 *     MFFT_VECTORS(double, largest, (const double *value, int64_t count), (value, count))
 *
 * defines `largest`.  Results have the same bits with all kinds where the compiler may not contract products and sums
 * (-ffp-contract=off), or where there are none. */
#ifndef MFFT_BASE_VECTORS_H
#define MFFT_BASE_VECTORS_H

#if defined(__GNUC__)
#define MFFT_VECTOR_LOOP static inline __attribute__((always_inline))
#else
#define MFFT_VECTOR_LOOP static inline
#endif

#if defined(__x86_64__) && defined(__GNUC__)
#define MFFT_VECTORS(result, name, parameters, arguments)                                                              \
  __attribute__((target("avx2"))) static result name##_avx2 parameters { return name##_loop arguments; }               \
  __attribute__((target("avx512f,avx512dq,avx512vl"))) static result name##_avx512 parameters {                        \
    return name##_loop arguments;                                                                                      \
  }                                                                                                                    \
  static result name parameters {                                                                                      \
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) \
      return name##_avx512 arguments;                                                                                  \
    return __builtin_cpu_supports("avx2") ? name##_avx2 arguments : name##_loop arguments;                             \
  }
#else
#define MFFT_VECTORS(result, name, parameters, arguments) \
  static result name parameters { return name##_loop arguments; }
#endif

#endif
