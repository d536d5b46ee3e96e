/* compile.h: compiles a kernel from its options to machine code.
 *
 * The sources are the files of kernels/, which are embedded in the library.  Machine code is stored on disk with a key of
 * everything on which it depends: sources, options, architecture and compiler version.  A damaged entry is ignored and
 * replaced.  A new entry gets its name when the file is complete, so that processes may share the folder. */
#ifndef MFFT_CUDA_COMPILE_H
#define MFFT_CUDA_COMPILE_H

#include "local/cuda/runtime/cache.h"

/* Reads the code from disk, or compiles it and writes it there.  Needs no GPU. */
mfft_status mfft_compile(const mfft_compile_options *options, int arch, mfft_cubin *cubin);

#endif
