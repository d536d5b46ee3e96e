/* together.h: the collectives that fields need, each waited for under the watchdog, and the life of a private communicator.
 */
#ifndef MFFT_FIELD_TOGETHER_H
#define MFFT_FIELD_TOGETHER_H

#include <mpi.h>

#include "core/status.h"
#include "dist/agree.h"

/* A duplicate of `comm` that returns errors. */
mfft_status mfft_together_begin(MPI_Comm comm, MPI_Comm *mine);
void mfft_together_end(MPI_Comm *mine);

int mfft_together_rank(MPI_Comm comm);
int mfft_together_size(MPI_Comm comm);

/* From rank 0 to all. */
mfft_status mfft_together_share(MPI_Comm comm, void *data, size_t bytes);

/* values[count] become their sum modulo 2^64 over the ranks, on every rank. */
mfft_status mfft_together_sum(MPI_Comm comm, uint64_t *values, int64_t count);

/* `bytes` from each rank, in the sequence of ranks, on every rank: all[size * bytes]. */
mfft_status mfft_together_collect(MPI_Comm comm, const void *mine, size_t bytes, void *all);

/* Whether all ranks give the same text (NULL counts as ""): MFFT_ERR_MISMATCH names `what`, the rank and both texts. */
mfft_status mfft_together_same_text(MPI_Comm comm, const char *text, const char *what);

#endif
