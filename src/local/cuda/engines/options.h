/* options.h: the options with which a kernel is compiled: its source file and one -D option for each field of mfft_kernel.
 *
 * The options are the identity of a kernel: they name its machine code on disk (runtime/cache.h) and in the process
 * (runtime/load.h), so their order and spelling matter. */
#ifndef MFFT_CUDA_OPTIONS_H
#define MFFT_CUDA_OPTIONS_H

#include "local/cuda/planner/kernel.h"

enum { MFFT_MAX_OPTIONS = 72, MFFT_OPTION_BYTES = 48 };

typedef struct mfft_compile_options {
  char text[MFFT_MAX_OPTIONS][MFFT_OPTION_BYTES]; /* [count] */
  int count;
  const char *file; /* the source to compile */
} mfft_compile_options;

/* Adds -DNAME=VALUE. */
void mfft_option_add(mfft_compile_options *options, const char *name, int value);

/* Empties the options, and adds those that every kernel of a pass has. */
void mfft_options_of_pass(const mfft_kernel *kernel, const char *file, mfft_compile_options *options);

/* The same, and those of a second chain and of a cluster. */
void mfft_options_of_two_chains(const mfft_kernel *kernel, const char *file, mfft_compile_options *options);

#endif
