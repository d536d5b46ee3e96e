/* cache_limit.h: the folder of compiled kernels is limited to a size, by removing the least recently used kernels. */
#ifndef MFFT_CUDA_CACHE_LIMIT_H
#define MFFT_CUDA_CACHE_LIMIT_H

#include <stdint.h>

/* Notes that an entry was used now.  The note is the file's time of modification, since many file systems keep no time of
 * access; it is written at most once an hour for an entry. */
void mfft_cache_used(const char *path);

/* Removes the least recently used entries of the folder until the rest takes at most `most` bytes; the newest one stays.
 * Other processes may add and remove entries meanwhile: an entry that has gone is no error, and a process that has read an
 * entry holds it whole in memory.  Files that are not named as entries are left alone. */
void mfft_cache_limit(const char *folder, int64_t most);

#endif
