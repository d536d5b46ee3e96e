/* pairwise.c: the transports of nonblocking MPI messages.  All receives of a chunk are posted, then all sends; the wait
 * comes after other chunks have been packed, sent or transformed.
 *
 * Messages of host memory are posted at once, messages of device memory when the stream has reached them (flow.h):
 * directly where MPI can access device memory, or through pinned host memory ("staged"), with one area for sends and one
 * for receives. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "comm/mpi_status.h"
#include "comm/watchdog.h"
#include "dist/mpi_device_memory.h"
#include "dist/requests.h"
#include "dist/transport.h"

/* MPI counts are ints; longer messages go in several.  So short that the watchdog sees one arrive now and then over a link
 * of 10 MB/s, and long enough that a fast one does not notice. */
static const int64_t longest_message = (int64_t)1 << 26;

typedef struct pairwise {
  mfft_transfer base;
  mfft_flow_item item; /* queue entry; device memory only */
  mfft_flow *flow;     /* NULL: host memory */
  const mfft_device *device;
  MPI_Comm comm;
  mfft_message *message; /* [receives + sends] peer is a rank of comm, at most longest_message bytes each */
  int receives, count;
  int64_t received_bytes;
  MPI_Request *request; /* [count] */
  int *peer;            /* [count] */
  mfft_ends ends;       /* memory of the start in progress */
  char *staging;        /* pinned; NULL: messages use the arrays and areas themselves */
  int64_t *staged_at;   /* [count] offset of message i in staging, in bytes */
  int open;             /* requests with a lower index are complete */
  char what[64];
} pairwise;

static char *message_data(const pairwise *t, int i) {
  const mfft_message *m = &t->message[i];
  return (i < t->receives ? (char *)t->ends.to[m->where] : (char *)(uintptr_t)t->ends.from[m->where]) + m->offset_bytes;
}

static mfft_status post(pairwise *t) {
  for (int i = 0; i < t->count; i++) {
    const mfft_message *m = &t->message[i];
    char *data = t->staging ? t->staging + t->staged_at[i] : message_data(t, i);
    if (i < t->receives)
      MFFT_MPI_TRY(MPI_Irecv(data, (int)m->bytes, MPI_BYTE, m->peer, 0, t->comm, &t->request[i]));
    else
      MFFT_MPI_TRY(MPI_Isend(data, (int)m->bytes, MPI_BYTE, m->peer, 0, t->comm, &t->request[i]));
  }
  return MFFT_SUCCESS;
}

static mfft_status post_item(mfft_flow_item *item) { return post((pairwise *)((char *)item - offsetof(pairwise, item))); }

/* Copies messages [first, end) between pinned memory and the device, in their direction. */
static mfft_status stage(const pairwise *t, int first, int end, void *stream) {
  for (int i = first; t->staging && i < end; i++) {
    char *pinned = t->staging + t->staged_at[i], *data = message_data(t, i);
    int arrives = i < t->receives;
    MFFT_TRY(t->device->copy_bytes(arrives ? data : pinned, arrives ? pinned : data, (size_t)t->message[i].bytes, stream));
  }
  return MFFT_SUCCESS;
}

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  pairwise *t = (pairwise *)transfer;
  t->ends = *ends;
  t->open = 0;
  if (!t->flow) return post(t);
  if (!t->count) return MFFT_SUCCESS; /* an empty transfer is never waited for, so it would stay in the queue */
  MFFT_TRY(stage(t, t->receives, t->count, stream));
  return mfft_flow_start(t->flow, t->device, &t->item, stream);
}

/* Open MPI queues the acknowledgements of many long messages and sends them whenever it is called.  A rank that starts a
 * transform as soon as its own requests are done delays them, and its peer waits until the transform ends.  Hence some
 * more calls, for a few percent of the time in which the bytes are transformed: US_OF_LEAST for each LEAST_BYTES, and at
 * most MOST_US, since where ranks outnumber the cores each call may yield the core to another process for milliseconds.  The
 * transform of fewer bytes than LEAST_BYTES is over sooner than one such call (docs/exchanges.md). */
static mfft_status poll_longer(const pairwise *t) {
  enum { LEAST_BYTES = 64 << 10, US_OF_LEAST = 2, MOST_US = 100 };
  if (t->received_bytes < LEAST_BYTES) return MFFT_SUCCESS;
  const int64_t us = US_OF_LEAST * (t->received_bytes / LEAST_BYTES);
  const double end = MPI_Wtime() + 1e-6 * (double)(us < MOST_US ? us : MOST_US);
  for (int i = 0, flag; i < 64 + 4 * t->receives && MPI_Wtime() < end; i++)
    MFFT_MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, MPI_STATUS_IGNORE));
  return MFFT_SUCCESS;
}

