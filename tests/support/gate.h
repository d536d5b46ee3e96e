/* gate.h: stops a stream of a device until it is released, for tests that check which work waits for which. */
#ifndef MFFT_TESTS_GATE_H
#define MFFT_TESTS_GATE_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "local/cuda/runtime/driver.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static const mfft_cuda_driver *gpu;
static CUresult (*launch_host)(CUstream, CUhostFn, void *);

/* Stops the stream until the gate is opened, or for 20 seconds. */
static atomic_int gate_is_open, gave_up;
static const struct timespec a_while = {.tv_nsec = 10000000};

static inline void wait_at_gate(void *unused) {
  (void)unused;
  for (int i = 0; i < 2000 && !gate_is_open; i++) nanosleep(&a_while, NULL);
  if (!gate_is_open) gave_up = 1;
}

/* A thread that opens the gate. */
static inline void *open_soon(void *unused) {
  for (int i = 0; i < 5; i++) nanosleep(&a_while, NULL);
  gate_is_open = 1;
  return unused;
}

/* Whether a device is present. */
static inline int gate_has_device(void) {
  return mfft_backend_usable("cuda", NULL, 0) && mfft_cuda_open(&gpu) == MFFT_SUCCESS;
}

/* Whether its driver can stop a stream. */
static inline int gate_can_close(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *symbol = library ? dlsym(library, "cuLaunchHostFunc") : NULL;
  memcpy(&launch_host, &symbol, sizeof symbol);
  CHECK(symbol != NULL, "a driver without cuLaunchHostFunc");
  return symbol != NULL;
}

static inline void close_gate(CUstream stream) {
  gate_is_open = 0;
  CHECK(launch_host(stream, wait_at_gate, NULL) == CUDA_SUCCESS, "the gate");
}

/* A copy of host memory on the device. */
static inline void *placed(const void *host, size_t bytes) {
  void *made = NULL;
  CHECK_OK(mfft_memory_alloc("cuda", bytes, &made));
  CHECK_OK(mfft_memory_upload("cuda", made, host, bytes));
  return made;
}

#endif
