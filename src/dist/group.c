/* group.c: communicators. */
#include "dist/group.h"

#include <stdlib.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/mpi_status.h"
#include "dist/connected.h"

static mfft_status split_off(MPI_Comm comm, const mfft_layout *from, const mfft_layout *to, mfft_group *group, int *color) {
  int rank, ranks, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MFFT_TRY(mfft_agree(comm, mfft_layout_groups(from, to, color)));
  MFFT_MPI_TRY(MPI_Comm_split(comm, color[rank], rank, &group->comm));
  MFFT_MPI_TRY(MPI_Comm_set_errhandler(group->comm, MPI_ERRORS_RETURN));
  MPI_Comm_size(group->comm, &size);
  /* MPI_Comm_split orders ranks by key, so the new rank is the number of lower ranks with the same color. */
  for (int i = 0, index = 0; i < ranks; i++) group->rank[i] = color[i] == color[rank] ? index++ : -1;
  return MFFT_SUCCESS;
}

mfft_status mfft_group_make(MPI_Comm comm, int split, const mfft_layout *from, const mfft_layout *to, mfft_group *group) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  group->comm = comm;
  group->rank = malloc((size_t)ranks * sizeof *group->rank);
  int *color = malloc((size_t)ranks * sizeof *color); /* [ranks] */
  mfft_status status =
      group->rank && color ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a group of %d ranks", ranks);
  MFFT_GOTO(done, mfft_agree(comm, status));
  for (int i = 0; i < ranks; i++) group->rank[i] = i;
  if (split) status = mfft_agree(comm, split_off(comm, from, to, group, color));
done:
  free(color);
  return status;
}

void mfft_group_free(mfft_group *group, MPI_Comm comm) {
  if (group->rank && group->comm != comm) mfft_comm_free(&group->comm);
  free(group->rank);
  group->rank = NULL;
}
