/* failing_driver.h: the driver of the device, of whose calls one fails.  The calls are those listed below, and those that a
 * test lists before it includes this file:
 *
 *   #define MORE_WRAPPED(X) X(name, change, parameters, arguments)   calls that may fail; one that succeeds changes `live`
 * by `change` #define MORE_COUNTED(X) X(name, parameters, argument)            calls that destroy one object each */
#ifndef MFFT_TESTS_FAILING_DRIVER_H
#define MFFT_TESTS_FAILING_DRIVER_H

#include "local/cuda/runtime/driver.h"

static mfft_cuda_driver real;
static int fails_at = -1, calls; /* the call that fails, -1: none; calls so far */
static int lasts;                /* 1: all later calls fail too, as after a kernel that has corrupted its context */
static CUresult fails_with = CUDA_ERROR_OUT_OF_MEMORY;
static int live; /* number of objects that were made and not destroyed */

static int fails(void) {
  if (fails_at < 0) return 0;
  const int call = calls++;
  return lasts ? call >= fails_at : call == fails_at;
}

#define WRAPPED(X)                                                                                          \
  X(memory_alloc, 1, (CUdeviceptr * p, size_t n), (p, n))                                                   \
  X(host_alloc, 1, (void **p, size_t n, unsigned flags), (p, n, flags))                                     \
  X(stream_create, 1, (CUstream * s, unsigned flags), (s, flags))                                           \
  X(event_create, 1, (CUevent * e, unsigned flags), (e, flags))                                             \
  X(copy_to_device, 0, (CUdeviceptr to, const void *from, size_t n), (to, from, n))                         \
  X(stream_synchronize, 0, (CUstream s), (s))                                                               \
  X(module_load, 0, (CUmodule * m, const void *image), (m, image))                                          \
  X(launch, 0, (const CUlaunchConfig *config, CUfunction f, void **p, void **extra), (config, f, p, extra)) \
  MORE_WRAPPED(X)
#define COUNTED(X)                   \
  X(memory_free, (CUdeviceptr p), p) \
  X(host_free, (void *p), p)         \
  X(stream_destroy, (CUstream s), s) \
  X(event_destroy, (CUevent e), e)   \
  MORE_COUNTED(X)

#define WRAP(name, change, parameters, arguments) \
  static CUresult failing_##name parameters {     \
    if (fails()) return fails_with;               \
    const CUresult result = real.name arguments;  \
    if (result == CUDA_SUCCESS) live += change;   \
    return result;                                \
  }
WRAPPED(WRAP)

#define COUNT(name, parameters, argument)        \
  static CUresult counting_##name parameters {   \
    const CUresult result = real.name(argument); \
    if (result == CUDA_SUCCESS) live--;          \
    return result;                               \
  }
COUNTED(COUNT)

/* Replaces the entries of the driver's table by those functions. */
static void stand_between(mfft_cuda_driver *table) {
  real = *table;
#define SET(name, change, parameters, arguments) table->name = failing_##name;
  WRAPPED(SET)
#define SET_COUNT(name, parameters, argument) table->name = counting_##name;
  COUNTED(SET_COUNT)
}

#endif
