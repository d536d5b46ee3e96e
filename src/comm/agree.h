/* agree.h: all ranks fail together.
 *
 * Collective creation does its local work, then calls mfft_agree with what it has got.  Where one rank failed every rank
 * gets the status and the error message of the lowest failing one. */
#ifndef MFFT_COMM_AGREE_H
#define MFFT_COMM_AGREE_H

#include <mpi.h>

#include "base/status.h"

mfft_status mfft_agree(MPI_Comm comm, mfft_status mine);

#endif
