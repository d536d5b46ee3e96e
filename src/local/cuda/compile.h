/* compile.h: a kernel and its machine code.
 *
 * Sources are the files of kernels/, embedded in the library.  Machine code is kept on disk under a name made of everything
 * it depends on: sources, options, architecture, compiler version.  Entries that are damaged or foreign are ignored and made
 * again; a new entry appears under its name only when it is whole, so processes may share the folder. */
#ifndef MFFT_CUDA_COMPILE_H
#define MFFT_CUDA_COMPILE_H

#include "local/cuda/pass.h"

/* An embedded file. */
typedef struct mfft_source {
  const char *name;
  const char *text;
} mfft_source;
extern const mfft_source mfft_sources[]; /* ends with a NULL name; generated */

enum { MFFT_MAX_OPTIONS = 64, MFFT_OPTION_BYTES = 48 };
typedef struct mfft_options {
  char text[MFFT_MAX_OPTIONS][MFFT_OPTION_BYTES]; /* [count] */
  int count;
  const char *file; /* the source to compile */
} mfft_options;

/* The compiler options that say what a kernel is.  element_bytes: of a copy kernel. */
void mfft_kernel_options(const mfft_kernel *kernel, int element_bytes, mfft_options *options);

typedef struct mfft_cubin {
  char *data; /* free() it */
  size_t bytes;
  int from_disk;
} mfft_cubin;

/* From the disk if it is there, else compiled and put there.  Needs no GPU. */
mfft_status mfft_compile(const mfft_options *options, int arch, mfft_cubin *cubin);

/* The folder of compiled kernels, or "" where none can be made. */
const char *mfft_cache_folder(char *text, size_t size);

#endif
