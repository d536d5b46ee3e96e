/* cache.h: compiled kernels on disk.  An entry is one file, which is named by a hash of its key and contains the key, the
 * code and a checksum. */
#ifndef MFFT_CUDA_CACHE_H
#define MFFT_CUDA_CACHE_H

#include "base/status.h"
#include "base/whole_file.h"
#include "local/cuda/engines/options.h"

enum { MFFT_KEY_BYTES = 2048 };

typedef struct mfft_cubin {
  char *data; /* [bytes] freed by the caller with free() */
  size_t bytes;
  int from_disk;
} mfft_cubin;

/* Writes everything on which the code depends as text; the sources are represented by a hash. */
mfft_status mfft_cache_key(const mfft_compile_options *options, int arch, int compiler, char key[MFFT_KEY_BYTES]);

/* Reads an entry of a folder: 1 and the code if there is an undamaged entry of this key, otherwise 0.  A folder "" has no
 * entries. */
int mfft_cache_read_in(const char *folder, const char *key, mfft_cubin *cubin);

/* Writes an entry into a folder that exists: 0 on success, otherwise 1 and the reason. */
int mfft_cache_write_in(const char *folder, const char *key, const mfft_cubin *cubin, char why[MFFT_WHY_BYTES]);

/* Reads an entry of the user's folder, in the same way. */
int mfft_cache_read(const char *key, mfft_cubin *cubin);

/* Writes an entry into the user's folder.  A failure is no error, since the code can be compiled again: it is logged as a
 * warning, once in a process.  Afterwards the least recently used entries are removed until the folder holds at most
 * MFFT_CACHE_BYTES (environment). */
void mfft_cache_write(const char *key, const mfft_cubin *cubin);

/* Writes the path of the user's folder of compiled kernels, or "" if it cannot be made, and returns text. */
const char *mfft_cache_folder(char *text, size_t size);

#endif
