/* requests.h: open requests of a transfer that is destroyed after a failure. */
#ifndef MFFT_DIST_REQUESTS_H
#define MFFT_DIST_REQUESTS_H

#include <mpi.h>

/* Cancels the open ones of request[count], of which the first `receives` are receives, since nothing may be received into
 * memory that its owner gets back.  A message that is already under way cannot be cancelled; its sender destroys the same
 * transfer and thereby lets it arrive.  No effect once MPI is finalized. */
void mfft_requests_abandon(MPI_Request *request, int receives, int count);

#endif
