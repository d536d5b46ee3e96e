/* mpi_status.h: error codes of MPI as statuses, and whether MPI can still be called. */
#ifndef MFFT_COMM_MPI_STATUS_H
#define MFFT_COMM_MPI_STATUS_H

#include <mpi.h>

#include "base/status.h"

/* Turns an MPI error code into a status with the error message "CALL: MPI's own words". */
mfft_status mfft_mpi_status(int code, const char *call);
#define MFFT_MPI_TRY(call) MFFT_TRY(mfft_mpi_status((call), #call))

/* Whether MPI is finalized: what is destroyed then frees its memory and calls MPI no more. */
int mfft_mpi_is_over(void);

#endif
