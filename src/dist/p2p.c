/* p2p.c: the transport that uses stores and loads.  Ranks of a node copy from array to array, one of which is in the
 * window of the peer.  If a route has messages for near peers, they copy from the send area into the receive area in the
 * peer's window instead.  Far peers, on other nodes, are served by another transport inside the same transfer.
 *
 * A handshake guards each copy.  On a GPU everything is queued: copies run on a stream of their own beside the
 * transforms, and the host is not involved. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "base/env.h"
#include "comm/agree.h"
#include "comm/mpi_status.h"
#include "comm/watchdog.h"
#include "dist/handshake.h"
#include "dist/transport.h"

enum { MESSAGE_UNIT = 16 }; /* bytes of one element of a copied message */

typedef struct p2p {
  mfft_transfer base;
  const mfft_topology *topology;
  const mfft_window *window;
  int pull;
  int64_t element_bytes;
  int copy_blocks;             /* most thread blocks of a copy: enough to saturate the links */
  int by_messages;             /* data for near peers is in the areas, as messages */
  int64_t array_offset;        /* offset of the arrays in windows, in bytes */
  int64_t recv_offset;         /* offset of the receive area among the areas of the window, in bytes */
  mfft_message *arrives;       /* [acting_count] by_messages: messages that near peers store into the receive area */
  int *acted, acted_count;     /* [acted_count] peers whose windows this rank accesses */
  int *acting, acting_count;   /* [acting_count] peers that access the window of this rank */
  mfft_block *block;           /* [blocks] */
  int *block_peer;             /* [blocks] */
  const void **in;             /* [blocks] */
  void **out;                  /* [blocks] */
  int64_t blocks, near_blocks; /* the last blocks - near_blocks copies stay on this rank */
  mfft_handshake handshake;
  void *stream[2], *ready, *copied[2]; /* [near, here] streams for copies; events */
  int owns_streams;
} p2p;

static mfft_status copy_range(const p2p *t, int64_t first, int64_t end, int near, void *stream) {
  if (first == end) return MFFT_SUCCESS;
  int64_t element_bytes = t->by_messages && near ? MESSAGE_UNIT : t->element_bytes;
  return t->topology->device->copy_lists(t->block + first, t->in + first, t->out + first, end - first, element_bytes,
                                         t->copy_blocks, stream);
}

/* ---- Marks and spans of time lines ---- */

enum { READY, OPENED, COPIED, MARKS };
typedef int marks[MARKS];

static mfft_status mark(const p2p *t, void *stream, int *at) { return mfft_trace_mark(t->base.trace, stream, at); }

static mfft_status note(const p2p *t, int queue, mfft_span_kind kind, int64_t sent_bytes, int from, int to) {
  return mfft_trace_span(t->base.trace, (mfft_trace_note){t->base.queue[queue], kind, t->handshake.what, sent_bytes}, from,
                         to);
}

static int64_t far_bytes(const p2p *t) { return t->base.far ? t->base.far->sent_bytes : 0; }

