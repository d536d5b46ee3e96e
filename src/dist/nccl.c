/* nccl.c: the transport of NCCL: all messages of a chunk in one group of sends and receives, on a stream of its own beside
 * the transforms.  For MPI that cannot reach device memory, or does so slowly, above all between nodes. */
#include <stdlib.h>
#include <string.h>

#include "dist/nccl_comm.h"
#include "dist/transport.h"
#include "dist/trial.h"
#include "dist/watchdog.h"

typedef struct nccl_transfer {
  mfft_transfer base;
  const mfft_reach *reach;
  const mfft_nccl *nccl;
  void *comm;
  mfft_message *message; /* [receives + sends] */
  int receives, count;
  void *stream, *ready, *through; /* through: events, what was queued before start, and the messages */
  char what[64];
} nccl_transfer;

static mfft_status queue_messages(const nccl_transfer *t, const mfft_ends *ends) {
  int answer = MFFT_NCCL_SUCCESS;
  MFFT_NCCL_TRY(t->nccl, "beginning a group", t->nccl->group_start());
  for (int i = 0; i < t->count && answer == MFFT_NCCL_SUCCESS; i++) {
    const mfft_message *m = &t->message[i];
    const size_t bytes = (size_t)m->bytes;
    if (i < t->receives)
      answer = t->nccl->receive((char *)ends->to[m->where] + m->offset_bytes, bytes, MFFT_NCCL_BYTES, m->peer, t->comm,
                                t->stream);
    else
      answer = t->nccl->send((const char *)ends->from[m->where] + m->offset_bytes, bytes, MFFT_NCCL_BYTES, m->peer, t->comm,
                             t->stream);
  }
  const int ended = t->nccl->group_end(); /* also after a failure: groups nest */
  return mfft_nccl_status(t->nccl, answer != MFFT_NCCL_SUCCESS ? answer : ended, t->what);
}

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  nccl_transfer *t = (nccl_transfer *)transfer;
  if (!t->count) return MFFT_SUCCESS;
  MFFT_TRY(t->reach->device->event_record(t->ready, stream));
  MFFT_TRY(t->reach->device->event_wait(t->ready, t->stream));
  MFFT_TRY(queue_messages(t, ends));
  return t->reach->device->event_record(t->through, t->stream);
}

/* Whom a group of messages waits for: NCCL does not tell which of several. */
static int peer_of_all(const nccl_transfer *t) {
  for (int i = 1; i < t->count; i++)
    if (t->message[i].peer != t->message[0].peer) return MFFT_SOME_RANK;
  return t->message[0].peer;
}

/* NCCL's kernels would wait for a dead rank without end; so the host waits beside them, and the watchdog with it. */
static mfft_status is_through(void *subject, int *missing) {
  const nccl_transfer *t = subject;
  int done = 0, error = MFFT_NCCL_SUCCESS;
  MFFT_TRY(t->reach->device->event_done(t->through, &done));
  *missing = done ? -1 : peer_of_all(t);
  if (done) return MFFT_SUCCESS;
  MFFT_NCCL_TRY(t->nccl, "asking for errors", t->nccl->async_error(t->comm, &error));
  return mfft_nccl_status(t->nccl, error == MFFT_NCCL_IN_PROGRESS ? MFFT_NCCL_SUCCESS : error, t->what);
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  nccl_transfer *t = (nccl_transfer *)transfer;
  if (!t->count) return MFFT_SUCCESS;
  MFFT_TRY(mfft_wait_for(t->reach->comm, is_through, t, t->what));
  return t->reach->device->event_wait(t->through, stream);
}

static void destroy(mfft_transfer *transfer) {
  nccl_transfer *t = (nccl_transfer *)transfer;
  if (!t) return;
  t->reach->device->stream_destroy(t->stream);
  t->reach->device->event_destroy(t->ready);
  t->reach->device->event_destroy(t->through);
  free(t->message);
  free(t);
}

static mfft_status create(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  mfft_status status;
  const mfft_chunk *chunk = spec->chunk;
  nccl_transfer *t = calloc(1, sizeof *t);
  if (!t) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", spec->what);
  t->base = (mfft_transfer){.start = start, .wait = wait, .destroy = destroy};
  t->reach = spec->reach;
  strncat(t->what, spec->what, sizeof t->what - 1);
  t->receives = (int)chunk->recv.count; /* one a peer */
  t->count = t->receives + (int)chunk->send.count;
  t->message = malloc(((size_t)t->count + 1) * sizeof *t->message);
  status = t->message ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d messages of %s", t->count, spec->what);
  MFFT_GOTO(fail, status);
  for (int i = 0; i < t->count; i++)
    t->message[i] = i < t->receives ? chunk->recv.message[i] : chunk->send.message[i - t->receives];
  t->base.messages = chunk->send.count;
  for (int i = t->receives; i < t->count; i++) t->base.sent_bytes += t->message[i].bytes;
  MFFT_GOTO(fail, mfft_nccl_open(&t->nccl));
  MFFT_GOTO(fail, mfft_nccl_find(t->reach, &t->comm));
  MFFT_GOTO(fail, t->reach->device->stream_create(&t->stream));
  MFFT_GOTO(fail, t->reach->device->event_create(&t->ready));
  MFFT_GOTO(fail, t->reach->device->event_create(&t->through));
  *transfer = &t->base;
  return MFFT_SUCCESS;
fail:
  destroy(&t->base);
  return status;
}

/* ---- The trial ------------------------------------------------------------------------------------------------------- */

/* On the default stream, waited for under the watchdog: NCCL's kernels would wait for a dead rank without end. */
static mfft_status move(void *subject, const mfft_reach *reach, const mfft_trial_round *round) {
  mfft_message message[2] = {{.peer = round->left, .where = MFFT_IN_ARRAY, .bytes = round->bytes},
                             {.peer = round->right, .where = MFFT_IN_ARRAY, .bytes = round->bytes}};
  nccl_transfer t = {.base = {.start = start, .wait = wait},
                     .reach = reach,
                     .comm = subject,
                     .message = message,
                     .receives = 1,
                     .count = 2,
                     .what = "trying transport nccl"};
  const mfft_ends ends = {.from = {round->from}, .to = {round->to}};
  MFFT_TRY(mfft_nccl_open(&t.nccl));
  mfft_status status = reach->device->event_create(&t.ready);
  if (status == MFFT_SUCCESS) status = reach->device->event_create(&t.through);
  if (status == MFFT_SUCCESS) status = start(&t.base, &ends, NULL);
  if (status == MFFT_SUCCESS) status = wait(&t.base, NULL);
  reach->device->event_destroy(t.ready);
  reach->device->event_destroy(t.through);
  return status;
}

static mfft_status probe(const mfft_reach *reach) {
  void *comm;
  MFFT_TRY(mfft_nccl_join(reach, &comm));
  return mfft_trial_run(reach, "NCCL", "use another transport than nccl", move, comm);
}

const mfft_transport mfft_transport_nccl = {
    .name = "nccl",
    .summary = "NCCL's sends and receives in one group a chunk, everything packed: for device memory that MPI cannot reach",
    .messages = MFFT_ONE_A_PEER,
    .device_only = 1,
    .probe = probe,
    .create = create,
};
