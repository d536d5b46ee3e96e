/* collective.h: the MPI collectives that the library uses, each with its wait under the watchdog, and the library's own
 * communicators. */
#ifndef MFFT_COMM_COLLECTIVE_H
#define MFFT_COMM_COLLECTIVE_H

#include <mpi.h>

#include "base/status.h"

/* Duplicates a communicator for use by the library alone, with MPI_ERRORS_RETURN.  MFFT_ERR_ARG for MPI_COMM_NULL and for an
 * intercommunicator.  Collective. */
mfft_status mfft_comm_duplicate(MPI_Comm comm, MPI_Comm *duplicate);
void mfft_comm_free(MPI_Comm *comm); /* collective; accepts MPI_COMM_NULL; no effect once MPI is finalized */

int mfft_comm_rank(MPI_Comm comm);
int mfft_comm_size(MPI_Comm comm);

/* In the following functions `what` names the call in messages of the watchdog. */

/* Broadcasts data[bytes] from rank `root`. */
mfft_status mfft_collective_broadcast(MPI_Comm comm, void *data, size_t bytes, int root, const char *what);

/* Replaces values[count] by their reduction over all ranks, on every rank. */
mfft_status mfft_collective_allreduce(MPI_Comm comm, void *values, int64_t count, MPI_Datatype type, MPI_Op op,
                                      const char *what);

/* Gathers `bytes` from each rank, in rank order, on every rank: all[size * bytes]. */
mfft_status mfft_collective_allgather(MPI_Comm comm, const void *mine, size_t bytes, void *all, const char *what);

/* Returns when all ranks have called it; at once if MPI is finalized. */
mfft_status mfft_collective_barrier(MPI_Comm comm, const char *what);

#endif
