/* dynamic.c: see dynamic.h. */
#include "dist/dynamic.h"

#include <stdlib.h>
#include <string.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/mpi_status.h"
#include "comm/watchdog.h"
#include "dist/handshake.h"

struct mfft_dynamic {
  const mfft_topology *topology;
  const mfft_transport *messages; /* to peers that are not near, or to all; NULL: there are none */
  mfft_flow *flow;
  mfft_group group;     /* of all ranks; owns `rank` only */
  int direct;           /* near peers copy from the areas, on all ranks alike */
  int near_count;       /* of ranks in `near_rank` */
  int *near_rank;       /* [near_count] */
  int64_t *offset;      /* [2][ranks] where messages lie in the area of this rank, and in those of the peers, in bytes */
  mfft_message *listed; /* [2][ranks] messages of a transfer */
  mfft_window window;
  mfft_handshake handshake;
  size_t bytes;
  void *area;
  char what[64];
};

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

/* The transport for these messages: two transports cannot carry them, alltoallv since it needs a message for every rank of a
 * group, hierarchical since its memory is fixed when the plan is made. */
static const mfft_transport *message_transport(const mfft_transport *transport) {
  const mfft_transport *messages = transport->direct ? transport->far : transport;
  if (messages == &mfft_transport_alltoallv) return &mfft_transport_pairwise;
  return messages && messages->arrange ? &mfft_transport_staged : messages;
}

static mfft_status allocate(mfft_dynamic *d) {
  const size_t ranks = (size_t)d->topology->ranks;
  d->group.comm = d->topology->comm;
  d->group.rank = malloc(ranks * sizeof *d->group.rank);
  d->near_rank = malloc(ranks * sizeof *d->near_rank);
  d->offset = calloc(2 * ranks, sizeof *d->offset);
  d->listed = calloc(2 * ranks, sizeof *d->listed);
  if (d->group.rank && d->near_rank && d->offset && d->listed) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "no memory for messages of %d ranks", d->topology->ranks);
}

mfft_status mfft_dynamic_create(const mfft_topology *topology, const mfft_transport *transport, mfft_flow *flow,
                                const char *what, mfft_dynamic **dynamic) {
  mfft_dynamic *d = calloc(1, sizeof *d);
  if (!d) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", what);
  d->topology = topology;
  d->flow = flow;
  d->messages = message_transport(transport);
  strncat(d->what, what, sizeof d->what - 1);
  const mfft_status status = allocate(d);
  if (status != MFFT_SUCCESS) {
    mfft_dynamic_destroy(d);
    return status;
  }
  for (int r = 0; r < topology->ranks; r++) {
    d->group.rank[r] = r;
    if (topology->near[r]) d->near_rank[d->near_count++] = r;
  }
  d->direct = transport->direct;
  *dynamic = d;
  return MFFT_SUCCESS;
}

static void release_area(mfft_dynamic *d) {
  if (d->direct)
    mfft_window_close(&d->window);
  else
    d->topology->device->shared_free(d->area);
  d->area = NULL;
  d->bytes = 0;
}

void mfft_dynamic_destroy(mfft_dynamic *d) {
  if (!d) return;
  release_area(d);
  free(d->group.rank);
  free(d->near_rank);
  free(d->offset);
  free(d->listed);
  free(d);
}

/* ---- The area -------------------------------------------------------------------------------------------------------- */

static mfft_status open_window(mfft_dynamic *d, size_t bytes) {
  mfft_window_init(d->topology, &d->window);
  mfft_handshake_init(&d->window, d->what, &d->handshake);
  MFFT_TRY(mfft_window_open(&d->window, bytes));
  mfft_handshake_connect(&d->handshake, d->near_rank, d->near_count, d->near_rank, d->near_count);
  d->area = mfft_window_arrays(&d->window, d->topology->rank);
  return MFFT_SUCCESS;
}

mfft_status mfft_dynamic_reserve(mfft_dynamic *d, size_t bytes, void *stream) {
  mfft_handle unused;
  int most[2] = {!d->area || bytes > d->bytes, d->near_count}; /* whether it grows, near peers: largest of all ranks */
  MFFT_TRY(mfft_collective_allreduce(d->topology->comm, most, 2, MPI_INT, MPI_MAX, d->what));
  if (!most[0]) return MFFT_SUCCESS;
  if (d->direct && most[1] > MFFT_SIGNAL_PEERS) {
    d->direct = 0;
    d->messages = &mfft_transport_staged;
  }
  if (bytes < d->bytes) bytes = d->bytes;
  if (d->bytes) bytes += bytes / 8; /* counts of particles change from step to step */
  MFFT_TRY(mfft_agree(d->topology->comm, d->topology->device->stream_synchronize(stream)));
  release_area(d);
  mfft_status status = d->direct
                           ? open_window(d, bytes)
                           : mfft_agree(d->topology->comm, d->topology->device->shared_alloc(bytes + 1, &d->area, &unused));
  if (status == MFFT_SUCCESS) d->bytes = bytes;
  return status;
}

