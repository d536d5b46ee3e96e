/* agree.h: all ranks fail together.
 *
 * Collective creation does its local work, then calls mfft_agree with what it has got.  Where one rank failed every rank
 * gets the status and the story of the lowest failing one. */
#ifndef MFFT_DIST_AGREE_H
#define MFFT_DIST_AGREE_H

#include <mpi.h>

#include "core/status.h"

mfft_status mfft_agree(MPI_Comm comm, mfft_status mine);

/* Compares named integers across ranks; MFFT_ERR_MISMATCH on every rank names the first that differs, its value here, and
 * the least and greatest value anywhere.  The names are the same on all ranks. */
typedef struct mfft_agree_item {
  const char *name;
  int64_t value;
} mfft_agree_item;
mfft_status mfft_agree_values(MPI_Comm comm, const mfft_agree_item *items, int count);

/* Turns an MPI error code into a status with the story "CALL: MPI's own words". */
mfft_status mfft_mpi_status(int code, const char *call);
#define MFFT_MPI_TRY(call) MFFT_TRY(mfft_mpi_status((call), #call))

#endif
