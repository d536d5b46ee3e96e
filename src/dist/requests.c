/* requests.c: see requests.h. */
#include "dist/requests.h"

#include "comm/mpi_status.h"

void mfft_requests_abandon(MPI_Request *request, int receives, int count) {
  const double most_s = 5; /* limit for a sender that does not, for example because its process has ended */
  if (mfft_mpi_is_over()) return;
  const double begin = MPI_Wtime();
  for (int i = 0; i < receives; i++)
    if (request[i] != MPI_REQUEST_NULL) MPI_Cancel(&request[i]);
  for (int i = 0, done; i < receives; i += done) {
    done = request[i] == MPI_REQUEST_NULL;
    if (!done && MPI_Test(&request[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) done = 1;
    if (MPI_Wtime() - begin > most_s) break;
  }
  for (int i = 0; i < count; i++)
    if (request[i] != MPI_REQUEST_NULL) MPI_Request_free(&request[i]);
}
