/* posix.c: plain input and output, with every return code checked. */
#define _GNU_SOURCE /* fallocate, sync_file_range */
#include "field/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { LARGEST_CALL = 1 << 30 }; /* bytes of one call; Linux moves less than 2 GiB at a time */

mfft_status mfft_posix_read(int fd, void *data, int64_t bytes, int64_t offset, const char *path) {
  for (int64_t done = 0; done < bytes;) {
    int64_t part = bytes - done < LARGEST_CALL ? bytes - done : LARGEST_CALL;
    ssize_t got = pread(fd, (char *)data + done, (size_t)part, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return mfft_fail(MFFT_ERR_IO, "%s: reading %" PRId64 " bytes at %" PRId64 ": %s", path, part, offset + done,
                       mfft_posix_reason(errno));
    if (got == 0)
      return mfft_fail(MFFT_ERR_CORRUPT, "%s ends at byte %" PRId64 ", inside data; copy it again from its source", path,
                       offset + done);
    done += got;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_posix_write(int fd, const void *data, int64_t bytes, int64_t offset, const char *path) {
  for (int64_t done = 0; done < bytes;) {
    int64_t part = bytes - done < LARGEST_CALL ? bytes - done : LARGEST_CALL;
    ssize_t put = pwrite(fd, (const char *)data + done, (size_t)part, (off_t)(offset + done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0)
      return mfft_fail(MFFT_ERR_IO, "%s: writing %" PRId64 " bytes at %" PRId64 ": %s", path, part, offset + done,
                       mfft_posix_reason(put < 0 ? errno : ENOSPC));
    done += put;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_posix_reserve(int fd, int64_t bytes, const char *path) {
  int error = 0;
  do {
    error = fallocate(fd, 0, 0, (off_t)bytes) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error == 0) return MFFT_SUCCESS;
  if (error != EOPNOTSUPP && error != ENOSYS)
    return mfft_fail(MFFT_ERR_IO, "%s: no space for %" PRId64 " bytes: %s", path, bytes, mfft_posix_reason(error));

  /* glibc's posix_fallocate would write to every block, which takes as long as writing the file; the free space is checked
   * instead, and reading the file back at the end proves that all was written. */
  struct statvfs system;
  struct stat now;
  if (fstatvfs(fd, &system) != 0 || fstat(fd, &now) != 0)
    return mfft_fail(MFFT_ERR_IO, "%s: looking up free space: %s", path, mfft_posix_reason(errno));
  int64_t available = (int64_t)system.f_bavail * (int64_t)system.f_frsize + (int64_t)now.st_blocks * 512;
  if (bytes > available)
    return mfft_fail(MFFT_ERR_IO, "%s: no space for %" PRId64 " bytes, %" PRId64 " are free: %s", path, bytes, available,
                     mfft_posix_reason(ENOSPC));
  if (now.st_size < bytes && ftruncate(fd, (off_t)bytes) != 0)
    return mfft_fail(MFFT_ERR_IO, "%s: making it %" PRId64 " bytes long: %s", path, bytes, mfft_posix_reason(errno));
  return MFFT_SUCCESS;
}

void mfft_posix_sequential(int fd) { (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL); }

void mfft_posix_write_back(int fd, int64_t offset, int64_t bytes) {
#ifdef SYNC_FILE_RANGE_WRITE
  (void)!sync_file_range(fd, (off_t)offset, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
#else
  (void)fd, (void)offset, (void)bytes;
#endif
}

mfft_status mfft_posix_sync(int fd, const char *path) {
  if (fsync(fd) == 0) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_IO, "%s: bringing it to disk: %s", path, mfft_posix_reason(errno));
}

mfft_status mfft_posix_sync_folder(const char *path) {
  const int error = mfft_system_sync_folder(path);
  if (!error) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_IO, "bringing the folder of %s to disk: %s", path, mfft_posix_reason(error));
}

mfft_status mfft_posix_size(const char *path, int64_t *bytes) {
  struct stat file;
  if (stat(path, &file) != 0 || faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0)
    return mfft_fail(MFFT_ERR_IO, "cannot open %s: %s", path, mfft_posix_reason(errno));
  if (!S_ISREG(file.st_mode)) return mfft_fail(MFFT_ERR_IO, "%s is not a regular file; name an HDF5 file", path);
  *bytes = (int64_t)file.st_size;
  return MFFT_SUCCESS;
}
