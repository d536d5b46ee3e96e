/* hierarchical.c: messages to other nodes that pass through one rank of each node (node_messages.h), for many ranks a node
 * and small messages: between two nodes goes one message, instead of one for each pair of their ranks.
 *
 *     start: senders copy what they send into the buffer of the carrier, in its window
 *            the carrier sends the buffer when all have, and receives into another one
 *     wait:  receivers copy what is theirs from the buffer of the carrier
 *
 * Two handshakes guard the buffers, which are the transfer's own.  Gather: the carrier gives "open" when a buffer has been
 * sent, first when transfers connect, and senders "done".  Scatter: the carrier gives "open" when a message has arrived,
 * and receivers "done".  Each rank does its part as carrier of all started transfers in all of its waits
 * (mfft_window_serve). A wait ends when this rank has what it receives and all that it carries is through, and a start waits
 * only for what other ranks do in their waits for the same transfer of the execute before: so no deadlock is possible.
 *
 * The buffers are in host memory.  A device copies to and from there by itself, since all ranks of the node have mapped the
 * buffers for their devices: so any MPI can send them, and no GPU passes on what others send.  Signals are given by the
 * host, each when an event says that the copies before it are made; no kernel waits for them.  Copies are queued behind
 * nothing but local copies, and none is needed by other ranks before they start a later transfer, whose signals to near
 * ranks a stream may wait for. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/mpi_status.h"
#include "comm/watchdog.h"
#include "dist/handshake.h"
#include "dist/node_messages.h"
#include "dist/requests.h"
#include "dist/transport.h"

enum { FIRST_TAG = 2 }; /* failure.c has 1; transfers are told apart by tags, as carriers send when others are ready */

/* A message of this rank: a copy from or to the buffer of a carrier. */
typedef struct part {
  mfft_where where;
  int carrier;
  int64_t offset_bytes, bytes;  /* in the array or area of this rank */
  int64_t carried_offset_bytes; /* from the start of the arrays in the window of the carrier */
} part;

/* A message between nodes that this rank carries. */
typedef struct carried {
  int peer;
  int64_t offset_bytes, bytes; /* from the start of the arrays in the window of this rank */
} carried;

typedef enum peer_kind { SENDS_TO, CARRIES_FROM, RECEIVES_FROM, CARRIES_TO, PEER_KINDS } peer_kind;

typedef struct hierarchical {
  mfft_transfer base;
  const mfft_topology *topology;
  mfft_window *window; /* in host memory */
  mfft_handshake gather, scatter;
  mfft_message_list own[2]; /* [received, sent] peers are ranks of other nodes */
  part *part;               /* [parts] their copies from and to the buffers of carriers; received ones first */
  int received, parts;
  mfft_block *block;    /* [parts] as blocks, in units of unit[where] bytes */
  const void **in;      /* [parts] sources */
  void **out;           /* [parts] targets */
  int64_t unit[2];      /* by mfft_where */
  int copy_blocks;      /* most thread blocks of a copy */
  carried *carried;     /* [messages] received ones first */
  MPI_Request *request; /* [messages] */
  int receives, messages, tag;
  int *peer[PEER_KINDS], peers[PEER_KINDS]; /* [node_ranks] carriers that this rank sends to, and so on */
  mfft_ends ends;                           /* memory of the start in progress */
  int arrived, sent;                        /* messages with a lower index are through */
  int stored, posted, reopened;             /* steps of sending that are done in the use in progress */
  int taken, released;                      /* steps of receiving; 1 before the first use too */
  mfft_duty duty;
  void *stream, *ready, *gathered, *loaded; /* for copies; events: before them, behind sent parts, behind received ones */
  int owns_stream;
  char what[64];
} hierarchical;

/* ---- Start and wait ---- */

static char *buffer_of(const hierarchical *t, int message) {
  return (char *)mfft_window_arrays(t->window, t->topology->rank) + t->carried[message].offset_bytes;
}

static mfft_status post(hierarchical *t, int first, int end) {
  for (int i = first; i < end; i++) {
    const carried *c = &t->carried[i];
    if (i < t->receives)
      MFFT_MPI_TRY(MPI_Irecv(buffer_of(t, i), (int)c->bytes, MPI_BYTE, c->peer, t->tag, t->topology->comm, &t->request[i]));
    else
      MFFT_MPI_TRY(MPI_Isend(buffer_of(t, i), (int)c->bytes, MPI_BYTE, c->peer, t->tag, t->topology->comm, &t->request[i]));
  }
  return MFFT_SUCCESS;
}

