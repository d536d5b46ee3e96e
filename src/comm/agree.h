/* agree.h: a failure of one rank becomes a failure of all ranks.
 *
 * A collective function first does its local work, then calls mfft_agree with the status of that work.  If any rank
 * failed, every rank gets the status and the error message of the lowest rank that failed. */
#ifndef MFFT_COMM_AGREE_H
#define MFFT_COMM_AGREE_H

#include <mpi.h>

#include "base/status.h"

mfft_status mfft_agree(MPI_Comm comm, mfft_status mine);

/* Agree on a status as mfft_agree does, and replace values[count] by the largest of all ranks, or by their sum modulo 2^64:
 * by one reduction unless a rank failed.  Values of a rank that failed are not read; after a failure none are changed. */
enum { MFFT_AGREE_NUMBERS = 128 };
mfft_status mfft_agree_largest(MPI_Comm comm, mfft_status mine, double *values /* [count] */,
                               int count /* at most MFFT_AGREE_NUMBERS */, const char *what);
mfft_status mfft_agree_largest_integers(MPI_Comm comm, mfft_status mine, int64_t *values /* [count] */,
                                        int count /* at most MFFT_AGREE_NUMBERS */, const char *what);
mfft_status mfft_agree_total(MPI_Comm comm, mfft_status mine, int64_t *values /* [count] */,
                             int count /* at most MFFT_AGREE_NUMBERS */, const char *what);

#endif
