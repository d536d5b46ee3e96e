/* messages.c: see messages.h.  Counts of MPI are ints, so a long message is sent in pieces; MPI delivers them in order. */
#include "particles/messages.h"

#include <stdlib.h>

#include "comm/mpi_status.h"
#include "mfft_mpi.h"

enum { PIECE = 1 << 30 }; /* largest number of bytes of a piece */

static int64_t pieces_of(const mfft_pm_message *message, int count) {
  int64_t pieces = 0;
  for (int i = 0; i < count; i++) pieces += (message[i].bytes + PIECE - 1) / PIECE;
  return pieces;
}

/* Starts the pieces of all messages in one direction, from request *next on. */
static mfft_status start(MPI_Comm comm, const mfft_pm_message *message, int count, int sends, MPI_Request *request,
                         int *peer, int *next) {
  for (int i = 0; i < count; i++)
    for (int64_t done = 0; done < message[i].bytes; done += PIECE) {
      const int bytes = (int)(message[i].bytes - done < PIECE ? message[i].bytes - done : PIECE);
      char *data = (char *)message[i].data + done;
      peer[*next] = message[i].peer;
      if (sends)
        MFFT_MPI_TRY(MPI_Isend(data, bytes, MPI_BYTE, message[i].peer, 0, comm, &request[*next]));
      else
        MFFT_MPI_TRY(MPI_Irecv(data, bytes, MPI_BYTE, message[i].peer, 0, comm, &request[*next]));
      ++*next;
    }
  return MFFT_SUCCESS;
}

mfft_status mfft_pm_messages(MPI_Comm comm, const mfft_pm_message *recv, int receives, const mfft_pm_message *send,
                             int sends, const char *what) {
  const int64_t count = pieces_of(recv, receives) + pieces_of(send, sends);
  if (!count) return MFFT_SUCCESS;
  if (count > INT32_MAX) return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s needs 2^31 messages or more; use more ranks", what);
  MPI_Request *request = malloc((size_t)count * sizeof *request);
  int *peer = malloc((size_t)count * sizeof *peer), next = 0;
  mfft_status status = request && peer
                           ? MFFT_SUCCESS
                           : mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld messages of %s", (long long)count, what);
  if (status == MFFT_SUCCESS) status = start(comm, recv, receives, 0, request, peer, &next);
  if (status == MFFT_SUCCESS) status = start(comm, send, sends, 1, request, peer, &next);
  if (status == MFFT_SUCCESS) status = mfft_wait(comm, request, peer, next, what);
  free(request);
  free(peer);
  return status;
}
