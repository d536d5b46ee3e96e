/* fatbin.h: machine code compressed as a fat binary, which the driver takes and decompresses as it loads it. */
#ifndef MFFT_PREBUILD_FATBIN_H
#define MFFT_PREBUILD_FATBIN_H

#include "local/cuda/runtime/cache.h"

/* Replaces the code by a compressed fat binary of it, which `tool` makes, NVIDIA's program fatbinary, in a third of the
 * bytes.  Its temporary files lie in `folder` and are removed.  0, or 1 with the reason and the code as it was. */
int mfft_fatbin_compress(const char *tool, const char *folder, int arch, mfft_cubin *cubin, char why[MFFT_WHY_BYTES]);

#endif
