/* prebuilt.h: kernels that were compiled when the library was built, so that a first plan needs no compiler.
 *
 * The kernels are entries of cache.h in one folder.  Their keys contain the sources, the options and the architecture, but
 * not the version of the compiler, since the driver loads the code of any version.  The target `prebuilt` of CMake makes
 * them; src/prebuild has the list. */
#ifndef MFFT_CUDA_PREBUILT_H
#define MFFT_CUDA_PREBUILT_H

#include "local/cuda/runtime/cache.h"

/* Writes the path of the folder: MFFT_PREBUILT_DIR (environment), otherwise mergefft/kernels beside the library, or beside
 * the program if that is linked with the static library. */
const char *mfft_prebuilt_folder(char *text, size_t size);

/* Reads an entry: 1 and the code, which the caller frees, if there is an undamaged one; otherwise 0. */
int mfft_prebuilt_read(const mfft_compile_options *options, int arch, mfft_cubin *cubin);

/* Writes an entry into a folder that exists: 0 on success, otherwise 1 and the reason. */
int mfft_prebuilt_write(const char *folder, const mfft_compile_options *options, int arch, const mfft_cubin *cubin,
                        char why[MFFT_WHY_BYTES]);

#endif
