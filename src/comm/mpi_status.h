/* mpi_status.h: error codes of MPI as statuses, and whether MPI can still be called. */
#ifndef MFFT_COMM_MPI_STATUS_H
#define MFFT_COMM_MPI_STATUS_H

#include <mpi.h>

#include "base/status.h"

/* Converts an MPI error code to a status with the error message "CALL: text of MPI". */
mfft_status mfft_mpi_status(int code, const char *call);
#define MFFT_MPI_TRY(call) MFFT_TRY(mfft_mpi_status((call), #call))

/* Whether MPI is finalized.  Destructors that run after that free their memory and call no MPI function. */
int mfft_mpi_is_over(void);

#endif
