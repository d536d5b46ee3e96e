/* collective.h: the collectives of the library, each waited for under the watchdog, and its own communicators. */
#ifndef MFFT_COMM_COLLECTIVE_H
#define MFFT_COMM_COLLECTIVE_H

#include <mpi.h>

#include "base/status.h"

/* The library's own duplicate of a communicator, with MPI_ERRORS_RETURN.  Collective. */
mfft_status mfft_comm_duplicate(MPI_Comm comm, MPI_Comm *duplicate);
void mfft_comm_free(MPI_Comm *comm); /* collective; accepts MPI_COMM_NULL; nothing where MPI is finalized */

int mfft_comm_rank(MPI_Comm comm);
int mfft_comm_size(MPI_Comm comm);

/* In these `what` names the call in messages of the watchdog. */

/* From rank `root` to all. */
mfft_status mfft_collective_broadcast(MPI_Comm comm, void *data, size_t bytes, int root, const char *what);

/* values[count] become their reduction over the ranks, on every rank. */
mfft_status mfft_collective_allreduce(MPI_Comm comm, void *values, int64_t count, MPI_Datatype type, MPI_Op op,
                                      const char *what);

/* `bytes` from each rank, in the sequence of ranks, on every rank: all[size * bytes]. */
mfft_status mfft_collective_allgather(MPI_Comm comm, const void *mine, size_t bytes, void *all, const char *what);

/* Returns when all ranks have called it; at once where MPI is finalized. */
mfft_status mfft_collective_barrier(MPI_Comm comm, const char *what);

#endif
