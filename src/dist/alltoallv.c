/* alltoallv.c: the transport that exchanges each chunk by one MPI_Ialltoallv.
 *
 * Counts and displacements of MPI_Alltoallv are ints.  Segments of the areas begin at multiples of 64 bytes
 * (dist/route.c), so both are given in units of 64 bytes, which reaches 128 GiB for each area; the padding after a
 * segment is sent too.  Messages are sent from, or received in, the array itself if all messages of that side are whole
 * units of it. */
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/mpi_status.h"
#include "comm/watchdog.h"
#include "dist/mpi_device_memory.h"
#include "dist/transport.h"

enum { UNIT_BYTES = MFFT_LINE_BYTES };

typedef struct alltoallv {
  mfft_transfer base;
  mfft_flow_item item; /* queue entry; device memory only */
  mfft_flow *flow;     /* NULL: host memory */
  const mfft_device *device;
  mfft_ends ends;     /* memory of the start in progress */
  MPI_Comm comm, all; /* comm: of the group; all: of the plan, for waits */
  MPI_Datatype unit;
  MPI_Request request;
  int64_t posted;             /* calls of MPI_Ialltoallv so far */
  mfft_where where[2];        /* [send, receive] array or area, the same for all messages of a side */
  int receives;               /* whether this rank receives anything */
  int *counts[2], *displs[2]; /* [send, receive][ranks of comm] in units */
  char what[64];
} alltoallv;

static mfft_status post(alltoallv *t) {
  /* Open MPI interprets equal pointers as MPI_IN_PLACE even if one side is empty and its pointer is not used. */
  static char nothing[2];
  const void *from = t->base.sent_bytes ? t->ends.from[t->where[0]] : &nothing[0];
  void *to = t->receives ? t->ends.to[t->where[1]] : &nothing[1];
  MFFT_MPI_TRY(MPI_Ialltoallv(from, t->counts[0], t->displs[0], t->unit, to, t->counts[1], t->displs[1], t->unit, t->comm,
                              &t->request));
  t->posted++;
  return MFFT_SUCCESS;
}

static mfft_status post_item(mfft_flow_item *item) { return post((alltoallv *)((char *)item - offsetof(alltoallv, item))); }

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  alltoallv *t = (alltoallv *)transfer;
  t->ends = *ends;
  if (!t->flow) return post(t);
  return mfft_flow_start(t->flow, t->device, &t->item, stream);
}

static mfft_status is_posted(void *subject, int *missing) {
  alltoallv *t = subject;
  *missing = -1;
  MFFT_TRY(mfft_flow_advance(t->flow, t->device));
  if (t->item.queued) MPI_Comm_rank(t->all, missing); /* waits for its own stream */
  return MFFT_SUCCESS;
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  alltoallv *t = (alltoallv *)transfer;
  (void)stream;
  if (t->flow) MFFT_TRY(mfft_wait_for(t->all, is_posted, t, t->what));
  return mfft_wait(t->all, &t->request, NULL, 1, t->what);
}

/* ---- After a failure: complete calls that only some ranks of a group have made ---- */

static size_t extent(const alltoallv *t, int end) {
  int ranks, most = 0;
  MPI_Comm_size(t->comm, &ranks);
  for (int r = 0; r < ranks; r++)
    if (t->displs[end][r] + t->counts[end][r] > most) most = t->displs[end][r] + t->counts[end][r];
  return (size_t)most * UNIT_BYTES;
}

/* Allocates memory that every call this rank has not made can send from and receive into: unused [send, receive]. */
static mfft_status allocate_unused(mfft_transfer **transfer, const int64_t *most, int count, void *unused[2]) {
  for (int end = 0; end < 2; end++) {
    size_t bytes = 1;
    for (int i = 0; i < count; i++) {
      const alltoallv *t = (alltoallv *)transfer[i];
      if (t->posted < most[i] && extent(t, end) > bytes) bytes = extent(t, end);
    }
    unused[end] = calloc(bytes, 1);
    if (!unused[end]) return mfft_fail(MFFT_ERR_MEMORY, "no memory to end an exchange: %zu bytes", bytes);
  }
  return MFFT_SUCCESS;
}

