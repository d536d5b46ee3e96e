/* partial.c: the file under construction. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "field/partial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/whole_file.h"
#include "field/posix.h"

enum { LOCKED = 0, HELD_BY_OTHER = 1, NO_LOCKS = 2, TRIES = 100 };

/* A lock of the open file, not of the process: HDF5 opens and closes the file as well, which would drop the latter. */
static int lock(int fd) {
#ifdef F_OFD_SETLK
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(fd, F_OFD_SETLK, &whole) == 0) return LOCKED;
  if (errno == EAGAIN || errno == EACCES) return HELD_BY_OTHER;
#else
  (void)fd;
#endif
  return NO_LOCKS;
}

/* Whether the open file still has that name. */
static int same_file(int fd, const char *name) {
  struct stat open_file, named;
  return fstat(fd, &open_file) == 0 && lstat(name, &named) == 0 && open_file.st_dev == named.st_dev &&
         open_file.st_ino == named.st_ino;
}

static mfft_status fail_busy(const char *path, const char *name, int sure) {
  return mfft_fail(MFFT_ERR_BUSY, "%s is being written by another job, which holds %s; wait for it%s", path, name,
                   sure ? "" : ", or remove that file if no job is writing it");
}

/* Removes the file of a job that ended while writing it; MFFT_ERR_STATE if it no longer exists, so that the caller tries
 * again. */
static mfft_status remove_partial(const char *name) {
  if (unlink(name) == 0)
    mfft_log(MFFT_LOG_WARNING, "%s was left by a job that ended while writing it; it is removed and written anew", name);
  else if (errno != ENOENT)
    return mfft_fail(MFFT_ERR_IO, "%s is left from a job that was killed and cannot be removed: %s", name,
                     mfft_posix_reason(errno));
  return MFFT_ERR_STATE;
}

/* One try: success, busy, or MFFT_ERR_STATE to try again because another job changed the file. */
static mfft_status try_begin(mfft_partial *partial) {
  int fd = open(partial->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0) {
    int got = lock(fd);
    if (got == HELD_BY_OTHER || !same_file(fd, partial->name)) {
      close(fd);
      return MFFT_ERR_STATE;
    }
    partial->fd = fd;
    return MFFT_SUCCESS;
  }
  if (errno != EEXIST) return mfft_fail(MFFT_ERR_IO, "cannot make %s: %s", partial->name, mfft_posix_reason(errno));

  fd = open(partial->name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 && errno == ENOENT) return MFFT_ERR_STATE;
  if (fd < 0) return mfft_fail(MFFT_ERR_IO, "%s exists and cannot be opened: %s", partial->name, mfft_posix_reason(errno));
  int got = lock(fd);
  mfft_status status = MFFT_ERR_STATE;
  if (got != LOCKED)
    status = fail_busy(partial->path, partial->name, got == HELD_BY_OTHER);
  else if (same_file(fd, partial->name))
    status = remove_partial(partial->name);
  close(fd);
  return status;
}

/* Finds the path to write to: a link is followed, so that it remains a link, and an existing file must be an HDF5 file. */
static mfft_status resolve(const char *path, char **resolved) {
  char why[MFFT_WHY_BYTES];
  const int error = mfft_file_resolve(path, &mfft_field_kind, resolved, why);
  if (!error) return MFFT_SUCCESS;
  return mfft_fail(error == ENOMEM ? MFFT_ERR_MEMORY : MFFT_ERR_IO, "cannot write %s: %s", path, why);
}

mfft_status mfft_partial_begin(const char *path, mfft_partial *partial) {
  *partial = (mfft_partial){.fd = -1};
  mfft_status status;
  MFFT_GOTO(fail, resolve(path, &partial->path));
  size_t bytes = strlen(partial->path) + sizeof MFFT_PARTIAL_SUFFIX;
  partial->name = malloc(bytes);
  if (!partial->name) {
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory for a path");
    goto fail;
  }
  snprintf(partial->name, bytes, "%s%s", partial->path, MFFT_PARTIAL_SUFFIX);

  status = MFFT_ERR_STATE;
  for (int i = 0; i < TRIES && status == MFFT_ERR_STATE; i++) status = try_begin(partial);
  if (status == MFFT_ERR_STATE) status = fail_busy(path, partial->name, 1);
  if (status == MFFT_SUCCESS) return status;
fail:
  free(partial->name);
  partial->name = NULL; /* the file of another job must not be removed */
  mfft_partial_end(partial);
  return status;
}

mfft_status mfft_partial_rename(mfft_partial *partial) {
  if (!same_file(partial->fd, partial->name))
    return mfft_fail(MFFT_ERR_IO, "%s was removed or replaced by somebody else; write again", partial->name);
  if (rename(partial->name, partial->path) != 0)
    return mfft_fail(MFFT_ERR_IO, "cannot rename %s to %s: %s", partial->name, partial->path, mfft_posix_reason(errno));
  free(partial->name);
  partial->name = NULL;
  return mfft_posix_sync_folder(partial->path);
}

void mfft_partial_end(mfft_partial *partial) {
  if (partial->name && partial->fd >= 0 && same_file(partial->fd, partial->name)) unlink(partial->name);
  if (partial->path && partial->fd >= 0) close(partial->fd);
  free(partial->name);
  free(partial->path);
  *partial = (mfft_partial){.fd = -1};
}