void *mfft_dynamic_area(const mfft_dynamic *d) { return d->area; }

size_t mfft_dynamic_bytes(const mfft_dynamic *d) { return d->bytes; }

/* ---- Messages -------------------------------------------------------------------------------------------------------- */

static int is_direct(const mfft_dynamic *d, int peer) { return d->direct && d->topology->near[peer]; }

/* Tells each peer where its message lies in the area of this rank. */
static mfft_status swap_offsets(mfft_dynamic *d, const mfft_dynamic_message *send, int sends) {
  MPI_Request request;
  if (!d->direct) return MFFT_SUCCESS;
  for (int i = 0; i < sends; i++) d->offset[send[i].peer] = (char *)send[i].data - (char *)d->area;
  MFFT_MPI_TRY(
      MPI_Ialltoall(d->offset, 1, MPI_INT64_T, d->offset + d->topology->ranks, 1, MPI_INT64_T, d->topology->comm, &request));
  return mfft_wait(d->topology->comm, &request, NULL, 1, d->what);
}

/* Lists the messages that go through no window, by their offsets from `base`. */
static mfft_message_list list_messages(const mfft_dynamic *d, const mfft_dynamic_message *message, int count,
                                       const char *base, mfft_message *listed) {
  mfft_message_list list = {.message = listed};
  for (int i = 0; i < count; i++) {
    const mfft_dynamic_message *m = &message[i];
    if (is_direct(d, m->peer) || !m->bytes) continue;
    listed[list.count++] = (mfft_message){
        .peer = m->peer, .where = MFFT_IN_ARRAY, .offset_bytes = (const char *)m->data - base, .bytes = m->bytes};
  }
  return list;
}

/* The transfer of those messages; *transfer stays NULL if there are none. */
static mfft_status make_transfer(mfft_dynamic *d, const mfft_dynamic_message *recv, int receives,
                                 const mfft_dynamic_message *send, int sends, mfft_ends *ends, mfft_transfer **transfer) {
  mfft_chunk chunk = {.pack = {0}};
  *ends = (mfft_ends){.from = {d->area}, .to = {receives ? recv[0].data : NULL}};
  chunk.send = list_messages(d, send, sends, d->area, d->listed);
  chunk.recv = list_messages(d, recv, receives, ends->to[MFFT_IN_ARRAY], d->listed + d->topology->ranks);
  const mfft_transfer_spec spec = {
      .group = &d->group, .chunk = &chunk, .what = d->what, .topology = d->topology, .flow = d->flow};
  return chunk.send.count + chunk.recv.count ? d->messages->create(&spec, transfer) : MFFT_SUCCESS;
}

/* Copies what near peers send out of their areas. */
static mfft_status copy_near(mfft_dynamic *d, const mfft_dynamic_message *recv, int receives, void *stream) {
  MFFT_TRY(mfft_handshake_await(&d->handshake, &d->handshake.open_there, stream));
  for (int i = 0; i < receives; i++) {
    const char *area = is_direct(d, recv[i].peer) ? mfft_window_arrays(&d->window, recv[i].peer) : NULL;
    if (!area || !recv[i].bytes) continue;
    MFFT_TRY(d->topology->device->copy_bytes(recv[i].data, area + d->offset[d->topology->ranks + recv[i].peer],
                                             (size_t)recv[i].bytes, stream));
  }
  return mfft_handshake_give(&d->handshake, &d->handshake.done_there, stream);
}

static mfft_status move(mfft_dynamic *d, const mfft_dynamic_message *recv, int receives, mfft_transfer *transfer,
                        const mfft_ends *ends, void *stream) {
  if (d->direct) MFFT_TRY(mfft_handshake_give(&d->handshake, &d->handshake.open_here, stream));
  if (transfer) MFFT_TRY(transfer->start(transfer, ends, stream));
  if (d->direct) MFFT_TRY(copy_near(d, recv, receives, stream));
  if (transfer) MFFT_TRY(transfer->wait(transfer, stream));
  if (d->direct) MFFT_TRY(mfft_handshake_await(&d->handshake, &d->handshake.done_here, stream));
  /* A transfer is destroyed before its copies to the device must be complete. */
  return transfer ? d->topology->device->stream_synchronize(stream) : MFFT_SUCCESS;
}

mfft_status mfft_dynamic_move(mfft_dynamic *d, mfft_status mine, const mfft_dynamic_message *recv, int receives,
                              const mfft_dynamic_message *send, int sends, void *stream) {
  mfft_transfer *transfer = NULL;
  mfft_ends ends;
  mfft_status status = mine;
  if (status == MFFT_SUCCESS) status = make_transfer(d, recv, receives, send, sends, &ends, &transfer);
  status = mfft_agree(d->topology->comm, status);
  if (status == MFFT_SUCCESS) status = swap_offsets(d, send, sends);
  if (status == MFFT_SUCCESS) status = move(d, recv, receives, transfer, &ends, stream);
  if (transfer) transfer->destroy(transfer);
  return status;
}
