/* together.c: collectives of fields. */
#include "field/together.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dist/watchdog.h"

enum { PIECE = 1 << 28 }; /* bytes or values of one MPI call, whose counts are int */

mfft_status mfft_together_begin(MPI_Comm comm, MPI_Comm *mine) {
  *mine = MPI_COMM_NULL;
  int running = 0, over = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (!running || over) return mfft_fail(MFFT_ERR_STATE, "MPI is not running; call this between MPI_Init and MPI_Finalize");
  if (comm == MPI_COMM_NULL) return mfft_fail(MFFT_ERR_ARG, "comm is MPI_COMM_NULL; give a communicator");
  MFFT_MPI_TRY(MPI_Comm_dup(comm, mine));
  return mfft_mpi_status(MPI_Comm_set_errhandler(*mine, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

void mfft_together_end(MPI_Comm *mine) {
  if (*mine != MPI_COMM_NULL) MPI_Comm_free(mine);
}

int mfft_together_rank(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int mfft_together_size(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

mfft_status mfft_together_share(MPI_Comm comm, void *data, size_t bytes) {
  for (size_t done = 0; done < bytes; done += PIECE) {
    size_t part = bytes - done < PIECE ? bytes - done : PIECE;
    MPI_Request request;
    MFFT_MPI_TRY(MPI_Ibcast((char *)data + done, (int)part, MPI_BYTE, 0, comm, &request));
    MFFT_TRY(mfft_wait(comm, &request, NULL, 1, "sharing what rank 0 read"));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_together_sum(MPI_Comm comm, uint64_t *values, int64_t count) {
  for (int64_t done = 0; done < count; done += PIECE) {
    int64_t part = count - done < PIECE ? count - done : PIECE;
    MPI_Request request;
    MFFT_MPI_TRY(MPI_Iallreduce(MPI_IN_PLACE, values + done, (int)part, MPI_UINT64_T, MPI_SUM, comm, &request));
    MFFT_TRY(mfft_wait(comm, &request, NULL, 1, "adding checksums"));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_together_collect(MPI_Comm comm, const void *mine, size_t bytes, void *all) {
  MPI_Request request;
  MFFT_MPI_TRY(MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, comm, &request));
  return mfft_wait(comm, &request, NULL, 1, "collecting boxes");
}

mfft_status mfft_together_same_text(MPI_Comm comm, const char *text, const char *what) {
  if (!text) text = "";
  int64_t length = (int64_t)strlen(text);
  MFFT_TRY(mfft_together_share(comm, &length, sizeof length));
  char *first = malloc((size_t)length + 1); /* [length + 1] what rank 0 gave */
  mfft_status status =
      first ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " bytes of %s", length, what);
  MFFT_GOTO(done, mfft_agree(comm, status));
  memcpy(first, text, (size_t)length < strlen(text) ? (size_t)length : strlen(text));
  first[length] = '\0';
  MFFT_GOTO(done, mfft_together_share(comm, first, (size_t)length));
  if (strcmp(first, text) != 0)
    status = mfft_fail(MFFT_ERR_MISMATCH,
                       "%s differs between ranks: \"%.200s\" here, \"%.200s\" on rank 0; give every rank "
                       "the same",
                       what, text, first);
  status = mfft_agree(comm, status);
done:
  free(first);
  return status;
}
