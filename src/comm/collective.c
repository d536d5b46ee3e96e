/* collective.c: nonblocking MPI collectives, each completed by mfft_wait. */
#include "comm/collective.h"

#include "comm/mpi_status.h"
#include "comm/watchdog.h"

enum { PIECE = 1 << 28 }; /* bytes or values of one MPI call, whose counts are int */

/* Collectives of an intercommunicator reduce and gather over the other group, and those in place, which agreements are,
 * abort the job. */
static mfft_status check(MPI_Comm comm) {
  int running = 0, inter = 0;
  const int over = mfft_mpi_is_over();
  MPI_Initialized(&running);
  if (!running || over)
    return mfft_fail(MFFT_ERR_STATE, "MPI is %s; call this between MPI_Init and MPI_Finalize",
                     over ? "finalized" : "not initialized");
  if (comm == MPI_COMM_NULL)
    return mfft_fail(MFFT_ERR_ARG, "the communicator is MPI_COMM_NULL; pass one that this rank is in");
  MFFT_MPI_TRY(MPI_Comm_test_inter(comm, &inter));
  if (inter)
    return mfft_fail(MFFT_ERR_ARG, "the communicator is an intercommunicator; merge its groups by MPI_Intercomm_merge");
  return MFFT_SUCCESS;
}

mfft_status mfft_comm_duplicate(MPI_Comm comm, MPI_Comm *duplicate) {
  MFFT_TRY(check(comm));
  MPI_Comm made;
  MPI_Request request;
  MFFT_MPI_TRY(MPI_Comm_idup(comm, &made, &request));
  MFFT_TRY(mfft_wait(comm, &request, NULL, 1, "duplicating the communicator"));
  mfft_status status = mfft_mpi_status(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  if (status == MFFT_SUCCESS)
    *duplicate = made;
  else
    mfft_comm_free(&made);
  return status;
}

void mfft_comm_free(MPI_Comm *comm) {
  if (*comm != MPI_COMM_NULL && !mfft_mpi_is_over()) MPI_Comm_free(comm);
}

int mfft_comm_rank(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int mfft_comm_size(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

mfft_status mfft_collective_broadcast(MPI_Comm comm, void *data, size_t bytes, int root, const char *what) {
  for (size_t done = 0; done < bytes; done += PIECE) {
    size_t part = bytes - done < PIECE ? bytes - done : PIECE;
    MPI_Request request;
    MFFT_MPI_TRY(MPI_Ibcast((char *)data + done, (int)part, MPI_BYTE, root, comm, &request));
    MFFT_TRY(mfft_wait(comm, &request, NULL, 1, what));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_collective_allreduce(MPI_Comm comm, void *values, int64_t count, MPI_Datatype type, MPI_Op op,
                                      const char *what) {
  int bytes = 0;
  MFFT_MPI_TRY(MPI_Type_size(type, &bytes));
  for (int64_t done = 0; done < count; done += PIECE) {
    int64_t part = count - done < PIECE ? count - done : PIECE;
    MPI_Request request;
    MFFT_MPI_TRY(MPI_Iallreduce(MPI_IN_PLACE, (char *)values + done * bytes, (int)part, type, op, comm, &request));
    MFFT_TRY(mfft_wait(comm, &request, NULL, 1, what));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_collective_allgather(MPI_Comm comm, const void *mine, size_t bytes, void *all, const char *what) {
  MPI_Request request;
  MFFT_MPI_TRY(MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, comm, &request));
  return mfft_wait(comm, &request, NULL, 1, what);
}

mfft_status mfft_collective_barrier(MPI_Comm comm, const char *what) {
  MPI_Request request;
  if (mfft_mpi_is_over()) return MFFT_SUCCESS;
  MFFT_MPI_TRY(MPI_Ibarrier(comm, &request));
  return mfft_wait(comm, &request, NULL, 1, what);
}
