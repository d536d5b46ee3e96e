/* engine.h: a kernel family, as the planner and the runtime see it. */
#ifndef MFFT_CUDA_ENGINE_H
#define MFFT_CUDA_ENGINE_H

#include "local/cuda/engines/options.h"

typedef struct mfft_engine {
  const char *name;   /* before the length in the text of a schedule */
  const char *source; /* a file of kernels/ */
  void (*options)(const mfft_kernel *kernel, mfft_compile_options *options); /* what a kernel is compiled with */
} mfft_engine;

#endif
