/* plain.c: see plain.h. */
#include "io/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"
#include "cli/collective.h"
#include "cli/process.h"
#include "cli/report.h"
#include "mfft_memory.h"

enum { STEP_BYTES = 4 << 20, NAME_BYTES = 4096 };

/* Moves the bytes from `from` to `to` of a file, through a buffer, by pread or pwrite; 0 or errno. */
static int move(int file, int writes, int64_t from, int64_t to, char *buffer /* [STEP_BYTES] */) {
  for (int64_t at = from; at < to;) {
    const size_t step = (size_t)(to - at < STEP_BYTES ? to - at : STEP_BYTES);
    const ssize_t moved = writes ? pwrite(file, buffer, step, at) : pread(file, buffer, step, at);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) return errno;
    if (moved == 0) return EIO;
    at += moved;
  }
  return writes && fsync(file) ? errno : 0;
}

/* This rank's share of a file that is open, from a barrier to a barrier. */
static mfft_status time_share(const char *path, int file, int writes, int64_t bytes, double *seconds) {
  void *buffer = NULL;
  mfft_posix_signals signals;
  const int64_t rank = mfft_app_rank(), ranks = mfft_app_ranks();
  mfft_status status = mfft_app_alloc(STEP_BYTES, 1, "a buffer of plain reads and writes", &buffer);
  if (status == MFFT_SUCCESS) memset(buffer, 0x5a, STEP_BYTES); /* its pages are there before the clock runs */
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) {
    const double start = mfft_process_now();
    mfft_posix_quiet(&signals);
    const int error = move(file, writes, bytes * rank / ranks, bytes * (rank + 1) / ranks, buffer);
    mfft_posix_restore(&signals);
    if (error)
      status =
          mfft_app_fail(MFFT_ERR_IO, "plain %s of '%s': %s", writes ? "writes" : "reads", path, mfft_posix_reason(error));
    status = mfft_app_agree(status);
    *seconds = mfft_app_slowest(mfft_process_now() - start);
  }
  mfft_free(buffer);
  return status;
}

mfft_status mfft_plain_read(const char *path, int64_t *bytes, double *seconds) {
  struct stat about;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  mfft_status status = MFFT_SUCCESS;
  if (file < 0 || fstat(file, &about))
    status = mfft_app_fail(MFFT_ERR_IO, "cannot read '%s': %s", path, mfft_posix_reason(errno));
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS && about.st_size < *bytes) *bytes = about.st_size;
  if (status == MFFT_SUCCESS) status = time_share(path, file, 0, *bytes, seconds);
  if (file >= 0) close(file);
  return status;
}

mfft_status mfft_plain_write(const char *path, int64_t bytes, double *seconds) {
  char name[NAME_BYTES];
  const int length = snprintf(name, sizeof name, "%s.mfft-bound", path), first = mfft_app_rank() == 0;
  mfft_status status =
      length >= 0 && length < NAME_BYTES ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_ARG, "'%s' is too long a name", path);
  int file = -1;
  for (int step = 0; step < 2; step++) { /* rank 0 makes the file, then the others open it */
    if (status == MFFT_SUCCESS && first == !step) {
      file = open(name, O_WRONLY | O_CLOEXEC | (first ? O_CREAT | O_TRUNC : 0), 0600);
      if (file < 0) status = mfft_app_fail(MFFT_ERR_IO, "cannot write '%s': %s", name, mfft_posix_reason(errno));
    }
    status = mfft_app_agree(status);
  }
  if (status == MFFT_SUCCESS) status = time_share(name, file, 1, bytes, seconds);
  if (file >= 0) close(file);
  if (first && file >= 0) unlink(name);
  return status;
}