/* Copies parts [first, end), either received or sent ones, and records an event behind them. */
static mfft_status copy_parts(hierarchical *t, int first, int end, void *event) {
  const mfft_device *device = t->topology->device;
  for (int i = first; i < end; i++) {
    const part *p = &t->part[i];
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
static mfft_status test_messages(hierarchical *t, int *through, int end, int *missing) {
  for (int done = 1; *through < end; ++*through) {
    MFFT_MPI_TRY(MPI_Test(&t->request[*through], &done, MPI_STATUS_IGNORE));
    if (done) continue;
    *missing = t->carried[*through].peer;
    return MFFT_SUCCESS;
  }
  return MFFT_SUCCESS;
}

/* Gives a signal when the device has made the copies before an event; *missing is this rank until then. */
static mfft_status give_after(const hierarchical *t, void *event, const mfft_handshake *handshake, const mfft_signal *signal,
                              int *given, int *missing) {
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

/* Carrier: sends what all ranks of the node have gathered, and lets them store again when it is sent. */
static mfft_status advance_sends(hierarchical *t, int *missing) {
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

/* Carrier: lets the ranks of the node load what has arrived.  Receiver: loads. */
static mfft_status advance_receives(hierarchical *t, int *missing) {
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
  hierarchical *t = subject;
  int sends = -1, receives = -1;
  MFFT_TRY(give_after(t, t->gathered, &t->gather, &t->gather.done_there, &t->stored, &sends));
  if (t->stored) MFFT_TRY(advance_sends(t, &sends));
  MFFT_TRY(advance_receives(t, &receives));
  if (t->taken) MFFT_TRY(give_after(t, t->loaded, &t->scatter, &t->scatter.done_there, &t->released, &receives));
  *missing = receives >= 0 ? receives : sends;
  return MFFT_SUCCESS;
}

static mfft_status is_released(void *subject, int *missing) {
  hierarchical *t = subject;
  MFFT_TRY(mfft_window_serve(t->window));
  *missing = t->duty.missing;
  return MFFT_SUCCESS;
}

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  hierarchical *t = (hierarchical *)transfer;
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
  mfft_window_add_duty(t->window, &t->duty);
  return mfft_window_serve(t->window);
}

/* Whether the stream has what this rank receives, and other ranks have no more need of it. */
static mfft_status is_through(void *subject, int *missing) {
  hierarchical *t = subject;
  MFFT_TRY(mfft_window_serve(t->window));
  *missing = t->stored && t->taken && t->reopened ? -1 : t->duty.missing;
  return MFFT_SUCCESS;
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  hierarchical *t = (hierarchical *)transfer;
  MFFT_TRY(mfft_wait_for(t->topology->comm, is_through, t, t->what));
  return t->topology->device->event_wait(t->loaded, stream);
}

/* ---- Creation ---- */

static void destroy(mfft_transfer *transfer) {
  hierarchical *t = (hierarchical *)transfer;
  if (!t) return;
  if (t->request) mfft_requests_abandon(t->request, t->receives, t->messages);
  for (int sent = 0; sent < 2; sent++) free(t->own[sent].message);
  for (int k = 0; k < PEER_KINDS; k++) free(t->peer[k]);
  void *const events[] = {t->ready, t->gathered, t->loaded};
  for (int i = 0; i < 3; i++) t->topology->device->event_destroy(events[i]);
  if (t->owns_stream) t->topology->device->stream_destroy(t->stream);
  free(t->part);
  free(t->block);
  free(t->in);
  free(t->out);
  free(t->carried);
  free(t->request);
  free(t);
}

/* One run of bytes.  Areas and buffers have whole cache lines for each message. */
static mfft_block run_of(const part *p, int64_t unit) {
  const int64_t bytes = p->where == MFFT_IN_AREA ? mfft_line_bytes(p->bytes) : p->bytes;
  return (mfft_block){.n = {1, 1, 1, bytes / unit}, .is = {0, 0, 0, 1}, .os = {0, 0, 0, 1}};
}

/* Computes the addresses, and lets other ranks use buffers for the first time. */
static mfft_status connect(mfft_transfer *transfer) {
  hierarchical *t = (hierarchical *)transfer;
  for (int i = 0; i < t->parts; i++) {
    char *buffer = (char *)mfft_window_seen(t->window, t->part[i].carrier) + t->part[i].carried_offset_bytes;
    t->block[i] = run_of(&t->part[i], t->unit[t->part[i].where]);
    t->in[i] = t->out[i] = buffer; /* each use replaces one of them by the memory that it was given */
  }
  mfft_handshake_connect(&t->gather, t->peer[SENDS_TO], t->peers[SENDS_TO], t->peer[CARRIES_FROM], t->peers[CARRIES_FROM]);
  mfft_handshake_connect(&t->scatter, t->peer[RECEIVES_FROM], t->peers[RECEIVES_FROM], t->peer[CARRIES_TO],
                         t->peers[CARRIES_TO]);
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
static mfft_status make_queue(hierarchical *t, const mfft_lanes *lanes) {
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
  hierarchical *t = calloc(1, sizeof *t);
  if (!t) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", spec->what);
  t->base = (mfft_transfer){.start = start, .wait = wait, .connect = connect, .destroy = destroy};
  t->topology = spec->topology;
  t->unit[MFFT_IN_ARRAY] = spec->element_bytes;
  t->unit[MFFT_IN_AREA] = AREA_UNIT;
  t->copy_blocks = spec->copy_blocks;
  t->released = 1;
  t->duty = (mfft_duty){.advance = advance, .subject = t};
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

/* ---- Which rank carries what ---- */

/* The numbers that each rank of a node shares with the others. */
typedef struct rank_parts {
  int64_t parts, offset_bytes; /* offset of the buffers from the start of the arrays */
} rank_parts;

/* Lists the messages of this rank in all transfers: part [parts]. */
static void list_own(const mfft_topology *topology, mfft_transfer **transfers, int count, mfft_node_part *list) {
  for (int i = 0; i < count; i++)
    for (int sent = 0; sent < 2; sent++) {
      const mfft_message_list *own = &((const hierarchical *)transfers[i])->own[sent];
      for (int64_t k = 0; k < own->count; k++)
        *list++ = (mfft_node_part){.transfer = i,
                                   .outgoing = sent,
                                   .here = topology->rank,
                                   .there = own->message[k].peer,
                                   .index = (int)k,
                                   .bytes = own->message[k].bytes};
    }
}

/* Collects the parts of all ranks of the node: *all [*total]; rank [node_ranks].  Collective over all ranks. */
static mfft_status collect(const mfft_topology *topology, mfft_transfer **transfers, int count, rank_parts *rank,
                           mfft_node_part **all, int64_t *total) {
  int64_t most = 0;
  for (int r = 0; r < topology->node_ranks; r++) most = rank[r].parts > most ? rank[r].parts : most;
  mfft_node_part *mine = calloc((size_t)most + 1, sizeof *mine);
  *all = malloc(((size_t)most * (size_t)topology->node_ranks + 1) * sizeof **all);
  mfft_status status =
      mine && *all ? MFFT_SUCCESS
                   : mfft_fail(MFFT_ERR_MEMORY, "no memory for the messages of a node: %lld a rank", (long long)most);
  status = mfft_agree(topology->comm, status);
  if (status == MFFT_SUCCESS) {
    list_own(topology, transfers, count, mine);
    status =
        mfft_collective_allgather(topology->node, mine, (size_t)most * sizeof *mine, *all, "sharing messages of a node");
  }
  *total = 0;
  for (int r = 0; status == MFFT_SUCCESS && r < topology->node_ranks; r++) {
    memmove(*all + *total, *all + r * most, (size_t)rank[r].parts * sizeof **all);
    *total += rank[r].parts;
  }
  free(mine);
  return status;
}

static mfft_status allocate(hierarchical *t, int messages) {
  const size_t parts = (size_t)(t->own[0].count + t->own[1].count) + 1, node = (size_t)t->topology->node_ranks;
  t->received = (int)t->own[0].count;
  t->parts = t->received + (int)t->own[1].count;
  t->part = malloc(parts * sizeof *t->part);
  t->block = malloc(parts * sizeof *t->block);
  t->in = malloc(parts * sizeof *t->in);
  t->out = malloc(parts * sizeof *t->out);
  t->carried = malloc(((size_t)messages + 1) * sizeof *t->carried);
  t->request = malloc(((size_t)messages + 1) * sizeof *t->request);
  int all = t->part && t->block && t->in && t->out && t->carried && t->request;
  for (int k = 0; k < PEER_KINDS; k++) all &= (t->peer[k] = malloc(node * sizeof *t->peer[k])) != NULL;
  return all ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for what %s carries between nodes", t->what);
}

static void add_peer(hierarchical *t, peer_kind kind, int rank) {
  if (rank == t->topology->rank) return; /* its own steps are in sequence without signals */
  for (int i = 0; i < t->peers[kind]; i++)
    if (t->peer[kind][i] == rank) return;
  t->peer[kind][t->peers[kind]++] = rank;
}

/* Takes what concerns this rank of one message between nodes. */
static void take(hierarchical *t, const mfft_node_message *m, const mfft_node_part *parts, const rank_parts *rank) {
  const int64_t buffers = rank[t->topology->node_place[m->carrier]].offset_bytes;
  const int carries = m->carrier == t->topology->rank;
  for (const mfft_node_part *p = parts + m->first; p < parts + m->first + m->count; p++) {
    if (carries) add_peer(t, m->outgoing ? CARRIES_FROM : CARRIES_TO, p->here);
    if (p->here != t->topology->rank) continue;
    const mfft_message *own = &t->own[m->outgoing].message[p->index];
    t->part[p->index + (m->outgoing ? t->received : 0)] = (part){.where = own->where,
                                                                 .carrier = m->carrier,
                                                                 .offset_bytes = own->offset_bytes,
                                                                 .bytes = own->bytes,
                                                                 .carried_offset_bytes = buffers + p->offset_bytes};
    add_peer(t, m->outgoing ? SENDS_TO : RECEIVES_FROM, m->carrier);
  }
  if (!carries) return;
  t->request[t->messages] = MPI_REQUEST_NULL;
  t->carried[t->messages++] = (carried){m->peer, buffers + m->offset_bytes, m->bytes};
  t->receives += !m->outgoing;
  t->base.messages += m->outgoing;
}

/* Gives each transfer its part of the messages, which are sorted by transfer. */
static mfft_status distribute(mfft_transfer **transfers, int count, const mfft_node_messages *messages,
                              const mfft_node_part *parts, const rank_parts *rank) {
  int64_t next = 0;
  for (int i = 0; i < count; i++) {
    hierarchical *t = (hierarchical *)transfers[i];
    int64_t end = next;
    while (end < messages->count && messages->message[end].transfer == i) end++;
    t->tag = FIRST_TAG + i;
    MFFT_TRY(allocate(t, (int)(end - next)));
    for (; next < end; next++) {
      const mfft_node_message *m = &messages->message[next];
      if (m->bytes > INT_MAX)
        return mfft_fail(MFFT_ERR_UNSUPPORTED,
                         "%s has a message of %lld bytes between two nodes; use more chunks, or transport p2p", t->what,
                         (long long)m->bytes);
      take(t, m, parts, rank);
    }
  }
  return MFFT_SUCCESS;
}

static mfft_status arrange(const mfft_topology *topology, mfft_transfer **transfers, int count, int64_t offset_bytes,
                           int64_t *bytes) {
  mfft_node_part *parts = NULL;
  mfft_node_messages messages = {0};
  int64_t total = 0;
  rank_parts mine = {0, topology->host_memory ? offset_bytes : 0},
             *rank = malloc((size_t)topology->node_ranks * sizeof *rank); /* [node_ranks] */
  for (int i = 0; i < count; i++)
    for (int sent = 0; sent < 2; sent++) mine.parts += ((const hierarchical *)transfers[i])->own[sent].count;
  mfft_status status =
      rank ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d ranks of a node", topology->node_ranks);
  MFFT_GOTO(done, mfft_agree(topology->comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(topology->node, &mine, sizeof mine, rank, "counting messages of a node"));
  MFFT_GOTO(done, collect(topology, transfers, count, rank, &parts, &total));
  status = mfft_node_messages_make(topology, parts, total, &messages);
  if (status == MFFT_SUCCESS) status = distribute(transfers, count, &messages, parts, rank);
  status = mfft_agree(topology->comm, status);
  if (status == MFFT_SUCCESS && topology->host_memory)
    *bytes = messages.bytes[topology->node_rank];
  else if (status == MFFT_SUCCESS && count)
    status = mfft_window_open_beside(((hierarchical *)transfers[0])->window, messages.bytes);
done:
  mfft_node_messages_free(&messages);
  free(parts);
  free(rank);
  return status;
}

const mfft_transport mfft_transport_between_nodes = {
    .name = "messages between nodes",
    .messages = MFFT_ONE_A_PEER,
    .create = create,
    .arrange = arrange,
};
