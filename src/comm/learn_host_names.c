/* learn_host_names.c: the collective part of host_names.h, apart from the rest, which the watchdog needs for its messages.
 */
#include <stdlib.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/learn_host_names.h"

mfft_status mfft_host_names_learn(MPI_Comm comm) {
  const int ranks = mfft_comm_size(comm);
  int *place = malloc((size_t)ranks * sizeof *place), *world = malloc((size_t)ranks * sizeof *world); /* [ranks] */
  char *all = NULL; /* [ranks][MFFT_HOST_NAME_BYTES] */
  mfft_status status = place && world ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d ranks", ranks);
  MFFT_GOTO(done, mfft_agree(comm, status));
  for (int r = 0; r < ranks; r++) place[r] = r;
  int known = mfft_host_names_known(comm, place, ranks, world);
  MFFT_GOTO(done, mfft_collective_allreduce(comm, &known, 1, MPI_INT, MPI_MIN, "comparing what is known of hosts"));
  if (known) goto done;
  all = malloc((size_t)ranks * MFFT_HOST_NAME_BYTES);
  MFFT_GOTO(done, mfft_agree(comm, all ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d names", ranks)));
  MFFT_GOTO(done, mfft_collective_allgather(comm, mfft_host_name_here(), MFFT_HOST_NAME_BYTES, all,
                                            "collecting the names of hosts"));
  mfft_host_names_record(world, all, ranks);
done:
  free(place);
  free(world);
  free(all);
  return status;
}
