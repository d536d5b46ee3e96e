/* hierarchical.c: messages to other nodes that pass through one rank of each node (node_messages.h), for many ranks a node
 * and small messages: between two nodes goes one message, instead of one for each pair of their ranks.
 *
 *     start: senders copy what they send into the buffer of the leader, in its window
 *            the leader sends the buffer when all have, and receives into another one
 *     wait:  receivers copy what is theirs from the buffer of the leader
 *
 * Two handshakes guard the buffers, which are the transfer's own.  Gather: the leader gives "open" when a buffer has been
 * sent, first when transfers connect, and senders "done".  Scatter: the leader gives "open" when a message has arrived,
 * and receivers "done".  Each rank does its part as leader of all started transfers in all of its waits
 * (mfft_window_serve). A wait ends when this rank has what it receives and all that it sends and receives as leader is
 * through, and a start waits only for what other ranks do in their waits for the same transfer of the execute before: so no
 * deadlock is possible.
 *
 * The buffers are in host memory.  A device copies to and from there by itself, since all ranks of the node have mapped the
 * buffers for their devices: so any MPI can send them, and no GPU passes on what others send.  Signals are given by the
 * host, each when an event says that the copies before it are made; no kernel waits for them.  Copies are queued behind
 * nothing but local copies, and none is needed by other ranks before they start a later transfer, whose signals to near
 * ranks a stream may wait for. */
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "comm/mpi_status.h"
#include "comm/watchdog.h"
#include "dist/hierarchical_arrange.h"
#include "dist/hierarchical_transfer.h"
#include "dist/requests.h"

/* ---- Start and wait ---- */

static char *buffer_of(const mfft_hierarchical *t, int message) {
  return (char *)mfft_window_arrays(t->window, t->topology->rank) + t->message[message].offset_bytes;
}

static mfft_status post(mfft_hierarchical *t, int first, int end) {
  for (int i = first; i < end; i++) {
    const mfft_hierarchical_message *c = &t->message[i];
    if (i < t->receives)
      MFFT_MPI_TRY(MPI_Irecv(buffer_of(t, i), (int)c->bytes, MPI_BYTE, c->peer, t->tag, t->topology->comm, &t->request[i]));
    else
      MFFT_MPI_TRY(MPI_Isend(buffer_of(t, i), (int)c->bytes, MPI_BYTE, c->peer, t->tag, t->topology->comm, &t->request[i]));
  }
  return MFFT_SUCCESS;
}

/* Copies parts [first, end), either received or sent ones, and records an event behind them. */
static mfft_status copy_parts(mfft_hierarchical *t, int first, int end, void *event) {
  const mfft_device *device = t->topology->device;
  for (int i = first; i < end; i++) {
    const mfft_hierarchical_part *p = &t->part[i];
    if (i < t->received)
      t->out[i] = (char *)t->ends.to[p->where] + p->offset_bytes;
    else
      t->in[i] = (const char *)t->ends.from[p->where] + p->offset_bytes;
  }
  for (int i = first, next; i < end; i = next) {
    for (next = i + 1; next < end && t->part[next].where == t->part[i].where;) next++;
    MFFT_TRY(device->copy_lists(t->block + i, t->in + i, t->out + i, next - i, t->unit[t->part[i].where], t->copy_blocks,
                                t->stream));
  }
  return device->event_record(event, t->stream);
}

/* Tests messages [*through, end) in sequence. */
static mfft_status test_messages(mfft_hierarchical *t, int *through, int end, int *missing) {
  for (int done = 1; *through < end; ++*through) {
    MFFT_MPI_TRY(MPI_Test(&t->request[*through], &done, MPI_STATUS_IGNORE));
    if (done) continue;
    *missing = t->message[*through].peer;
    return MFFT_SUCCESS;
  }
  return MFFT_SUCCESS;
}

/* Gives a signal when the device has made the copies before an event; *missing is this rank until then. */
static mfft_status give_after(const mfft_hierarchical *t, void *event, const mfft_handshake *handshake,
                              const mfft_signal *signal, int *given, int *missing) {
  int done = 1;
  if (*given) return MFFT_SUCCESS;
  MFFT_TRY(t->topology->device->event_done(event, &done));
  if (!done) {
    *missing = t->topology->rank;
    return MFFT_SUCCESS;
  }
  *given = 1;
  return mfft_handshake_give(handshake, signal, NULL);
}

