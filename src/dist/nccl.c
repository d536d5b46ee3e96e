/* nccl.c: the transport that uses NCCL: all messages of a chunk in one group of sends and receives, on a stream of its
 * own beside the transforms.  It serves where MPI cannot access device memory or does so slowly, in particular between
 * nodes. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "comm/watchdog.h"
#include "dist/nccl_comm.h"
#include "dist/transport.h"
#include "dist/trial.h"

typedef struct nccl_transfer {
  mfft_transfer base;
  const mfft_topology *topology;
  const mfft_nccl *nccl;
  mfft_nccl_comm *comm;
  const mfft_limit *limit; /* limit of waits; NULL: the limit of the job */
  mfft_message *message;   /* [receives + sends] */
  int receives, count;
  void *stream, *ready, *through; /* ready: event after the work queued before start; through: event after the messages */
  int started;                    /* started and not yet waited for */
  char what[64];
} nccl_transfer;

/* The one peer that a group of messages waits for, or MFFT_SOME_RANK: NCCL does not tell which of several is late. */
static int peer_of_all(const nccl_transfer *t) {
  for (int i = 1; i < t->count; i++)
    if (t->message[i].peer != t->message[0].peer) return MFFT_SOME_RANK;
  return t->message[0].peer;
}

static mfft_status is_queued(void *subject, int *missing) {
  const nccl_transfer *t = subject;
  int busy;
  MFFT_TRY(mfft_nccl_look(t->comm, t->what, &busy));
  if (busy)
    sched_yield(); /* to the thread of NCCL that queues the operation, which runs on this core if ranks are bound to cores */
  *missing = busy ? peer_of_all(t) : -1;
  return MFFT_SUCCESS;
}

/* Queues the messages.  NCCL connects ranks at their first message and waits for them; this wait is polled. */
static mfft_status queue_messages(nccl_transfer *t, const mfft_ends *ends) {
  void *comm;
  mfft_status status = mfft_nccl_handle(t->comm, &comm);
  MFFT_TRY(status);
  MFFT_NCCL_TRY(t->nccl, "beginning a group", t->nccl->group_start());
  for (int i = 0; i < t->count && status == MFFT_SUCCESS; i++) {
    const mfft_message *m = &t->message[i];
    const size_t bytes = (size_t)m->bytes;
    const int answer = i < t->receives ? t->nccl->receive((char *)ends->to[m->where] + m->offset_bytes, bytes,
                                                          MFFT_NCCL_BYTES, m->peer, comm, t->stream)
                                       : t->nccl->send((const char *)ends->from[m->where] + m->offset_bytes, bytes,
                                                       MFFT_NCCL_BYTES, m->peer, comm, t->stream);
    status = mfft_nccl_status(t->nccl, answer, t->what);
  }
  const int ended = t->nccl->group_end(); /* also after a failure, since groups nest */
  MFFT_TRY(status);
  MFFT_NCCL_TRY(t->nccl, t->what, ended);
  return ended == MFFT_NCCL_SUCCESS ? MFFT_SUCCESS : mfft_try_for(t->topology->comm, t->limit, is_queued, t, t->what);
}

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  nccl_transfer *t = (nccl_transfer *)transfer;
  if (!t->count) return MFFT_SUCCESS;
  MFFT_TRY(t->topology->device->event_record(t->ready, stream));
  MFFT_TRY(t->topology->device->event_wait(t->ready, t->stream));
  MFFT_TRY(queue_messages(t, ends));
  t->started = 1;
  return t->topology->device->event_record(t->through, t->stream);
}

/* NCCL's kernels would wait for a failed rank without limit; the host therefore waits beside them, under the watchdog. */
static mfft_status is_through(void *subject, int *missing) {
  const nccl_transfer *t = subject;
  int done = 0, busy;
  MFFT_TRY(t->topology->device->event_done(t->through, &done));
  *missing = done ? -1 : peer_of_all(t);
  if (done) return MFFT_SUCCESS;
  return mfft_nccl_look(t->comm, t->what, &busy);
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  nccl_transfer *t = (nccl_transfer *)transfer;
  if (!t->count) return MFFT_SUCCESS;
  const mfft_status status = mfft_try_for(t->topology->comm, t->limit, is_through, t, t->what);
  if (status != MFFT_SUCCESS) mfft_nccl_give_up(t->comm, 0);
  t->started = 0;
  return status == MFFT_SUCCESS ? t->topology->device->event_wait(t->through, stream) : status;
}

