/* compile.h: from the options of a kernel to its machine code.
 *
 * Sources are the files of kernels/, embedded in the library.  Machine code is stored on disk under a name made of
 * everything it depends on: sources, options, architecture, compiler version.  Entries that are damaged or foreign are
 * ignored and made again; a new entry appears under its name only when it is whole, so processes may share the folder. */
#ifndef MFFT_CUDA_COMPILE_H
#define MFFT_CUDA_COMPILE_H

#include "local/cuda/runtime/cache.h"

/* From the disk if it is there, else compiled and put there.  Needs no GPU. */
mfft_status mfft_compile(const mfft_compile_options *options, int arch, mfft_cubin *cubin);

#endif