/* Leader: sends what all ranks of the node have gathered, and lets them store again when it is sent. */
static mfft_status advance_sends(mfft_hierarchical *t, int *missing) {
  if (!t->posted) {
    MFFT_TRY(mfft_handshake_test(&t->gather, &t->gather.done_here, missing));
    if (*missing >= 0) return MFFT_SUCCESS;
    MFFT_TRY(post(t, t->receives, t->messages));
    t->posted = 1;
  }
  MFFT_TRY(test_messages(t, &t->sent, t->messages, missing));
  if (*missing >= 0 || t->reopened) return MFFT_SUCCESS;
  t->reopened = 1;
  return mfft_handshake_give(&t->gather, &t->gather.open_here, NULL);
}

/* Leader: lets the ranks of the node load what has arrived.  Receiver: loads. */
static mfft_status advance_receives(mfft_hierarchical *t, int *missing) {
  if (t->arrived <= t->receives) {
    MFFT_TRY(test_messages(t, &t->arrived, t->receives, missing));
    if (*missing >= 0) return MFFT_SUCCESS;
    t->arrived = t->receives + 1;
    MFFT_TRY(mfft_handshake_give(&t->scatter, &t->scatter.open_here, NULL));
  }
  if (t->taken) return MFFT_SUCCESS;
  MFFT_TRY(mfft_handshake_test(&t->scatter, &t->scatter.open_there, missing));
  if (*missing >= 0) return MFFT_SUCCESS;
  MFFT_TRY(copy_parts(t, 0, t->received, t->loaded));
  t->taken = 1;
  return MFFT_SUCCESS;
}

static mfft_status advance(void *subject, int *missing) {
  mfft_hierarchical *t = subject;
  int sends = -1, receives = -1;
  MFFT_TRY(give_after(t, t->gathered, &t->gather, &t->gather.done_there, &t->stored, &sends));
  if (t->stored) MFFT_TRY(advance_sends(t, &sends));
  MFFT_TRY(advance_receives(t, &receives));
  if (t->taken) MFFT_TRY(give_after(t, t->loaded, &t->scatter, &t->scatter.done_there, &t->released, &receives));
  *missing = receives >= 0 ? receives : sends;
  return MFFT_SUCCESS;
}

static mfft_status is_released(void *subject, int *missing) {
  mfft_hierarchical *t = subject;
  MFFT_TRY(mfft_window_serve(t->window));
  *missing = t->progress.missing;
  return MFFT_SUCCESS;
}

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  mfft_hierarchical *t = (mfft_hierarchical *)transfer;
  const mfft_device *device = t->topology->device;
  if (!t->released) MFFT_TRY(mfft_wait_for(t->topology->comm, is_released, t, t->what));
  t->ends = *ends;
  MFFT_TRY(mfft_handshake_await(&t->scatter, &t->scatter.done_here, NULL));
  MFFT_TRY(post(t, 0, t->receives));
  MFFT_TRY(mfft_handshake_await(&t->gather, &t->gather.open_there, NULL));
  MFFT_TRY(device->event_record(t->ready, stream));
  MFFT_TRY(device->event_wait(t->ready, t->stream));
  MFFT_TRY(copy_parts(t, t->received, t->parts, t->gathered));
  t->arrived = t->stored = t->posted = t->taken = t->reopened = t->released = 0;
  t->sent = t->receives;
  mfft_window_add_progress(t->window, &t->progress);
  return mfft_window_serve(t->window);
}

/* Whether the stream has what this rank receives, and other ranks have no more need of it. */
static mfft_status is_through(void *subject, int *missing) {
  mfft_hierarchical *t = subject;
  MFFT_TRY(mfft_window_serve(t->window));
  *missing = t->stored && t->taken && t->reopened ? -1 : t->progress.missing;
  return MFFT_SUCCESS;
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  mfft_hierarchical *t = (mfft_hierarchical *)transfer;
  MFFT_TRY(mfft_wait_for(t->topology->comm, is_through, t, t->what));
  return t->topology->device->event_wait(t->loaded, stream);
}

/* ---- Creation ---- */

static void destroy(mfft_transfer *transfer) {
  mfft_hierarchical *t = (mfft_hierarchical *)transfer;
  if (!t) return;
  if (t->request) mfft_requests_abandon(t->request, t->receives, t->messages);
  for (int sent = 0; sent < 2; sent++) free(t->own[sent].message);
  for (int k = 0; k < MFFT_HIERARCHICAL_PEERS; k++) free(t->peer[k]);
  void *const events[] = {t->ready, t->gathered, t->loaded};
  for (int i = 0; i < 3; i++) t->topology->device->event_destroy(events[i]);
  if (t->owns_stream) t->topology->device->stream_destroy(t->stream);
  free(t->part);
  free(t->block);
  free(t->in);
  free(t->out);
  free(t->message);
  free(t->request);
  free(t);
}

