/* watchdog.c: polling with a deadline. */
#include "comm/watchdog.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "comm/interrupt.h"
#include "comm/mpi_status.h"

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

/* Ends the job: nothing can be done on the communicator any more. */
static mfft_status abort_job(MPI_Comm comm, const char *missing, const char *what, double waited) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  fprintf(stderr,
          "mergefft: error: rank %d of %d waited %.1f s in %s for %s, which did not arrive; aborting "
          "(MFFT_WATCHDOG_S sets the limit, 0 waits for ever)\n",
          rank, size, waited, what, missing);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, MFFT_ERR_TIMEOUT);
  return mfft_fail(MFFT_ERR_TIMEOUT, "%s: no answer in %.1f s", what, waited);
}

/* One wait. */
typedef struct poll {
  const mfft_limit *optional; /* of what a job can do without; NULL: the job ends where the wait gives up */
  mfft_env variable;
  double begin, limit; /* seconds */
  int idle;            /* polls in vain */
  int warned;
} poll;

static mfft_status give_up(const poll *p, MPI_Comm comm, const char *missing, const char *what) {
  const double waited = MPI_Wtime() - p->begin;
  if (!p->optional) return abort_job(comm, missing, what, waited);
  return mfft_fail(MFFT_ERR_TIMEOUT, "%s: no answer from %s in %.1f s (%s sets the limit, 0 waits for ever); %s", what,
                   missing, waited, mfft_env_name(p->variable), p->optional->remedy);
}

static atomic_flag warned_before = ATOMIC_FLAG_INIT;

static void warn(const poll *p, MPI_Comm comm, const char *missing, const char *what) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (!atomic_flag_test_and_set(&warned_before))
    mfft_log(MFFT_LOG_WARNING, "rank %d of %d has waited %d s in %s for %s " MFFT_NOTICE_LIMIT, rank, size, MFFT_NOTICE_S,
             what, missing, mfft_env_name(p->variable), p->limit, p->optional ? "attempt" : "job");
}

typedef enum poll_state { POLL_AGAIN, POLL_WARN, POLL_GIVE_UP } poll_state; /* POLL_WARN once */

enum { POLLS_BEFORE_YIELDING = 100 }; /* a wait of fewer polls is too short for anything but polling */

static poll begin_poll(const mfft_limit *optional) {
  const mfft_env variable = optional ? optional->seconds : MFFT_ENV_WATCHDOG_S;
  return (poll){optional, variable, MPI_Wtime(), mfft_env_number(variable), 0, 0};
}

/* Counts a poll in vain; tells whether it is time to warn, or to give up. */
static poll_state poll_again(poll *p) {
  if (++p->idle > POLLS_BEFORE_YIELDING)
    sched_yield(); /* where ranks outnumber cores, the one waited for may need this one */
  const double waited = MPI_Wtime() - p->begin;
  if (p->limit > 0 && waited > p->limit) return POLL_GIVE_UP;
  if (p->warned || waited < MFFT_NOTICE_S) return POLL_AGAIN;
  p->warned = 1;
  return POLL_WARN;
}

#define SOME_RANK "some rank (a collective call does not tell which)"

mfft_status mfft_wait(MPI_Comm comm, MPI_Request *request, const int *peer, int count, const char *what) {
  if (count < 0 || (count > 0 && !request) || !what)
    return mfft_fail(MFFT_ERR_ARG, "%d requests at %p, for %s; pass 0 or more and their array, and say what they are", count,
                     (void *)request, what ? what : "NULL");
  poll p = begin_poll(NULL);
  for (int i = 0; i < count; i++) {
    int done = 0;
    for (;;) {
      MFFT_MPI_TRY(MPI_Test(&request[i], &done, MPI_STATUS_IGNORE));
      if (done) break;
      if (p.idle > POLLS_BEFORE_YIELDING) MFFT_TRY(mfft_interrupt_poll(comm));
      const poll_state state = poll_again(&p);
      if (state == POLL_AGAIN) continue;
      char missing[160] = SOME_RANK;
      if (peer) name_missing(request, peer, count, missing, sizeof missing);
      if (state == POLL_GIVE_UP) return give_up(&p, comm, missing, what);
      warn(&p, comm, missing, what);
    }
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_try_for(MPI_Comm comm, const mfft_limit *limit, mfft_ready ready, void *subject, const char *what) {
  poll p = begin_poll(limit);
  for (;;) {
    int missing, flag;
    MFFT_TRY(ready(subject, &missing));
    if (missing < 0) return MFFT_SUCCESS;
    MFFT_MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
    if (p.idle > POLLS_BEFORE_YIELDING) MFFT_TRY(mfft_interrupt_poll(comm));
    const poll_state state = poll_again(&p);
    if (state == POLL_AGAIN) continue;
    char name[64] = SOME_RANK;
    if (missing != MFFT_SOME_RANK) snprintf(name, sizeof name, "rank %d", missing);
    if (state == POLL_GIVE_UP) return give_up(&p, comm, name, what);
    warn(&p, comm, name, what);
  }
}

mfft_status mfft_wait_for(MPI_Comm comm, mfft_ready ready, void *subject, const char *what) {
  return mfft_try_for(comm, NULL, ready, subject, what);
}
