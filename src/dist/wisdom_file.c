/* wisdom_file.c: wisdom on disk.  Rank 0 alone touches the file. */
#define _GNU_SOURCE /* flock */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "core/log.h"
#include "core/wisdom.h"
#include "dist/agree.h"
#include "dist/together.h"
#include "mfft_mpi.h"

enum { LARGEST_FILE = 64 << 20, LOCK_TRIES_PER_SECOND = 50, LOCK_TRIES = 5 * LOCK_TRIES_PER_SECOND };

/* The whole file as a string, or NULL with the reason; the caller frees it. */
static char *read_text(const char *path, const char **reason) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  if (!file) {
    *reason = strerror(errno);
    return NULL;
  }
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  rewind(file);
  if (size < 0 || size > LARGEST_FILE)
    *reason = "it is no ordinary file of less than 64 MiB";
  else if (!(text = calloc(1, (size_t)size + 1)))
    *reason = "no memory";
  else if (fread(text, 1, (size_t)size, file) != (size_t)size) {
    *reason = "it could not be read whole";
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}

/* On the library's own communicator: collectives of the caller may be under way on theirs. */
static mfft_status load(MPI_Comm comm, const char *path) {
  const int rank = mfft_together_rank(comm);
  const char *reason = "the path is NULL";
  char *text = rank == 0 && path ? read_text(path, &reason) : NULL;
  long long bytes = text ? (long long)strlen(text) + 1 : 0;
  mfft_status status = MFFT_SUCCESS;
  MFFT_GOTO(done, mfft_together_share(comm, &bytes, sizeof bytes, 0, "sharing wisdom"));
  if (bytes && rank) text = malloc((size_t)bytes);
  if (bytes && !text) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld bytes of wisdom", bytes);
  MFFT_GOTO(done, mfft_agree(comm, status));
  if (bytes) {
    MFFT_GOTO(done, mfft_together_share(comm, text, (size_t)bytes, 0, "sharing wisdom"));
    if (mfft_wisdom_import(text) == MFFT_SUCCESS) goto done;
    reason = mfft_last_error();
  }
  if (rank == 0) mfft_log(MFFT_LOG_WARNING, "ignoring the wisdom file %s: %s", path ? path : "(null)", reason);
done:
  free(text);
  return status;
}

/* Beside it under a name that no other job has, be it on another host. */
static mfft_status write_text(const char *path, const char *text) {
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  size_t length = strlen(path) + sizeof host + 32;
  char *beside = malloc(length);
  if (!beside) return mfft_fail(MFFT_ERR_MEMORY, "no memory to save wisdom to %s", path);
  snprintf(beside, length, "%s.tmp.%s.%ld", path, host, (long)getpid());
  mfft_status status = MFFT_SUCCESS;
  FILE *file = fopen(beside, "wb");
  int well = file && fputs(text, file) >= 0;
  well = file && fflush(file) == 0 && fsync(fileno(file)) == 0 && well;
  well = file && fclose(file) == 0 && well;
  if (!well || rename(beside, path) != 0) {
    status = mfft_fail(MFFT_ERR_IO, "wisdom file %s cannot be written: %s; choose another path or free some space", path,
                       strerror(errno));
    remove(beside);
  }
  free(beside);
  return status;
}

/* Keeps other jobs from saving to the same folder meanwhile, which leaves no file behind; -1 where the file system has no
 * locks, or somebody holds one for long: then a job that saves at the same moment may be forgotten, and no more. */
static int lock_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash == path ? strdup("/") : slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
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
  const char *reason;
  char *others = read_text(path, &reason);
  if (others) mfft_wisdom_complete(others); /* a file that cannot be read is replaced */
  free(others);
  size_t needed;
  MFFT_TRY(mfft_wisdom_export(NULL, 0, &needed));
  char *text = malloc(needed);
  if (!text) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes of wisdom", needed);
  mfft_status status = mfft_wisdom_export(text, needed, NULL);
  if (status == MFFT_SUCCESS) status = write_text(path, text);
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
  mfft_status status = mfft_agree(own, mfft_together_rank(own) == 0 ? save(path) : MFFT_SUCCESS);
  mfft_comm_free(&own);
  return status;
}
