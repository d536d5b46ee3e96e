/* watchdog.c: polling with a deadline. */
#include "comm/watchdog.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "comm/host_names.h"
#include "comm/interrupt.h"
#include "comm/mpi_status.h"

#define SOME_RANK "some rank (a collective call does not tell which)"

/* Adds "3 (node7)" to a text, or "3" where the host of that rank is not known; returns the length of the text. */
static size_t add_rank(MPI_Comm comm, int rank, char *text, size_t size, size_t used) {
  const char *host = mfft_host_name_of(comm, rank);
  if (used >= size) return used;
  return used + (size_t)snprintf(text + used, size - used, host[0] ? "%d (%s)" : "%d%s", rank, host);
}

/* "ranks 1 (node1), 3 (node2) and more", from the requests that are still open; returns how many these are. */
static int name_missing(MPI_Comm comm, MPI_Request *request, const int *peer, int count, char *text, size_t size) {
  enum { NAMED = 8 };
  int named[NAMED], names = 0, more = 0, open = 0; /* [NAMED] */
  for (int i = 0; i < count; i++) {
    int done = 0;
    if (MPI_Test(&request[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done) continue;
    int known = 0;
    open++;
    for (int j = 0; peer && j < names; j++) known |= named[j] == peer[i];
    if (!peer || known) continue;
    if (names < NAMED)
      named[names++] = peer[i];
    else
      more++;
  }
  size_t used = (size_t)snprintf(text, size, peer ? names > 1 ? "ranks " : "rank " : SOME_RANK);
  for (int i = 0; i < names && used < size; i++) {
    if (i) used += (size_t)snprintf(text + used, size - used, ", ");
    used = add_rank(comm, named[i], text, size, used);
  }
  if (more && used < size) snprintf(text + used, size - used, " and more");
  return open;
}

/* Aborts the job, since the communicator cannot be used any more. */
static mfft_status abort_job(MPI_Comm comm, const char *missing, const char *what, double waited) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  fprintf(stderr,
          "mergefft: error: rank %d of %d (%s) waited %.1f s in %s for %s, which did not arrive; aborting "
          "(MFFT_WATCHDOG_S sets the limit, 0 waits for ever)\n",
          rank, size, mfft_host_name_here(), waited, what, missing);
  if (mfft_host_names_differ())
    fprintf(stderr,
            "mergefft: error: if mpirun does not end now it waits for the daemon of a host that is lost: end it, and set "
            "OMPI_MCA_oob_tcp_keepalive_time for the next job (docs/sites.md)\n");
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, MFFT_ERR_TIMEOUT);
  return mfft_fail(MFFT_ERR_TIMEOUT, "%s: no answer in %.1f s", what, waited);
}

/* The state of one wait.  The limit holds for the time since something arrived, not since the wait began: over a slow link
 * many messages may arrive before the last one.  Time in which this process did not run, because it was stopped or the
 * machine slept, does not count. */
typedef struct poll {
  const mfft_limit *optional; /* limit of a step that the job can do without; NULL: give_up aborts the job */
  mfft_env variable;
  double last, waited, limit; /* seconds: of the last poll, since something arrived, and how long that may be */
  int idle;                   /* polls since the last progress */
  int looked;                 /* whole LOOK_S at which the open requests were counted */
  int open, missing;          /* requests that were open then; the rank that a ready function named last */
  int warned;
} poll;

static mfft_status give_up(const poll *p, MPI_Comm comm, const char *missing, const char *what) {
  const double waited = p->waited;
  if (!p->optional) return abort_job(comm, missing, what, waited);
  return mfft_fail(MFFT_ERR_TIMEOUT, "%s: no answer from %s in %.1f s (%s sets the limit, 0 waits for ever); %s", what,
                   missing, waited, mfft_env_name(p->variable), p->optional->remedy);
}

static atomic_flag warned_before = ATOMIC_FLAG_INIT;

static void warn(poll *p, MPI_Comm comm, const char *missing, const char *what) {
  int rank, size;
  p->warned = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (!atomic_flag_test_and_set(&warned_before))
    mfft_log(MFFT_LOG_WARNING, "rank %d of %d (%s) has waited %d s in %s for %s " MFFT_NOTICE_LIMIT, rank, size,
             mfft_host_name_here(), MFFT_NOTICE_S, what, missing, mfft_env_name(p->variable), p->limit,
             p->optional ? "attempt" : "job");
}

