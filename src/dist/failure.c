/* failure.c: see failure.h. */
#include "dist/failure.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/interrupt.h"
#include "comm/mpi_status.h"
#include "comm/watchdog.h"

enum { TAG = 1, PAGE_BYTES = 4096 }; /* messages of exchanges have tag 0 */

typedef _Atomic uint64_t flag; /* 0: nothing has failed; on a page of its own */

/* What goes to every rank. */
typedef struct message {
  int status;
  char text[MFFT_ERROR_TEXT_BYTES];
} message;

struct mfft_failure {
  mfft_interrupt interrupt; /* first: waits during an execute look for messages of peers */
  MPI_Comm comm;
  const char *what;
  int rank, ranks;
  int running, dead;    /* inside an execute; an execute has failed, here or elsewhere */
  message verdict;      /* where dead */
  MPI_Request *request; /* [ranks] of the messages that this rank has sent */
  int requests;
  int64_t *sent;    /* [ranks] 1: a message to that rank was sent */
  int64_t received; /* messages that have come */
  const mfft_device *device;
  flag *mine, **peer;   /* in memory of the host that near ranks share; peer [ranks], NULL: not mapped */
  const uint64_t *seen; /* `mine` as kernels reach it */
};

/* ---- Finding it by its communicator ---------------------------------------------------------------------------------- */

static mfft_status poll_during_execute(mfft_interrupt *interrupt);

static const mfft_failure *find(MPI_Comm comm) {
  mfft_interrupt *interrupt = mfft_interrupt_find(comm);
  return interrupt && interrupt->poll == poll_during_execute ? (const mfft_failure *)interrupt : NULL;
}

/* ---- Flags that near ranks share, for kernels ------------------------------------------------------------------------ */

/* A rank that cannot have a flag, or cannot map that of a peer, does without: its kernels then wait for the watchdog. */
static mfft_status share_flags(mfft_failure *f, const mfft_topology *topology) {
  mfft_handle mine = {{0}}, none = {{0}}, *all = malloc((size_t)f->ranks * sizeof *all); /* [ranks] */
  void *page = NULL, *seen = NULL;
  f->peer = calloc((size_t)f->ranks, sizeof *f->peer);
  mfft_status status = all && f->peer ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d handles", f->ranks);
  MFFT_GOTO(done, mfft_agree(f->comm, status));
  if (mfft_device_host.shared_alloc(PAGE_BYTES, &page, &mine) != MFFT_SUCCESS) mine = none;
  if (page && f->device->map_host(page, PAGE_BYTES, &seen) != MFFT_SUCCESS) {
    mfft_device_host.shared_free(page);
    page = NULL;
    mine = none;
  }
  f->mine = page;
  f->seen = seen;
  MFFT_GOTO(done, mfft_collective_allgather(f->comm, &mine, sizeof mine, all, "sharing flags for failures"));
  for (int r = 0; r < f->ranks; r++) {
    void *theirs = NULL;
    if (topology->near[r] && memcmp(&all[r], &none, sizeof none) &&
        mfft_device_host.shared_open(&all[r], &theirs) == MFFT_SUCCESS)
      f->peer[r] = theirs;
  }
done:
  free(all);
  return status;
}

static void raise_flags(const mfft_failure *f) {
  if (f->mine) atomic_store(f->mine, 1);
  for (int r = 0; f->peer && r < f->ranks; r++)
    if (f->peer[r]) atomic_store(f->peer[r], 1);
}

static void free_flags(mfft_failure *f) {
  for (int r = 0; f->peer && r < f->ranks; r++) mfft_device_host.shared_close(f->peer[r]);
  if (f->mine) f->device->unmap_host(f->mine);
  mfft_device_host.shared_free(f->mine);
  free(f->peer);
}

/* ---- Messages -------------------------------------------------------------------------------------------------------- */

static mfft_status announce(mfft_failure *f, mfft_status status) {
  mfft_fail_context(status, "rank %d of %d", f->rank, f->ranks);
  f->dead = 1;
  f->verdict.status = (int)status;
  strncpy(f->verdict.text, mfft_last_error(), sizeof f->verdict.text - 1);
  /* A message that cannot be sent leaves its rank to the watchdog. */
  for (int r = 0; r < f->ranks; r++)
    if (r != f->rank &&
        MPI_Isend(&f->verdict, sizeof f->verdict, MPI_BYTE, r, TAG, f->comm, &f->request[f->requests]) == MPI_SUCCESS)
      f->requests++, f->sent[r] = 1;
  raise_flags(f);
  return status;
}

static mfft_status verdict(const mfft_failure *f) {
  return f->dead ? mfft_fail((mfft_status)f->verdict.status, "%s", f->verdict.text) : MFFT_SUCCESS;
}

/* Receives a message where one has come. */
static mfft_status receive(mfft_failure *f, message *received, int *come) {
  MPI_Status from;
  MPI_Request request;
  MFFT_MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, TAG, f->comm, come, &from));
  if (!*come) return MFFT_SUCCESS;
  const int running = f->running;
  f->running = 0; /* the wait for it must not look for another */
  MFFT_MPI_TRY(MPI_Irecv(received, sizeof *received, MPI_BYTE, from.MPI_SOURCE, TAG, f->comm, &request));
  MFFT_TRY(mfft_wait(f->comm, &request, &from.MPI_SOURCE, 1, "receiving the failure of a rank"));
  f->running = running;
  f->received++;
  return MFFT_SUCCESS;
}

