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

/* A number of a reduction; 0 has the same bits as either. */
typedef union number {
  double real;
  int64_t integer;
} number;

/* Reduces values[count] together with whether a rank failed: one number more, 0 where none did, else `failed` (1) of the
 * ranks that did. */
static mfft_status reduce(MPI_Comm comm, mfft_status mine, void *values, int count, MPI_Datatype type, MPI_Op op,
                          number failed, const char *what) {
  number all[MFFT_AGREE_NUMBERS + 1] = {{0}}; /* [count + 1] */
  if (mine == MFFT_SUCCESS) memcpy(all, values, (size_t)count * sizeof *all);
  if (mine != MFFT_SUCCESS) all[count] = failed;
  MFFT_TRY(mfft_collective_allreduce(comm, all, count + 1, type, op, what));
  if (all[count].integer) return mfft_agree(comm, mine);
  memcpy(values, all, (size_t)count * sizeof *all);
  return MFFT_SUCCESS;
}

mfft_status mfft_agree_largest(MPI_Comm comm, mfft_status mine, double *values, int count, const char *what) {
  return reduce(comm, mine, values, count, MPI_DOUBLE, MPI_MAX, (number){.real = 1}, what);
}

mfft_status mfft_agree_largest_integers(MPI_Comm comm, mfft_status mine, int64_t *values, int count, const char *what) {
  return reduce(comm, mine, values, count, MPI_INT64_T, MPI_MAX, (number){.integer = 1}, what);
}

mfft_status mfft_agree_total(MPI_Comm comm, mfft_status mine, int64_t *values, int count, const char *what) {
  return reduce(comm, mine, values, count, MPI_INT64_T, MPI_SUM, (number){.integer = 1}, what);
}