/* ---- Start and wait ---- */

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  p2p *t = (p2p *)transfer;
  const mfft_device *device = t->topology->device;
  const int64_t near_bytes = t->base.sent_bytes - far_bytes(t);
  marks near = {0}, here = {0};
  if (t->base.far || !t->blocks) MFFT_TRY(mark(t, stream, &t->base.started));
  MFFT_TRY(mfft_handshake_give(&t->handshake, &t->handshake.open_here, stream));
  if (t->base.far) MFFT_TRY(t->base.far->start(t->base.far, ends, stream));
  if (!t->blocks) return note(t, MFFT_QUEUE_PEERS, MFFT_SPAN_PEERS, near_bytes, t->base.started, t->base.started);
  for (int64_t i = 0; i < t->blocks; i++) {
    int message = t->by_messages && i < t->near_blocks;
    if (t->pull && !message)
      t->out[i] = ends->to[MFFT_IN_ARRAY];
    else
      t->in[i] = ends->from[message ? MFFT_IN_AREA : MFFT_IN_ARRAY];
  }
  MFFT_TRY(device->event_record(t->ready, stream));
  for (int q = 0; q < 2; q++) MFFT_TRY(device->event_wait(t->ready, t->stream[q]));
  MFFT_TRY(mark(t, t->stream[0], &near[READY]));
  MFFT_TRY(mfft_handshake_await(&t->handshake, &t->handshake.open_there, t->stream[0]));
  MFFT_TRY(mark(t, t->stream[0], &near[OPENED]));
  MFFT_TRY(copy_range(t, 0, t->near_blocks, 1, t->stream[0]));
  MFFT_TRY(mark(t, t->stream[0], &near[COPIED]));
  MFFT_TRY(mfft_handshake_give(&t->handshake, &t->handshake.done_there, t->stream[0]));
  MFFT_TRY(mark(t, t->stream[1], &here[READY]));
  MFFT_TRY(copy_range(t, t->near_blocks, t->blocks, 0, t->stream[1]));
  MFFT_TRY(mark(t, t->stream[1], &here[COPIED]));
  for (int q = 0; q < 2; q++) MFFT_TRY(device->event_record(t->copied[q], t->stream[q]));
  MFFT_TRY(note(t, MFFT_QUEUE_PEERS, MFFT_SPAN_OPEN, 0, near[READY], near[OPENED]));
  MFFT_TRY(note(t, MFFT_QUEUE_PEERS, MFFT_SPAN_PEERS, near_bytes, near[OPENED], near[COPIED]));
  return note(t, MFFT_QUEUE_HERE, MFFT_SPAN_HERE, 0, here[READY], here[COPIED]);
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  p2p *t = (p2p *)transfer;
  if (t->base.far) {
    int arrived = 0;
    MFFT_TRY(t->base.far->wait(t->base.far, stream));
    MFFT_TRY(mark(t, stream, &arrived));
    MFFT_TRY(note(t, MFFT_QUEUE_MESSAGES, MFFT_SPAN_MESSAGES, far_bytes(t), t->base.started, arrived));
  }
  for (int q = 0; t->blocks && q < 2; q++) MFFT_TRY(t->topology->device->event_wait(t->copied[q], stream));
  return mfft_handshake_await(&t->handshake, &t->handshake.done_here, stream);
}

/* Tells each near sender where its message goes in the window of this rank, and receives the same for the messages that
 * this rank sends: offset, in bytes from the start of the arrays in the window of the peer. */
static mfft_status exchange_offsets(const p2p *t, int64_t *offset /* [near_blocks] */) {
  mfft_status status = MFFT_SUCCESS;
  int count = 0;
  /* Arrays of fixed size: an allocation that fails on one rank would leave the others waiting. */
  int64_t mine[MFFT_SIGNAL_PEERS];            /* [acting_count] */
  MPI_Request request[2 * MFFT_SIGNAL_PEERS]; /* [near_blocks + acting_count] */
  int peer[2 * MFFT_SIGNAL_PEERS];            /* [near_blocks + acting_count] */
  for (int i = 0; status == MFFT_SUCCESS && i < (int)t->near_blocks; i++) {
    peer[count] = t->acted[i];
    status = mfft_mpi_status(MPI_Irecv(&offset[i], 1, MPI_INT64_T, t->acted[i], 0, t->topology->comm, &request[count++]),
                             "MPI_Irecv");
  }
  for (int i = 0; status == MFFT_SUCCESS && i < t->acting_count; i++) {
    mine[i] = t->window->area_offset_bytes + t->recv_offset + t->arrives[i].offset_bytes;
    peer[count] = t->acting[i];
    status = mfft_mpi_status(MPI_Isend(&mine[i], 1, MPI_INT64_T, t->acting[i], 0, t->topology->comm, &request[count++]),
                             "MPI_Isend");
  }
  if (status == MFFT_SUCCESS) status = mfft_wait(t->topology->comm, request, peer, count, "exchanging offsets of messages");
  return status;
}