/* A collective call cannot be cancelled: ranks that have not made it make it now with unused memory, and all ranks wait. */
static mfft_status end_collectives(const mfft_topology *topology, mfft_transfer **transfer, int count) {
  int64_t *most = malloc(((size_t)count + 1) * sizeof *most); /* [count] number of calls, maximum over the ranks */
  void *unused[2] = {NULL, NULL};                             /* [send, receive] */
  mfft_status status = most ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d counts", count);
  MFFT_GOTO(done, mfft_agree(topology->comm, status));
  for (int i = 0; i < count; i++) most[i] = ((alltoallv *)transfer[i])->posted;
  MFFT_GOTO(done, mfft_collective_allreduce(topology->comm, most, count, MPI_INT64_T, MPI_MAX, "ending exchanges"));
  MFFT_GOTO(done, mfft_agree(topology->comm, allocate_unused(transfer, most, count, unused)));
  for (int i = 0; i < count && status == MFFT_SUCCESS; i++) {
    alltoallv *t = (alltoallv *)transfer[i];
    if (t->posted == most[i]) continue;
    t->ends = (mfft_ends){{unused[0], unused[0]}, {unused[1], unused[1]}};
    status = post(t);
  }
  for (int i = 0; i < count && status == MFFT_SUCCESS; i++) {
    alltoallv *t = (alltoallv *)transfer[i];
    status = mfft_wait(topology->comm, &t->request, NULL, 1, t->what);
  }
done:
  free(most);
  if (status == MFFT_SUCCESS || !unused[1]) /* after a failure MPI may still write into it */
    for (int end = 0; end < 2; end++) free(unused[end]);
  return status;
}

static void destroy(mfft_transfer *transfer) {
  alltoallv *t = (alltoallv *)transfer;
  if (!t) return;
  for (int end = 0; end < 2; end++) {
    free(t->counts[end]);
    free(t->displs[end]);
  }
  if (t->unit != MPI_DATATYPE_NULL && !mfft_mpi_is_over()) MPI_Type_free(&t->unit);
  if (t->device) t->device->event_destroy(t->item.event);
  free(t);
}

static mfft_status fill(alltoallv *t, int end, const mfft_group *group, const mfft_message_list *list) {
  for (int64_t i = 0; i < list->count; i++) {
    const mfft_message *m = &list->message[i];
    t->where[end] = m->where;
    int64_t count = (m->bytes + UNIT_BYTES - 1) / UNIT_BYTES, displacement = m->offset_bytes / UNIT_BYTES;
    if (displacement + count > INT_MAX)
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "%s: an area of %lld bytes is too long for MPI_Alltoallv; use transport pairwise", t->what,
                       (long long)(m->offset_bytes + m->bytes));
    t->counts[end][group->rank[m->peer]] = (int)count;
    t->displs[end][group->rank[m->peer]] = (int)displacement;
  }
  return MFFT_SUCCESS;
}

static mfft_status create(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  mfft_status status;
  const mfft_group *group = spec->group;
  const mfft_chunk *chunk = spec->chunk;
  const char *what = spec->what;
  int ranks;
  MPI_Comm_size(group->comm, &ranks);
  alltoallv *t = calloc(1, sizeof *t);
  if (!t) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", what);
  t->base = (mfft_transfer){.start = start, .wait = wait, .destroy = destroy};
  t->comm = group->comm;
  t->all = spec->topology->comm;
  t->request = MPI_REQUEST_NULL;
  t->receives = chunk->recv.count > 0;
  t->unit = MPI_DATATYPE_NULL;
  t->item.post = post_item;
  strncat(t->what, what, sizeof t->what - 1);
  for (int end = 0; end < 2; end++) {
    t->counts[end] = calloc((size_t)ranks, sizeof(int));
    t->displs[end] = calloc((size_t)ranks, sizeof(int));
    if (!t->counts[end] || !t->displs[end]) {
      status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the counts of %s", what);
      goto fail;
    }
  }
  MFFT_GOTO(fail, mfft_mpi_status(MPI_Type_contiguous(UNIT_BYTES, MPI_BYTE, &t->unit), "MPI_Type_contiguous"));
  MFFT_GOTO(fail, mfft_mpi_status(MPI_Type_commit(&t->unit), "MPI_Type_commit"));
  MFFT_GOTO(fail, fill(t, 0, group, &chunk->send));
  MFFT_GOTO(fail, fill(t, 1, group, &chunk->recv));
  t->base.messages = chunk->send.count;
  for (int64_t i = 0; i < chunk->send.count; i++) t->base.sent_bytes += chunk->send.message[i].bytes;
  if (!spec->topology->host_memory) {
    t->flow = spec->flow;
    t->device = spec->topology->device;
    MFFT_GOTO(fail, t->device->event_create(&t->item.event));
  }
  *transfer = &t->base;
  return MFFT_SUCCESS;
fail:
  destroy(&t->base);
  return status;
}

const mfft_transport mfft_transport_alltoallv = {
    .name = "alltoallv",
    .summary = "one collective call for each chunk, everything packed",
    .messages = MFFT_FROM_ONE_BUFFER,
    .wants_groups = 1,
    .probe = mfft_mpi_probe_memory,
    .create = create,
    .end_collectives = end_collectives,
};
