/* cache_limit.h: limits the size of the folder of compiled kernels by removing the least recently used ones. */
#ifndef MFFT_CUDA_CACHE_LIMIT_H
#define MFFT_CUDA_CACHE_LIMIT_H

#include <stdint.h>

/* Records that an entry was used now, as the modification time of its file, since many file systems record no access time.
 * The time is written at most once an hour for an entry. */
void mfft_cache_used(const char *path);

/* Removes the least recently used entries of the folder until the others take at most `most` bytes; the newest entry is
 * never removed.  Other processes may add and remove entries at the same time: an entry that no longer exists is no error,
 * and a process that uses an entry has read the whole file before.  Files that are not named like entries are not touched.
 */
void mfft_cache_limit(const char *folder, int64_t most);

#endif
