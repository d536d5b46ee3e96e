/* emulated_gpu.h: a test of the cuda backend takes the GPU of the machine, or else the emulated one (tests/emulated), for
 * which the program begins again with another LD_LIBRARY_PATH. */
#ifndef MFFT_TESTS_EMULATED_GPU_H
#define MFFT_TESTS_EMULATED_GPU_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mfft.h"

/* 1 where cuda can be used now.  Before MPI_Init. */
static inline int any_gpu(char **argv) {
  const char *build = getenv("MFFT_TEST_BUILD");
  char folder[4096];
  if (mfft_backend_usable("cuda", NULL, 0)) return 1;
  if (!build || getenv("MFFT_TEST_EMULATED")) return 0;
  snprintf(folder, sizeof folder, "%s/tests/emulated", build);
  setenv("MFFT_TEST_EMULATED", "1", 1);
  setenv("LD_LIBRARY_PATH", folder, 1);
  setenv("MFFT_CACHE_DIR", "kernels", 0);
  execv("/proc/self/exe", argv);
  return 0;
}

#endif
