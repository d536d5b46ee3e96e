/* watchdog.c: polling with a deadline. */
#include "dist/watchdog.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "core/env.h"
#include "dist/agree.h"

/* "ranks 1, 3 and 2 more", from the requests that are still open. */
static void name_missing(MPI_Request *request, const int *peer, int count, char *text, size_t size) {
  enum { NAMED = 8 };
  int named[NAMED], names = 0, more = 0; /* [NAMED] */
  for (int i = 0; i < count; i++) {
    int done = 0;
    if (MPI_Test(&request[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done) continue;
    int known = 0;
    for (int j = 0; j < names; j++) known |= named[j] == peer[i];
    if (known) continue;
    if (names < NAMED)
      named[names++] = peer[i];
    else
      more++;
  }
  size_t used = (size_t)snprintf(text, size, "rank%s", names > 1 ? "s" : "");
  for (int i = 0; i < names && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s %d", i ? "," : "", named[i]);
  if (more && used < size) snprintf(text + used, size - used, " and more");
}

static void bark(MPI_Comm comm, MPI_Request *request, const int *peer, int count, const char *what, double waited) {
  char missing[160] = "some rank (a collective call does not tell which)";
  if (peer) name_missing(request, peer, count, missing, sizeof missing);
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  fprintf(stderr,
          "mergefft: error: rank %d of %d waited %.1f s in %s for %s, which did not arrive; aborting "
          "(MFFT_WATCHDOG_S sets the limit, 0 waits for ever)\n",
          rank, size, waited, what, missing);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, MFFT_ERR_TIMEOUT);
}

mfft_status mfft_wait(MPI_Comm comm, MPI_Request *request, const int *peer, int count, const char *what) {
  static double limit = -1;
  if (limit < 0) limit = mfft_env_number(MFFT_ENV_WATCHDOG_S);

  const int patience = 100;
  double start = MPI_Wtime();
  int idle = 0;
  for (int i = 0; i < count; i++) {
    int done = 0;
    for (;;) {
      MFFT_MPI_TRY(MPI_Test(&request[i], &done, MPI_STATUS_IGNORE));
      if (done) break;
      if (++idle > patience) sched_yield(); /* where ranks outnumber cores, the one that is waited for may need this one */
      if (limit > 0 && MPI_Wtime() - start > limit) {
        bark(comm, request, peer, count, what, MPI_Wtime() - start);
        return mfft_fail(MFFT_ERR_TIMEOUT, "%s: no answer in %.1f s", what, limit);
      }
    }
  }
  return MFFT_SUCCESS;
}