/* Takes in a message that has come. */
static mfft_status take_message(mfft_failure *f) {
  int come = 0;
  if (f->dead) return verdict(f);
  MFFT_TRY(receive(f, &f->verdict, &come));
  if (!come) return MFFT_SUCCESS;
  f->verdict.text[sizeof f->verdict.text - 1] = '\0';
  f->dead = 1;
  raise_flags(f);
  return verdict(f);
}

static mfft_status is_announced(void *subject, int *missing) {
  mfft_failure *f = subject;
  (void)take_message(f);
  *missing = f->dead ? -1 : MFFT_SOME_RANK;
  return MFFT_SUCCESS;
}

mfft_status mfft_failure_look(mfft_failure *f) {
  if (!f || mfft_mpi_is_over()) return MFFT_SUCCESS;
  MFFT_TRY(take_message(f));
  /* The flag may be seen before the message. */
  if (f->mine && atomic_load(f->mine)) MFFT_TRY(mfft_wait_for(f->comm, is_announced, f, "receiving the failure of a rank"));
  return verdict(f);
}

static mfft_status poll_during_execute(mfft_interrupt *interrupt) {
  mfft_failure *f = (mfft_failure *)interrupt;
  return f->running ? take_message(f) : MFFT_SUCCESS;
}

const uint64_t *mfft_failure_flag(MPI_Comm comm) {
  const mfft_failure *f = find(comm);
  return f ? f->seen : NULL;
}

/* ---- Executes -------------------------------------------------------------------------------------------------------- */

mfft_status mfft_failure_begin(mfft_failure *f, mfft_status mine) {
  if (mfft_mpi_is_over()) return mfft_fail(MFFT_ERR_STATE, "MPI is finalized; execute before MPI_Finalize");
  if (!f) return mine;
  if (f->dead)
    return mfft_fail(MFFT_ERR_STATE, "the %s is dead since an execute failed; destroy it and make another (%s)", f->what,
                     f->verdict.text);
  MFFT_TRY(take_message(f));
  f->running = mine == MFFT_SUCCESS;
  return mine;
}

mfft_status mfft_failure_end(mfft_failure *f, mfft_status mine) {
  if (!f) return mine;
  f->running = 0;
  return mine == MFFT_SUCCESS || f->dead || mfft_mpi_is_over() ? mine : announce(f, mine);
}

/* ---- Create and destroy ---------------------------------------------------------------------------------------------- */

static mfft_status prepare(const mfft_topology *topology, const char *what, mfft_failure *f) {
  if (f)
    *f = (mfft_failure){.interrupt = {.poll = poll_during_execute},
                        .comm = topology->comm,
                        .what = what,
                        .rank = topology->rank,
                        .ranks = topology->ranks,
                        .request = malloc((size_t)topology->ranks * sizeof *f->request),
                        .sent = calloc((size_t)topology->ranks, sizeof *f->sent),
                        .device = topology->device};
  return f && f->request && f->sent ? mfft_interrupt_attach(f->comm, &f->interrupt)
                                    : mfft_fail(MFFT_ERR_MEMORY, "no memory to tell %d ranks of failures", topology->ranks);
}

static void release(mfft_failure *f) {
  free_flags(f);
  free(f->request);
  free(f->sent);
  free(f);
}

mfft_status mfft_failure_open(const mfft_topology *topology, const char *what, mfft_failure **failure) {
  *failure = NULL;
  if (topology->ranks == 1) return MFFT_SUCCESS;
  mfft_failure *f = calloc(1, sizeof *f);
  mfft_status status = mfft_agree(topology->comm, prepare(topology, what, f));
  if (status == MFFT_SUCCESS && topology->device->map_host) status = share_flags(f, topology);
  if (status == MFFT_SUCCESS) {
    *failure = f;
    return status;
  }
  if (f) {
    mfft_interrupt_detach(topology->comm);
    release(f);
  }
  return status;
}

/* Receives what peers have sent to this rank and was not received yet. */
static mfft_status has_received_all(void *subject, int *missing) {
  mfft_failure *f = subject;
  message unread;
  int come = 1;
  while (come && f->received < f->sent[f->rank]) MFFT_TRY(receive(f, &unread, &come));
  *missing = f->received < f->sent[f->rank] ? MFFT_SOME_RANK : -1;
  return MFFT_SUCCESS;
}

/* Lets no message of any rank be under way, so that what it is read from can be freed.  Ranks that failed at once have each
 * sent one to the others, who received the first only. */
static mfft_status drain(mfft_failure *f) {
  static const char what[] = "closing a plan or exchange";
  int sent = f->requests > 0;
  MFFT_TRY(mfft_collective_allreduce(f->comm, &sent, 1, MPI_INT, MPI_MAX, what));
  if (!sent) return MFFT_SUCCESS;
  MFFT_TRY(mfft_collective_allreduce(f->comm, f->sent, f->ranks, MPI_INT64_T, MPI_SUM, what)); /* now: to that rank by all */
  MFFT_TRY(mfft_wait_for(f->comm, has_received_all, f, what));
  return mfft_wait(f->comm, f->request, NULL, f->requests, what);
}

void mfft_failure_close(mfft_failure *f) {
  if (!f) return;
  if (!mfft_mpi_is_over()) {
    const mfft_status status = drain(f); /* nor does any peer raise a flag that is freed */
    mfft_interrupt_detach(f->comm);
    if (status != MFFT_SUCCESS) return; /* a message may still read the object, which is left behind */
  }
  release(f);
}
