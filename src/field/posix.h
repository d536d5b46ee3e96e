/* posix.h: whole reads and writes at an offset, and what goes with them. */
#ifndef MFFT_FIELD_POSIX_H
#define MFFT_FIELD_POSIX_H

#include "base/status.h"
#include "base/system.h"

/* Moves all `bytes` or fails with MFFT_ERR_IO and the system's reason; a file that ends early is MFFT_ERR_CORRUPT.  `path`
 * is for the text. */
mfft_status mfft_posix_read(int fd, void *data, int64_t bytes, int64_t offset, const char *path);
mfft_status mfft_posix_write(int fd, const void *data, int64_t bytes, int64_t offset, const char *path);

/* Makes sure that the first `bytes` of the file can be written: the system sets the space aside where it can; where it
 * cannot the free space of the file system is looked up. */
mfft_status mfft_posix_reserve(int fd, int64_t bytes, const char *path);

/* Asks the system to start writing a range to disk, and returns at once.  A hint. */
void mfft_posix_push(int fd, int64_t offset, int64_t bytes);

/* To disk: a file, and the folder that holds the name `path`. */
mfft_status mfft_posix_sync(int fd, const char *path);
mfft_status mfft_posix_sync_folder(const char *path);

/* The size of a regular file; MFFT_ERR_IO for one that is missing or something else. */
mfft_status mfft_posix_size(const char *path, int64_t *bytes);

#endif
