/* window.c: see window.h. */
#include "dist/window.h"

#include <stdlib.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/mpi_status.h"
#include "dist/failure.h"

enum { ROOM_ALIGN = 4096 };

static size_t header_bytes(const mfft_window *w) {
  size_t bytes = (2 * (size_t)w->slots + (size_t)w->slots * (size_t)w->topology->node_ranks) * sizeof(uint64_t);
  return (bytes + ROOM_ALIGN - 1) / ROOM_ALIGN * ROOM_ALIGN;
}

void mfft_window_init(const mfft_topology *topology, mfft_window *window) { *window = (mfft_window){.topology = topology}; }

int mfft_window_take_slot(mfft_window *window) { return window->slots++; }

static mfft_status map_peers(mfft_window *w, const mfft_handle *handle) {
  for (int r = 0; r < w->topology->ranks; r++) {
    if (!w->topology->near[r]) continue;
    mfft_status status = w->topology->device->shared_open(&handle[w->topology->node_place[r]], &w->peer[r]);
    if (status != MFFT_SUCCESS) return mfft_fail_context(status, "memory of rank %d", r);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_window_open(mfft_window *w, size_t bytes) {
  const mfft_topology *topology = w->topology;
  mfft_status status = MFFT_SUCCESS;
  w->opened = 1;
  mfft_handle mine = {{0}}, *handle = malloc((size_t)topology->node_ranks * sizeof *handle); /* [node_ranks] */
  w->peer = calloc((size_t)topology->ranks, sizeof *w->peer);
  if (!handle || !w->peer) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %d handles", topology->node_ranks);
  if (status == MFFT_SUCCESS) status = topology->device->shared_alloc(header_bytes(w) + bytes, &w->base, &mine);
  MFFT_GOTO(done, mfft_agree(topology->comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(topology->node, &mine, sizeof mine, handle, "sharing handles of memory"));
  status = mfft_agree(topology->comm, map_peers(w, handle));
done:
  free(handle);
  return status;
}

static void close_beside(mfft_window *w);

void mfft_window_close(mfft_window *w) {
  close_beside(w);
  if (!w->opened) return;
  for (int r = 0; w->peer && r < w->topology->ranks; r++) w->topology->device->shared_close(w->peer[r]);
  (void)mfft_collective_barrier(w->topology->comm, "closing a window"); /* no rank frees memory that a peer has mapped */
  /* Without MPI no rank knows whether its peers have unmapped the memory; device memory is then freed only when the
   * process ends. */
  if (!mfft_mpi_is_over() || w->topology->host_memory) w->topology->device->shared_free(w->base);
  free(w->peer);
  *w = (mfft_window){.topology = w->topology, .slots = w->slots, .area_offset_bytes = w->area_offset_bytes};
}

void *mfft_window_arrays(const mfft_window *w, int rank) {
  char *base = rank == w->topology->rank ? w->base : w->peer[rank];
  return base + header_bytes(w);
}

/* ---- Host memory beside device memory ---- */

typedef struct mfft_beside {
  mfft_window window;     /* first member: a window that was found is this one */
  mfft_topology topology; /* a copy, with the lists, of that of the window of device memory; its device is the host */
  const mfft_device *device;
} beside;

static void close_beside(mfft_window *w) {
  beside *b = w->beside;
  if (!b) return;
  for (int r = 0; b->window.seen && r < b->topology.ranks; r++)
    if (b->window.seen[r]) b->device->unmap_host(r == b->topology.rank ? b->window.base : b->window.peer[r]);
  free(b->window.seen);
  mfft_window_close(&b->window);
  free(b);
  w->beside = NULL;
}

mfft_status mfft_window_in_host_memory(mfft_window *w, mfft_window **found) {
  *found = w;
  if (w->topology->host_memory) return MFFT_SUCCESS;
  if (!w->beside) {
    beside *b = calloc(1, sizeof *b);
    if (!b) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a window in host memory");
    b->topology = *w->topology;
    b->device = w->topology->device;
    b->topology.device = &mfft_device_host;
    b->topology.host_memory = 1;
    mfft_window_init(&b->topology, &b->window);
    w->beside = b;
  }
  *found = &w->beside->window;
  return MFFT_SUCCESS;
}

/* A device without map_host accesses all host memory. */
static mfft_status map_for_device(beside *b, const int64_t *bytes) {
  mfft_window *w = &b->window;
  const int here = b->topology.rank;
  if (!b->device->map_host) return MFFT_SUCCESS;
  w->seen = calloc((size_t)b->topology.ranks, sizeof *w->seen);
  if (!w->seen) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d addresses", b->topology.ranks);
  for (int r = 0; r < b->topology.ranks; r++) {
    const int place = b->topology.node_place[r];
    if (place < 0 || !bytes[place]) continue;
    const mfft_status status =
        b->device->map_host(r == here ? w->base : w->peer[r], header_bytes(w) + (size_t)bytes[place], &w->seen[r]);
    if (status != MFFT_SUCCESS) return mfft_fail_context(status, "buffers of rank %d in host memory", r);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_window_open_beside(mfft_window *found, const int64_t *bytes) {
  beside *b = (beside *)found;
  MFFT_TRY(mfft_window_open(found, (size_t)bytes[b->topology.node_rank]));
  return mfft_agree(b->topology.comm, map_for_device(b, bytes));
}

void *mfft_window_seen(const mfft_window *w, int rank) {
  return w->seen ? (char *)w->seen[rank] + header_bytes(w) : mfft_window_arrays(w, rank);
}

/* ---- Duties and signals ---- */

void mfft_window_add_progress(mfft_window *w, mfft_progress *progress) {
  mfft_progress **end = &w->progress;
  while (*end) end = &(*end)->next;
  progress->next = NULL;
  *end = progress;
}

mfft_status mfft_window_serve(mfft_window *w) {
  for (mfft_progress **at = &w->progress; *at;) {
    MFFT_TRY((*at)->advance((*at)->subject, &(*at)->missing));
    if ((*at)->missing < 0)
      *at = (*at)->next;
    else
      at = &(*at)->next;
  }
  return MFFT_SUCCESS;
}

void mfft_window_signal(const mfft_window *w, int slot, const int *peer, int count, int sends, mfft_signal *signal) {
  const mfft_topology *here = w->topology;
  signal->counter = (uint64_t *)w->base + 2 * slot + (sends ? 0 : 1);
  signal->count = count;
  signal->failed = mfft_failure_flag(w->topology->comm);
  for (int i = 0; i < count; i++) {
    uint64_t *base = sends ? w->peer[peer[i]] : w->base;
    signal->peer[i] = peer[i];
    signal->flag[i] =
        base + 2 * w->slots + (int64_t)slot * here->node_ranks + (sends ? here->node_rank : here->node_place[peer[i]]);
  }
}