static void destroy(mfft_transfer *transfer) {
  nccl_transfer *t = (nccl_transfer *)transfer;
  if (!t) return;
  if (t->started)
    mfft_nccl_give_up(t->comm, 0); /* an execute failed: the kernels of NCCL would wait for peers that never start */
  t->topology->device->stream_destroy(t->stream);
  t->topology->device->event_destroy(t->ready);
  t->topology->device->event_destroy(t->through);
  free(t->message);
  free(t);
}

static mfft_status create(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  mfft_status status;
  const mfft_chunk *chunk = spec->chunk;
  nccl_transfer *t = calloc(1, sizeof *t);
  if (!t) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", spec->what);
  t->base = (mfft_transfer){.start = start, .wait = wait, .destroy = destroy};
  t->topology = spec->topology;
  strncat(t->what, spec->what, sizeof t->what - 1);
  t->receives = (int)chunk->recv.count; /* one from each peer */
  t->count = t->receives + (int)chunk->send.count;
  t->message = malloc(((size_t)t->count + 1) * sizeof *t->message);
  status = t->message ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d messages of %s", t->count, spec->what);
  MFFT_GOTO(fail, status);
  for (int i = 0; i < t->count; i++)
    t->message[i] = i < t->receives ? chunk->recv.message[i] : chunk->send.message[i - t->receives];
  t->base.messages = chunk->send.count;
  for (int i = t->receives; i < t->count; i++) t->base.sent_bytes += t->message[i].bytes;
  MFFT_GOTO(fail, mfft_nccl_open(&t->nccl));
  MFFT_GOTO(fail, mfft_nccl_find(t->topology, &t->comm));
  MFFT_GOTO(fail, t->topology->device->stream_create(&t->stream));
  MFFT_GOTO(fail, t->topology->device->event_create(&t->ready));
  MFFT_GOTO(fail, t->topology->device->event_create(&t->through));
  *transfer = &t->base;
  return MFFT_SUCCESS;
fail:
  destroy(&t->base);
  return status;
}

/* ---- The trial ------------------------------------------------------------------------------------------------------- */

typedef struct attempt {
  mfft_nccl_comm *comm;
  int begun;
} attempt;

/* Moves the message of the trial, on the default stream. */
static mfft_status move(void *subject, const mfft_topology *topology, const mfft_trial_round *round) {
  attempt *a = subject;
  mfft_message message[2] = {{.peer = round->left, .where = MFFT_IN_ARRAY, .bytes = round->bytes},
                             {.peer = round->right, .where = MFFT_IN_ARRAY, .bytes = round->bytes}};
  nccl_transfer t = {.base = {.start = start, .wait = wait},
                     .topology = topology,
                     .comm = a->comm,
                     .limit = &mfft_nccl_limit,
                     .message = message,
                     .receives = 1,
                     .count = 2,
                     .what = "trying transport nccl"};
  const mfft_ends ends = {.from = {round->from}, .to = {round->to}};
  a->begun = 1;
  MFFT_TRY(mfft_nccl_open(&t.nccl));
  mfft_status status = topology->device->event_create(&t.ready);
  if (status == MFFT_SUCCESS) status = topology->device->event_create(&t.through);
  if (status == MFFT_SUCCESS) status = start(&t.base, &ends, NULL);
  if (status == MFFT_SUCCESS) status = wait(&t.base, NULL);
  if (status != MFFT_SUCCESS) mfft_nccl_give_up(t.comm, status == MFFT_ERR_TIMEOUT);
  topology->device->event_destroy(t.ready);
  topology->device->event_destroy(t.through);
  return status;
}

static mfft_status probe(const mfft_topology *topology) {
  attempt a = {NULL, 0};
  MFFT_TRY(mfft_nccl_join(topology, &a.comm));
  const mfft_status status = mfft_trial_run(topology, "NCCL", "use another transport than nccl", move, &a);
  if (status != MFFT_SUCCESS && a.begun) mfft_nccl_give_up(a.comm, 0); /* on the ranks where it succeeded, too */
  return status;
}

const mfft_transport mfft_transport_nccl = {
    .name = "nccl",
    .summary = "NCCL's sends and receives in one group a chunk, everything packed: for device memory that MPI cannot reach",
    .messages = MFFT_ONE_A_PEER,
    .device_only = 1,
    .probe = probe,
    .create = create,
};