/* One run of bytes.  Areas and buffers have whole cache lines for each message. */
static mfft_block run_of(const mfft_hierarchical_part *p, int64_t unit) {
  const int64_t bytes = p->where == MFFT_IN_AREA ? mfft_line_bytes(p->bytes) : p->bytes;
  return (mfft_block){.n = {1, 1, 1, bytes / unit}, .is = {0, 0, 0, 1}, .os = {0, 0, 0, 1}};
}

/* Computes the addresses, and lets other ranks use buffers for the first time. */
static mfft_status connect(mfft_transfer *transfer) {
  mfft_hierarchical *t = (mfft_hierarchical *)transfer;
  for (int i = 0; i < t->parts; i++) {
    char *buffer = (char *)mfft_window_seen(t->window, t->part[i].leader) + t->part[i].leader_offset_bytes;
    t->block[i] = run_of(&t->part[i], t->unit[t->part[i].where]);
    t->in[i] = t->out[i] = buffer; /* each use replaces one of them by the memory that it was given */
  }
  mfft_handshake_connect(&t->gather, t->peer[MFFT_SENDS_TO], t->peers[MFFT_SENDS_TO], t->peer[MFFT_GATHERS_FROM],
                         t->peers[MFFT_GATHERS_FROM]);
  mfft_handshake_connect(&t->scatter, t->peer[MFFT_RECEIVES_FROM], t->peers[MFFT_RECEIVES_FROM], t->peer[MFFT_SCATTERS_TO],
                         t->peers[MFFT_SCATTERS_TO]);
  MFFT_TRY(mfft_handshake_give(&t->gather, &t->gather.open_here, NULL));
  return mfft_handshake_give(&t->scatter, &t->scatter.done_there, NULL);
}

static mfft_status copy_list(const mfft_message_list *list, mfft_message_list *own) {
  own->message = malloc(((size_t)list->count + 1) * sizeof *own->message);
  if (!own->message) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld messages", (long long)list->count);
  own->count = list->count;
  if (list->count) memcpy(own->message, list->message, (size_t)list->count * sizeof *own->message);
  return MFFT_SUCCESS;
}

/* The queue of copies that stay on a rank, in which no kernel waits for a peer; or a stream of its own. */
static mfft_status make_queue(mfft_hierarchical *t, const mfft_lanes *lanes) {
  const mfft_device *device = t->topology->device;
  t->owns_stream = !lanes || !lanes->count;
  if (t->owns_stream)
    MFFT_TRY(device->stream_create(&t->stream));
  else
    t->stream = lanes->stream[lanes->next % lanes->count][1];
  MFFT_TRY(device->event_create(&t->ready));
  MFFT_TRY(device->event_create(&t->gathered));
  return device->event_create(&t->loaded);
}

static mfft_status create(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  enum { AREA_UNIT = 16 };
  mfft_status status;
  MFFT_TRY(mfft_handshake_check(spec->what, spec->topology->node_ranks, 0));
  mfft_hierarchical *t = calloc(1, sizeof *t);
  if (!t) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", spec->what);
  t->base = (mfft_transfer){.start = start, .wait = wait, .connect = connect, .destroy = destroy};
  t->topology = spec->topology;
  t->unit[MFFT_IN_ARRAY] = spec->element_bytes;
  t->unit[MFFT_IN_AREA] = AREA_UNIT;
  t->copy_blocks = spec->copy_blocks;
  t->released = 1;
  t->progress = (mfft_progress){.advance = advance, .subject = t};
  strncat(t->what, spec->what, sizeof t->what - 1);
  MFFT_GOTO(fail, mfft_window_in_host_memory(spec->window, &t->window));
  mfft_handshake_init(t->window, spec->what, &t->gather);
  mfft_handshake_init(t->window, spec->what, &t->scatter);
  MFFT_GOTO(fail, make_queue(t, spec->lanes));
  MFFT_GOTO(fail, copy_list(&spec->chunk->recv, &t->own[0]));
  MFFT_GOTO(fail, copy_list(&spec->chunk->send, &t->own[1]));
  for (int64_t i = 0; i < t->own[1].count; i++) t->base.sent_bytes += t->own[1].message[i].bytes;
  *transfer = &t->base;
  return MFFT_SUCCESS;
fail:
  destroy(&t->base);
  return status;
}

const mfft_transport mfft_transport_between_nodes = {
    .name = "messages between nodes",
    .messages = MFFT_ONE_A_PEER,
    .create = create,
    .arrange = mfft_hierarchical_arrange,
};
