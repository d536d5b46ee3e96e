/* agree.h: a failure of one rank becomes a failure of all ranks.
 *
 * A collective function first does its local work, then calls mfft_agree with the status of that work.  If any rank
 * failed, every rank gets the status and the error message of the lowest rank that failed. */
#ifndef MFFT_COMM_AGREE_H
#define MFFT_COMM_AGREE_H

#include <mpi.h>

#include "base/status.h"

mfft_status mfft_agree(MPI_Comm comm, mfft_status mine);

#endif