/* Computes the pointers into the windows, once these are open. */
static mfft_status connect(mfft_transfer *transfer) {
  p2p *t = (p2p *)transfer;
  mfft_handshake_connect(&t->handshake, t->acted, t->acted_count, t->acting, t->acting_count);
  int64_t offset[MFFT_SIGNAL_PEERS] = {0}; /* [near_blocks] */
  if (t->by_messages) MFFT_TRY(exchange_offsets(t, offset));
  for (int64_t i = 0; i < t->blocks; i++) {
    int message = t->by_messages && i < t->near_blocks;
    char *base = mfft_window_arrays(t->window, t->block_peer[i]);
    if (t->pull && !message)
      t->in[i] = base + t->array_offset;
    else
      t->out[i] = base + (message ? offset[i] : t->array_offset);
  }
  if (!t->base.far || !t->base.far->connect) return MFFT_SUCCESS;
  MFFT_TRY(t->base.far->connect(t->base.far));
  t->base.messages = t->base.far->messages;
  return MFFT_SUCCESS;
}

static void destroy(mfft_transfer *transfer) {
  p2p *t = (p2p *)transfer;
  if (!t) return;
  if (t->base.far) t->base.far->destroy(t->base.far);
  t->topology->device->event_destroy(t->ready);
  for (int q = 0; q < 2; q++) {
    if (t->owns_streams) t->topology->device->stream_destroy(t->stream[q]);
    t->topology->device->event_destroy(t->copied[q]);
  }
  free(t->acted);
  free(t->acting);
  free(t->arrives);
  free(t->block);
  free(t->block_peer);
  free(t->in);
  free(t->out);
  free(t);
}

/* Lists the copies from array to array.  There is one for each peer, since two boxes intersect in one box. */
static void fill_direct(p2p *t, const mfft_chunk *chunk) {
  for (int64_t i = 0; i < chunk->direct.count; i++) {
    t->acted[i] = t->block_peer[i] = chunk->direct.direct[i].peer;
    t->block[i] = chunk->direct.direct[i].block;
  }
  for (int i = 0; i < t->acting_count; i++) t->acting[i] = chunk->acting.peer[i];
}

/* Lists the copies from area to area, one for each peer.  Segments begin and end at multiples of 64 bytes. */
static void fill_messages(p2p *t, const mfft_chunk *chunk) {
  int acted = 0, acting = 0;
  for (int64_t i = 0; i < chunk->send.count; i++) {
    const mfft_message *m = &chunk->send.message[i];
    if (!t->topology->near[m->peer]) continue;
    t->acted[acted] = t->block_peer[acted] = m->peer;
    t->block[acted++] = (mfft_block){.n = {1, 1, 1, mfft_line_bytes(m->bytes) / MESSAGE_UNIT},
                                     .is = {0, 0, 0, 1},
                                     .os = {0, 0, 0, 1},
                                     .in_offset = m->offset_bytes / MESSAGE_UNIT};
  }
  for (int64_t i = 0; i < chunk->recv.count; i++) {
    if (!t->topology->near[chunk->recv.message[i].peer]) continue;
    t->arrives[acting] = chunk->recv.message[i];
    t->acting[acting++] = chunk->recv.message[i].peer;
  }
}

static int64_t count_near(const mfft_topology *topology, const mfft_message_list *list) {
  int64_t count = 0;
  for (int64_t i = 0; i < list->count; i++) count += topology->near[list->message[i].peer];
  return count;
}

/* Creates two streams, or takes the next pair of the shared ones. */
static mfft_status take_streams(p2p *t, mfft_lanes *lanes) {
  t->owns_streams = !lanes || !lanes->count;
  const int lane = t->owns_streams ? 0 : lanes->next++ % lanes->count;
  for (int q = 0; q < 2; q++) {
    if (!t->owns_streams) t->stream[q] = lanes->stream[lane][q];
    if (t->owns_streams) MFFT_TRY(t->topology->device->stream_create(&t->stream[q]));
  }
  return MFFT_SUCCESS;
}

