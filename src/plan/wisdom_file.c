/* wisdom_file.c: wisdom on disk.  Only rank 0 accesses the file. */
#define _GNU_SOURCE /* flock */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/system.h"
#include "base/whole_file.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"
#include "plan/wisdom.h"

enum { LARGEST_FILE = 64 << 20, LOCK_TRIES_PER_SECOND = 50, LOCK_TRIES = 5 * LOCK_TRIES_PER_SECOND };

/* Loads with a communicator of the library, since collectives of the caller may be under way on the caller's. */
static mfft_status load(MPI_Comm comm, const char *path) {
  const int rank = mfft_comm_rank(comm);
  char *text = NULL, why[MFFT_WHY_BYTES] = "the path is NULL";
  const char *reason = why;
  size_t length = 0;
  const int found = rank == 0 && path && !mfft_file_read(path, LARGEST_FILE, &text, &length, why);
  long long bytes = found ? (long long)length + 1 : 0;
  mfft_status status = MFFT_SUCCESS;
  MFFT_GOTO(done, mfft_collective_broadcast(comm, &bytes, sizeof bytes, 0, "sharing wisdom"));
  if (bytes && rank) text = malloc((size_t)bytes);
  if (bytes && !text) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld bytes of wisdom", bytes);
  MFFT_GOTO(done, mfft_agree(comm, status));
  if (bytes) {
    MFFT_GOTO(done, mfft_collective_broadcast(comm, text, (size_t)bytes, 0, "sharing wisdom"));
    if (mfft_wisdom_import(text) == MFFT_SUCCESS) goto done;
    reason = mfft_last_error();
  }
  if (rank == 0) mfft_log(MFFT_LOG_WARNING, "ignoring the wisdom file %s: %s", path ? path : "(null)", reason);
done:
  free(text);
  return status;
}

/* Locks the folder, which leaves no lock file behind, against other jobs that save there at the same time.  Returns -1 if
 * the file system has no locks or another process holds the lock too long; then one of two jobs that save at the same
 * moment may be lost, and nothing else. */
static int lock_folder(const char *path) {
  char *folder = mfft_system_folder(path);
  int lock = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1, tries = LOCK_TRIES;
  free(folder);
  while (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK && tries-- > 0) {
      nanosleep(&(struct timespec){.tv_nsec = 1000000000 / LOCK_TRIES_PER_SECOND}, NULL);
      continue;
    }
    close(lock);
    lock = -1;
  }
  return lock;
}

static mfft_status save_locked(const char *path) {
  char *others = NULL, why[MFFT_WHY_BYTES];
  size_t needed, length;
  if (!mfft_file_read(path, LARGEST_FILE, &others, &length, why))
    mfft_wisdom_complete(others); /* damaged wisdom is replaced */
  free(others);
  MFFT_TRY(mfft_wisdom_export(NULL, 0, &needed));
  char *text = malloc(needed);
  if (!text) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes of wisdom", needed);
  mfft_status status = mfft_wisdom_export(text, needed, NULL);
  const int error = status == MFFT_SUCCESS ? mfft_file_write(path, &mfft_wisdom_kind, text, strlen(text), why) : 0;
  if (error) status = mfft_fail(error == ENOMEM ? MFFT_ERR_MEMORY : MFFT_ERR_IO, "cannot write wisdom to %s: %s", path, why);
  free(text);
  return status;
}

static mfft_status save(const char *path) {
  if (!path) return mfft_fail(MFFT_ERR_ARG, "path is NULL; name a file for the wisdom");
  const int lock = lock_folder(path);
  mfft_status status = save_locked(path);
  if (lock >= 0) close(lock);
  return status;
}

mfft_status mfft_wisdom_load(MPI_Comm comm, const char *path) {
  MPI_Comm own;
  MFFT_TRY(mfft_comm_duplicate(comm, &own));
  mfft_status status = load(own, path);
  mfft_comm_free(&own);
  return status;
}

mfft_status mfft_wisdom_save(MPI_Comm comm, const char *path) {
  MPI_Comm own;
  MFFT_TRY(mfft_comm_duplicate(comm, &own));
  mfft_status status = mfft_agree(own, mfft_comm_rank(own) == 0 ? save(path) : MFFT_SUCCESS);
  mfft_comm_free(&own);
  return status;
}
