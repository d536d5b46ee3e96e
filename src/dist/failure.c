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

typedef _Atomic uint64_t flag; /* 0: no execute has failed; each flag has a page of its own */

/* The message that announces a failure. */
typedef struct message {
  int status;
  char text[MFFT_ERROR_TEXT_BYTES];
} message;

struct mfft_failure {
  mfft_interrupt interrupt; /* first member: waits during an execute poll for messages of peers */
  MPI_Comm comm;
  const char *what;
  int rank, ranks;
  int running, failed;  /* running: inside an execute; failed: an execute has failed, here or on another rank */
  message first;        /* the first failure; valid if `failed` */
  MPI_Request *request; /* [ranks] sends of this rank's message; the first `requests` are in use */
  int requests;
  int64_t *sent;    /* [ranks] 1: this rank has sent a message to that rank */
  int64_t received; /* messages received */
  const mfft_device *device;
  flag *mine, **peer;   /* flags in host memory that near ranks share; peer [ranks], NULL: not mapped */
  const uint64_t *seen; /* address of `mine` for kernels */
};

/* ---- Lookup by communicator ------------------------------------------------------------------------------------------ */

static mfft_status poll_during_execute(mfft_interrupt *interrupt);

static const mfft_failure *find(MPI_Comm comm) {
  mfft_interrupt *interrupt = mfft_interrupt_find(comm);
  return interrupt && interrupt->poll == poll_during_execute ? (const mfft_failure *)interrupt : NULL;
}

/* ---- Flags that near ranks share, for kernels ------------------------------------------------------------------------ */

/* A rank without a flag, or without access to the flag of a peer, is no error: its kernels then wait until the watchdog
 * ends the job. */
static mfft_status share_flags(mfft_failure *f, const mfft_topology *topology) {
  mfft_handle mine = {{0}}, none = {{0}}, *all = malloc((size_t)topology->node_ranks * sizeof *all); /* [node_ranks] */
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
  MFFT_GOTO(done, mfft_collective_allgather(topology->node, &mine, sizeof mine, all, "sharing flags for failures"));
  for (int r = 0; r < f->ranks; r++) {
    void *theirs = NULL;
    const mfft_handle *handle = &all[topology->near[r] ? topology->node_place[r] : 0];
    if (topology->near[r] && memcmp(handle, &none, sizeof none) &&
        mfft_device_host.shared_open(handle, &theirs) == MFFT_SUCCESS)
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
  f->failed = 1;
  f->first.status = (int)status;
  strncpy(f->first.text, mfft_last_error(), sizeof f->first.text - 1);
  /* A rank to which no message can be sent waits until its watchdog ends the job. */
  for (int r = 0; r < f->ranks; r++)
    if (r != f->rank &&
        MPI_Isend(&f->first, sizeof f->first, MPI_BYTE, r, TAG, f->comm, &f->request[f->requests]) == MPI_SUCCESS)
      f->requests++, f->sent[r] = 1;
  raise_flags(f);
  return status;
}

static mfft_status first_failure(const mfft_failure *f) {
  return f->failed ? mfft_fail((mfft_status)f->first.status, "%s", f->first.text) : MFFT_SUCCESS;
}

/* Receives one message if one has arrived. */
static mfft_status receive(mfft_failure *f, message *received, int *come) {
  MPI_Status from;
  MPI_Request request;
  MFFT_MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, TAG, f->comm, come, &from));
  if (!*come) return MFFT_SUCCESS;
  const int running = f->running;
  f->running = 0; /* the wait inside must not poll for another message */
  MFFT_MPI_TRY(MPI_Irecv(received, sizeof *received, MPI_BYTE, from.MPI_SOURCE, TAG, f->comm, &request));
  MFFT_TRY(mfft_wait(f->comm, &request, &from.MPI_SOURCE, 1, "receiving the failure of a rank"));
  f->running = running;
  f->received++;
  return MFFT_SUCCESS;
}

/* Receives and records the failure of a peer if it has announced one. */
static mfft_status take_message(mfft_failure *f) {
  int come = 0;
  if (f->failed) return first_failure(f);
  MFFT_TRY(receive(f, &f->first, &come));
  if (!come) return MFFT_SUCCESS;
  f->first.text[sizeof f->first.text - 1] = '\0';
  f->failed = 1;
  raise_flags(f);
  return first_failure(f);
}

static mfft_status is_announced(void *subject, int *missing) {
  mfft_failure *f = subject;
  (void)take_message(f);
  *missing = f->failed ? -1 : MFFT_SOME_RANK;
  return MFFT_SUCCESS;
}

mfft_status mfft_failure_announced(mfft_failure *f) {
  if (!f || mfft_mpi_is_over()) return MFFT_SUCCESS;
  MFFT_TRY(take_message(f));
  /* The flag may become visible before the message arrives. */
  if (f->mine && atomic_load(f->mine)) MFFT_TRY(mfft_wait_for(f->comm, is_announced, f, "receiving the failure of a rank"));
  return first_failure(f);
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
  if (f->failed)
    return mfft_fail(MFFT_ERR_STATE, "the %s has failed in an execute; destroy it and make another (%s)", f->what,
                     f->first.text);
  MFFT_TRY(take_message(f));
  f->running = mine == MFFT_SUCCESS;
  return mine;
}

mfft_status mfft_failure_end(mfft_failure *f, mfft_status mine) {
  if (!f) return mine;
  f->running = 0;
  return mine == MFFT_SUCCESS || f->failed || mfft_mpi_is_over() ? mine : announce(f, mine);
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

/* Receives all remaining messages that peers have sent to this rank. */
static mfft_status has_received_all(void *subject, int *missing) {
  mfft_failure *f = subject;
  message unread;
  int come = 1;
  while (come && f->received < f->sent[f->rank]) MFFT_TRY(receive(f, &unread, &come));
  *missing = f->received < f->sent[f->rank] ? MFFT_SOME_RANK : -1;
  return MFFT_SUCCESS;
}

/* Completes all messages before their buffers are freed.  Ranks that fail at the same time each send a message to all
 * others, and those have received only the first one. */
static mfft_status drain(mfft_failure *f) {
  static const char what[] = "closing a plan or exchange";
  int sent = f->requests > 0;
  MFFT_TRY(mfft_collective_allreduce(f->comm, &sent, 1, MPI_INT, MPI_MAX, what));
  if (!sent) return MFFT_SUCCESS;
  /* After this sum f->sent[r] is the number of messages to rank r. */
  MFFT_TRY(mfft_collective_allreduce(f->comm, f->sent, f->ranks, MPI_INT64_T, MPI_SUM, what));
  MFFT_TRY(mfft_wait_for(f->comm, has_received_all, f, what));
  return mfft_wait(f->comm, f->request, NULL, f->requests, what);
}

void mfft_failure_close(mfft_failure *f) {
  if (!f) return;
  if (!mfft_mpi_is_over()) {
    const mfft_status status = drain(f); /* after this no peer raises a flag of this rank either */
    mfft_interrupt_detach(f->comm);
    if (status != MFFT_SUCCESS) return; /* an incomplete send may still read the object, which is therefore not freed */
  }
  release(f);
}
