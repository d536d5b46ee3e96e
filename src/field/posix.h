/* posix.h: whole reads and writes at an offset, and related calls. */
#ifndef MFFT_FIELD_POSIX_H
#define MFFT_FIELD_POSIX_H

#include "base/status.h"
#include "base/system.h"

/* Reads or writes all `bytes` or fails with MFFT_ERR_IO and the system's reason; a file that ends early is MFFT_ERR_CORRUPT.
 * `path` is for the message. */
mfft_status mfft_posix_read(int fd, void *data, int64_t bytes, int64_t offset, const char *path);
mfft_status mfft_posix_write(int fd, const void *data, int64_t bytes, int64_t offset, const char *path);

/* Makes sure that the first `bytes` of the file can be written: the system reserves the space if it can; otherwise the free
 * space of the file system is checked. */
mfft_status mfft_posix_reserve(int fd, int64_t bytes, const char *path);

/* A hint to the system that the file will be read sequentially, which doubles its read-ahead. */
void mfft_posix_sequential(int fd);

/* A hint to the system to start writing a range to disk; returns at once. */
void mfft_posix_write_back(int fd, int64_t offset, int64_t bytes);

/* Flush to disk: a file, and the folder of `path`. */
mfft_status mfft_posix_sync(int fd, const char *path);
mfft_status mfft_posix_sync_folder(const char *path);

/* The size of a regular file; MFFT_ERR_IO if it is missing, not a regular file, or may not be read. */
mfft_status mfft_posix_size(const char *path, int64_t *bytes);

#endif