/* Tests whether all messages of a transfer of device memory are complete. */
static mfft_status is_through(void *subject, int *missing) {
  pairwise *t = subject;
  MFFT_TRY(mfft_flow_advance(t->flow, t->device));
  *missing = t->item.queued ? t->peer[0] : -1;
  while (*missing < 0 && t->open < t->count) {
    int done;
    MFFT_MPI_TRY(MPI_Test(&t->request[t->open], &done, MPI_STATUS_IGNORE));
    if (done)
      t->open++;
    else
      *missing = t->peer[t->open];
  }
  return MFFT_SUCCESS;
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  pairwise *t = (pairwise *)transfer;
  if (t->flow) {
    MFFT_TRY(mfft_wait_for(t->comm, is_through, t, t->what));
    return stage(t, 0, t->receives, stream);
  }
  MFFT_TRY(mfft_wait(t->comm, t->request, t->peer, t->count, t->what));
  return poll_longer(t);
}

static void destroy(mfft_transfer *transfer) {
  pairwise *t = (pairwise *)transfer;
  if (!t) return;
  mfft_requests_abandon(t->request, t->count < t->receives ? t->count : t->receives, t->count); /* partly created: fewer */
  if (t->device) {
    t->device->event_destroy(t->item.event);
    t->device->pinned_free(t->staging);
  }
  free(t->message);
  free(t->request);
  free(t->peer);
  free(t->staged_at);
  free(t);
}

static int64_t pieces_of(const mfft_message_list *list) {
  int64_t pieces = 0;
  for (int64_t i = 0; i < list->count; i++) pieces += (list->message[i].bytes + longest_message - 1) / longest_message;
  return pieces;
}

/* Appends the messages of a list and divides long ones; both ends divide alike. */
static void append(pairwise *t, const mfft_group *group, const mfft_message_list *list) {
  for (int64_t i = 0; i < list->count; i++) {
    mfft_message m = list->message[i];
    m.peer = group->rank[m.peer];
    for (int64_t rest = m.bytes; rest > 0; rest -= m.bytes, m.offset_bytes += m.bytes) {
      m.bytes = rest < longest_message ? rest : longest_message;
      t->peer[t->count] = m.peer;
      t->request[t->count] = MPI_REQUEST_NULL;
      t->message[t->count++] = m;
    }
  }
}

/* Creates the event and, for `staged`, the pinned memory of all messages. */
static mfft_status prepare_device(pairwise *t, int staged) {
  MFFT_TRY(t->device->event_create(&t->item.event));
  t->item.post = post_item;
  if (!staged) return MFFT_SUCCESS;
  int64_t bytes = 0;
  for (int i = 0; i < t->count; i++) {
    t->staged_at[i] = bytes;
    bytes += mfft_line_bytes(t->message[i].bytes);
  }
  return t->device->pinned_alloc((size_t)bytes, (void **)&t->staging);
}

static mfft_status create(const mfft_transfer_spec *spec, int staged, mfft_transfer **transfer) {
  mfft_status status;
  const mfft_chunk *chunk = spec->chunk;
  int64_t receives = pieces_of(&chunk->recv), count = receives + pieces_of(&chunk->send);
  if (count > INT32_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s needs %lld messages; use more chunks", spec->what, (long long)count);

  pairwise *t = calloc(1, sizeof *t);
  if (!t) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", spec->what);
  t->base = (mfft_transfer){.start = start, .wait = wait, .destroy = destroy};
  t->comm = spec->group->comm;
  t->receives = (int)receives;
  strncat(t->what, spec->what, sizeof t->what - 1);
  t->message = malloc((size_t)count * sizeof *t->message + 1);
  t->request = malloc((size_t)count * sizeof *t->request + 1);
  t->peer = malloc((size_t)count * sizeof *t->peer + 1);
  t->staged_at = malloc((size_t)count * sizeof *t->staged_at + 1);
  status = t->message && t->request && t->peer && t->staged_at
               ? MFFT_SUCCESS
               : mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld messages of %s", (long long)count, spec->what);
  MFFT_GOTO(fail, status);
  append(t, spec->group, &chunk->recv);
  append(t, spec->group, &chunk->send);
  t->base.messages = t->count - t->receives;
  for (int64_t i = 0; i < chunk->send.count; i++) t->base.sent_bytes += chunk->send.message[i].bytes;
  for (int64_t i = 0; i < chunk->recv.count; i++) t->received_bytes += chunk->recv.message[i].bytes;
  if (!spec->topology->host_memory) {
    t->flow = spec->flow;
    t->device = spec->topology->device;
    MFFT_GOTO(fail, prepare_device(t, staged));
  }
  *transfer = &t->base;
  return MFFT_SUCCESS;
fail:
  destroy(&t->base);
  return status;
}

static mfft_status create_pairwise(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  return create(spec, 0, transfer);
}
static mfft_status create_staged(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  return create(spec, 1, transfer);
}

const mfft_transport mfft_transport_pairwise = {
    .name = "pairwise",
    .summary = "Isend and Irecv, array to array where runs are long, chunks overlap with packing and transforms",
    .probe = mfft_mpi_probe_memory,
    .create = create_pairwise,
};

const mfft_transport mfft_transport_staged = {
    .name = "staged",
    .summary = "as pairwise, through pinned host memory: for MPI that cannot reach the device",
    .messages = MFFT_ONE_A_PEER,
    .device_only = 1,
    .create = create_staged,
};
