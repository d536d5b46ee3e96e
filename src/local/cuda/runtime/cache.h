/* cache.h: compiled kernels on disk: one file each, named by a hash of its key, holding the key, the code and a checksum. */
#ifndef MFFT_CUDA_CACHE_H
#define MFFT_CUDA_CACHE_H

#include "base/status.h"
#include "base/whole_file.h"
#include "local/cuda/engines/options.h"

enum { MFFT_KEY_BYTES = 2048 };

typedef struct mfft_cubin {
  char *data; /* free() it */
  size_t bytes;
  int from_disk;
} mfft_cubin;

/* Everything the code depends on, as text; of the sources, a hash. */
mfft_status mfft_cache_key(const mfft_compile_options *options, int arch, int compiler, char key[MFFT_KEY_BYTES]);

/* 1 and the code where a whole entry of this key exists in a folder, which may be "". */
int mfft_cache_read_in(const char *folder, const char *key, mfft_cubin *cubin);

/* Writes an entry into a folder that exists; 0, or 1 with the reason. */
int mfft_cache_write_in(const char *folder, const char *key, const mfft_cubin *cubin, char why[MFFT_WHY_BYTES]);

/* The same in the folder of the user. */
int mfft_cache_read(const char *key, mfft_cubin *cubin);

/* Best effort: a folder that cannot be written costs a warning, once.  Afterwards the folder holds at most MFFT_CACHE_BYTES
 * (environment): entries used least recently are removed. */
void mfft_cache_write(const char *key, const mfft_cubin *cubin);

/* The folder of compiled kernels, or "" where none can be made. */
const char *mfft_cache_folder(char *text, size_t size);

#endif
