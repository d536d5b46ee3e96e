/* prebuilt.h: kernels that were compiled when the library was built, so that a first plan needs no compiler.
 *
 * They lie in one folder as entries of cache.h, whose key names the sources, the options and the architecture but, since the
 * driver takes any of it, not the compiler.  The target `prebuilt` of CMake makes them (prebuild/prebuild.c has the list).
 */
#ifndef MFFT_CUDA_PREBUILT_H
#define MFFT_CUDA_PREBUILT_H

#include "local/cuda/runtime/cache.h"

/* MFFT_PREBUILT_DIR (environment), else mergefft/kernels beside the library, or beside the program that it is a part of. */
const char *mfft_prebuilt_folder(char *text, size_t size);

/* 1 and the code, to be freed, where a whole entry exists. */
int mfft_prebuilt_read(const mfft_compile_options *options, int arch, mfft_cubin *cubin);

/* Writes an entry into a folder that exists; 0, or 1 with the reason. */
int mfft_prebuilt_write(const char *folder, const mfft_compile_options *options, int arch, const mfft_cubin *cubin,
                        char why[MFFT_WHY_BYTES]);

#endif
