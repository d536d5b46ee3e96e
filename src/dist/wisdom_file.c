/* wisdom_file.c: wisdom on disk.  Rank 0 alone touches the file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/log.h"
#include "dist/agree.h"
#include "dist/together.h"
#include "mfft_mpi.h"

enum { LARGEST_FILE = 64 << 20 };

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

mfft_status mfft_wisdom_load(MPI_Comm comm, const char *path) {
  int rank;
  MFFT_MPI_TRY(MPI_Comm_rank(comm, &rank));
  const char *reason = "the path is NULL";
  char *text = rank == 0 && path ? read_text(path, &reason) : NULL;
  long long bytes = text ? (long long)strlen(text) + 1 : 0;
  MFFT_TRY(mfft_together_share(comm, &bytes, sizeof bytes, 0, "sharing wisdom"));
  if (bytes && rank) text = malloc((size_t)bytes);
  mfft_status status =
      !bytes || text ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld bytes of wisdom", bytes);
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

static mfft_status write_text(const char *path, const char *text) {
  size_t length = strlen(path) + 32;
  char *beside = malloc(length);
  if (!beside) return mfft_fail(MFFT_ERR_MEMORY, "no memory to save wisdom to %s", path);
  snprintf(beside, length, "%s.tmp.%ld", path, (long)getpid());
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

static mfft_status save(const char *path) {
  if (!path) return mfft_fail(MFFT_ERR_ARG, "path is NULL; name a file for the wisdom");
  size_t needed;
  MFFT_TRY(mfft_wisdom_export(NULL, 0, &needed));
  char *text = malloc(needed);
  if (!text) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes of wisdom", needed);
  mfft_status status = mfft_wisdom_export(text, needed, NULL);
  if (status == MFFT_SUCCESS) status = write_text(path, text);
  free(text);
  return status;
}

mfft_status mfft_wisdom_save(MPI_Comm comm, const char *path) {
  int rank;
  MFFT_MPI_TRY(MPI_Comm_rank(comm, &rank));
  return mfft_agree(comm, rank == 0 ? save(path) : MFFT_SUCCESS);
}