typedef enum poll_state { POLL_AGAIN, POLL_LOOK, POLL_WARN, POLL_GIVE_UP } poll_state; /* POLL_WARN once */

enum { POLLS_BEFORE_YIELDING = 100 }; /* a wait of fewer polls is too short for anything but polling */
enum { MOST_BETWEEN_POLLS_S = 1 };    /* longer, and this process was not running */
static const double look_s = 0.5;     /* between counts of what is still open */

static poll begin_poll(const mfft_limit *optional, int open) {
  const mfft_env variable = optional ? optional->seconds : MFFT_ENV_WATCHDOG_S;
  return (poll){.optional = optional,
                .variable = variable,
                .last = MPI_Wtime(),
                .limit = mfft_env_number(variable),
                .open = open,
                .missing = -1};
}

/* Something has arrived. */
static void progress(poll *p) {
  p->waited = 0;
  p->looked = 0;
}

/* Counts a poll that found nothing, and returns whether to look at all requests, to warn, or to give up now. */
static poll_state poll_again(poll *p) {
  if (++p->idle > POLLS_BEFORE_YIELDING)
    sched_yield(); /* where ranks outnumber cores, the one waited for may need this one */
  const double now = MPI_Wtime(), spent = now - p->last;
  p->waited += spent < MOST_BETWEEN_POLLS_S ? spent : MOST_BETWEEN_POLLS_S;
  p->last = now;
  if (p->limit > 0 && p->waited > p->limit) return POLL_GIVE_UP;
  if (!p->warned && p->waited >= MFFT_NOTICE_S) return POLL_WARN;
  if (p->waited < look_s * (p->looked + 1)) return POLL_AGAIN;
  p->looked = (int)(p->waited / look_s);
  return POLL_LOOK;
}

mfft_status mfft_wait(MPI_Comm comm, MPI_Request *request, const int *peer, int count, const char *what) {
  if (count < 0 || (count > 0 && !request) || !what)
    return mfft_fail(MFFT_ERR_ARG, "%d requests at %p, for %s; pass 0 or more and their array, and say what they are", count,
                     (void *)request, what ? what : "NULL");
  poll p = begin_poll(NULL, count);
  for (int i = 0; i < count; i++) {
    int done = 0;
    for (;;) {
      MFFT_MPI_TRY(MPI_Test(&request[i], &done, MPI_STATUS_IGNORE));
      if (done) break;
      if (p.idle > POLLS_BEFORE_YIELDING) MFFT_TRY(mfft_interrupt_poll(comm));
      const poll_state state = poll_again(&p);
      if (state == POLL_AGAIN) continue;
      char missing[320];
      const int open = name_missing(comm, request + i, peer ? peer + i : NULL, count - i, missing, sizeof missing);
      if (open < p.open)
        progress(&p);
      else if (state == POLL_GIVE_UP)
        return give_up(&p, comm, missing, what);
      else if (state == POLL_WARN)
        warn(&p, comm, missing, what);
      p.open = open;
    }
    if (p.waited > 0) progress(&p);
    if (p.open >= count - i) p.open = count - i - 1;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_try_for(MPI_Comm comm, const mfft_limit *limit, mfft_ready ready, void *subject, const char *what) {
  poll p = begin_poll(limit, 1);
  for (;;) {
    int missing, flag;
    MFFT_TRY(ready(subject, &missing));
    if (missing < 0) return MFFT_SUCCESS;
    MFFT_MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
    if (p.idle > POLLS_BEFORE_YIELDING) MFFT_TRY(mfft_interrupt_poll(comm));
    if (missing != p.missing) progress(&p); /* another rank is waited for now */
    p.missing = missing;
    const poll_state state = poll_again(&p);
    if (state < POLL_WARN) continue;
    char name[128] = SOME_RANK;
    if (missing != MFFT_SOME_RANK) {
      memcpy(name, "rank ", sizeof "rank ");
      add_rank(comm, missing, name, sizeof name, strlen(name));
    }
    if (state == POLL_GIVE_UP) return give_up(&p, comm, name, what);
    warn(&p, comm, name, what);
  }
}

mfft_status mfft_wait_for(MPI_Comm comm, mfft_ready ready, void *subject, const char *what) {
  return mfft_try_for(comm, NULL, ready, subject, what);
}