static mfft_status fill(p2p *t, const mfft_chunk *chunk, mfft_lanes *lanes) {
  int64_t sends = count_near(t->topology, &chunk->send), receives = count_near(t->topology, &chunk->recv);
  t->by_messages = sends || receives;
  int64_t acted = t->by_messages ? sends : chunk->direct.count, acting = t->by_messages ? receives : chunk->acting.count;
  MFFT_TRY(mfft_handshake_check(t->handshake.what, acted, acting));
  t->acted_count = (int)acted;
  t->acting_count = (int)acting;
  t->near_blocks = acted;
  t->blocks = acted + chunk->self.count; /* the part that stays on this rank is copied too, without signals */
  size_t n = (size_t)t->blocks + 1, m = (size_t)acting + 1;
  t->acted = malloc(n * sizeof *t->acted);
  t->acting = malloc(m * sizeof *t->acting);
  t->arrives = malloc(m * sizeof *t->arrives);
  t->block = malloc(n * sizeof *t->block);
  t->block_peer = malloc(n * sizeof *t->block_peer);
  t->in = calloc(n, sizeof *t->in);
  t->out = calloc(n, sizeof *t->out);
  if (!t->acted || !t->acting || !t->arrives || !t->block || !t->block_peer || !t->in || !t->out)
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld copies of %s", (long long)t->blocks, t->handshake.what);
  if (t->by_messages)
    fill_messages(t, chunk);
  else
    fill_direct(t, chunk);
  for (int64_t i = t->near_blocks; i < t->blocks; i++) {
    t->block_peer[i] = t->topology->rank;
    t->block[i] = chunk->self.block[i - t->near_blocks];
  }
  MFFT_TRY(take_streams(t, lanes));
  for (int q = 0; q < 2; q++) MFFT_TRY(t->topology->device->event_create(&t->copied[q]));
  return t->topology->device->event_create(&t->ready);
}

/* Selects the messages to or from far peers. */
static mfft_status far_messages(const mfft_topology *topology, const mfft_message_list *all, mfft_message_list *far) {
  far->message = malloc(((size_t)all->count + 1) * sizeof *far->message);
  if (!far->message) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld messages", (long long)all->count);
  for (int64_t i = 0; i < all->count; i++)
    if (!topology->near[all->message[i].peer]) far->message[far->count++] = all->message[i];
  return MFFT_SUCCESS;
}

static mfft_status create_far(p2p *t, const mfft_transfer_spec *spec) {
  mfft_chunk far = {0};
  mfft_transfer_spec other = *spec;
  other.chunk = &far;
  other.copy_blocks = t->copy_blocks;
  mfft_status status = far_messages(t->topology, &spec->chunk->send, &far.send);
  if (status == MFFT_SUCCESS) status = far_messages(t->topology, &spec->chunk->recv, &far.recv);
  const int needed = far.send.count || far.recv.count || spec->far->arrange;
  if (status == MFFT_SUCCESS && needed) status = spec->far->create(&other, &t->base.far);
  free(far.send.message);
  free(far.recv.message);
  return status;
}

/* Thread blocks of a copy.  While messages to other nodes are under way too, copies get only the fraction of the usual
 * blocks that near peers are of all peers, since the other transport needs the device as well. */
static int most_blocks(const mfft_transfer_spec *spec) {
  const double least = MFFT_DEVICE_BLOCKS_BESIDE_MESSAGES;
  const mfft_topology *topology = spec->topology;
  double most = spec->copy_blocks ? spec->copy_blocks : mfft_env_number(MFFT_ENV_COPY_BLOCKS);
  if (spec->far && !spec->copy_blocks && most > least) {
    most = most * (topology->node_ranks - 1) / (topology->ranks - 1);
    if (most < least) most = least;
  }
  return most < 1 || most > INT_MAX ? INT_MAX : (int)most; /* 0: no limit */
}

