/* agree.c: see agree.h. */
#include "comm/agree.h"

#include <string.h>

#include "comm/collective.h"

mfft_status mfft_agree(MPI_Comm comm, mfft_status mine) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);

  int first = mine == MFFT_SUCCESS ? size : rank;
  MFFT_TRY(mfft_collective_allreduce(comm, &first, 1, MPI_INT, MPI_MIN, "agreeing on a status"));
  if (first == size) return MFFT_SUCCESS;

  struct {
    int status;
    char text[MFFT_ERROR_TEXT_BYTES];
  } shared = {(int)mine, ""};
  if (rank == first) {
    mfft_fail_context(mine, "rank %d of %d", rank, size);
    memcpy(shared.text, mfft_last_error(), sizeof shared.text - 1);
  }
  MFFT_TRY(mfft_collective_broadcast(comm, &shared, sizeof shared, first, "sharing an error"));
  return mfft_fail((mfft_status)shared.status, "%s", shared.text);
}

mfft_status mfft_agree_largest(MPI_Comm comm, mfft_status mine, double *values, int count, const char *what) {
  double all[MFFT_AGREE_NUMBERS + 1] = {0}; /* [count + 1] the last one: whether a rank failed */
  if (mine == MFFT_SUCCESS) memcpy(all, values, (size_t)count * sizeof *all);
  all[count] = mine != MFFT_SUCCESS;
  MFFT_TRY(mfft_collective_allreduce(comm, all, count + 1, MPI_DOUBLE, MPI_MAX, what));
  if (all[count] > 0) return mfft_agree(comm, mine);
  memcpy(values, all, (size_t)count * sizeof *all);
  return MFFT_SUCCESS;
}

mfft_status mfft_agree_total(MPI_Comm comm, mfft_status mine, int64_t *values, int count, const char *what) {
  int64_t all[MFFT_AGREE_NUMBERS + 1] = {0}; /* [count + 1] the last one: ranks that failed */
  if (mine == MFFT_SUCCESS) memcpy(all, values, (size_t)count * sizeof *all);
  all[count] = mine != MFFT_SUCCESS;
  MFFT_TRY(mfft_collective_allreduce(comm, all, count + 1, MPI_INT64_T, MPI_SUM, what));
  if (all[count] > 0) return mfft_agree(comm, mine);
  memcpy(values, all, (size_t)count * sizeof *all);
  return MFFT_SUCCESS;
}