static mfft_status create(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  mfft_status status;
  p2p *t = calloc(1, sizeof *t);
  if (!t) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", spec->what);
  t->base = (mfft_transfer){.start = start, .wait = wait, .connect = connect, .destroy = destroy, .own_queues = 1};
  t->topology = spec->topology;
  t->window = spec->window;
  t->pull = spec->pull;
  t->element_bytes = spec->element_bytes;
  t->array_offset = spec->window_offset_bytes;
  t->recv_offset = spec->recv_offset_bytes;
  t->copy_blocks = most_blocks(spec);
  mfft_handshake_init(spec->window, spec->what, &t->handshake);
  MFFT_GOTO(fail, fill(t, spec->chunk, spec->lanes));
  if (spec->far) MFFT_GOTO(fail, create_far(t, spec));
  t->base.messages = t->base.far ? t->base.far->messages : 0;
  t->base.sent_bytes = spec->chunk->direct_bytes;
  for (int64_t i = 0; i < spec->chunk->send.count; i++) t->base.sent_bytes += spec->chunk->send.message[i].bytes;
  *transfer = &t->base;
  return MFFT_SUCCESS;
fail:
  destroy(&t->base);
  return status;
}

static mfft_status send_signal(const mfft_topology *topology, const mfft_signal *out) {
  if (out->count) MFFT_TRY(topology->device->send(out, NULL));
  return topology->device->stream_synchronize(NULL);
}

static mfft_status await_signal(const mfft_topology *topology, const mfft_signal *in) {
  int missing = -1;
  if (in->count) MFFT_TRY(topology->device->await(in, "trying transport p2p", &missing, NULL));
  MFFT_TRY(topology->device->stream_synchronize(NULL));
  if (missing < 0) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "a store of rank %d did not arrive; use another transport than p2p", missing);
}

/* Tests the transport: each rank maps a small window of its near peers and exchanges one signal with each. */
static mfft_status probe(const mfft_topology *topology) {
  enum { ARRAY_BYTES = 64 };
  int peer[MFFT_SIGNAL_PEERS], count = 0; /* [count] */
  mfft_status status;
  mfft_window window;
  mfft_signal out, in;
  for (int r = 0; r < topology->ranks && count < MFFT_SIGNAL_PEERS; r++)
    if (topology->near[r]) peer[count++] = r;
  mfft_window_init(topology, &window);
  const int slot = mfft_window_take_slot(&window);
  MFFT_GOTO(done, mfft_window_open(&window, ARRAY_BYTES));
  mfft_window_signal(&window, slot, peer, count, 1, &out);
  mfft_window_signal(&window, slot, peer, count, 0, &in);
  /* Once all ranks have sent their signals, one that is missing will never arrive. */
  MFFT_GOTO(done, mfft_agree(topology->comm, send_signal(topology, &out)));
  status = mfft_agree(topology->comm, await_signal(topology, &in));
done:
  mfft_window_close(&window);
  return status;
}

#define P2P(suffix, to)                                                                                                 \
  {                                                                                                                     \
    .name = "p2p" suffix, .summary = "copies straight between the arrays of ranks of a node, messages to other nodes",  \
    .messages = MFFT_FROM_AREAS, .direct = 1, .probe = probe, .create = create, .far = to, .family = mfft_transport_p2p \
  }
const mfft_transport mfft_transport_p2p[MFFT_FAMILY] = {P2P("", NULL), P2P("+pairwise", &mfft_transport_pairwise),
                                                        P2P("+nccl", &mfft_transport_nccl),
                                                        P2P("+staged", &mfft_transport_staged)};

/* The same copies; messages to other nodes pass through leaders (hierarchical.c). */
const mfft_transport mfft_transport_hierarchical = {
    .name = "hierarchical",
    .summary = "copies between ranks of a node as p2p, and one message for each pair of nodes",
    .messages = MFFT_FROM_AREAS,
    .direct = 1,
    .probe = probe,
    .create = create,
    .far = &mfft_transport_between_nodes,
    .family = mfft_transport_p2p,
};
