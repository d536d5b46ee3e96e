/* window.h: memory of every rank that its near peers have mapped, with the signals between them.
 *
 *     counters [2 * slots] | flags [slots][node_ranks] | arrays | areas for messages
 *
 * A slot is one synchronisation that repeats: the rank at place r of its node raises flag [slot][r] of a peer.  Slots are
 * taken in the same order on every rank before the window is opened. */
#ifndef MFFT_DIST_WINDOW_H
#define MFFT_DIST_WINDOW_H

#include "dist/topology.h"

/* Work that this rank does for others while it waits, as MPI makes progress in calls.  advance does as much of it as is
 * possible now, and stores in *missing a rank that it waits for, or -1 if the work is done; it is then not called again. */
typedef struct mfft_progress {
  struct mfft_progress *next;
  mfft_status (*advance)(void *subject, int *missing);
  void *subject;
  int missing; /* of the last advance: -1 once the work is done */
} mfft_progress;

typedef struct mfft_window {
  const mfft_topology *topology;
  int slots;
  int64_t area_offset_bytes;  /* offset of the areas from the start of the arrays; set before transfers connect */
  int opened;                 /* opening was tried, on all ranks: closing is collective too */
  void *base;                 /* start of this rank's memory */
  void **peer;                /* [ranks] start of the memory of near peers; NULL for other ranks */
  mfft_progress *progress;    /* work that is not done; every wait for a signal advances it */
  struct mfft_beside *beside; /* of device memory: a window in host memory beside it; NULL: none */
  void **seen;                /* [ranks] such a window's addresses for the device; NULL: those of the host */
} mfft_window;

void mfft_window_init(const mfft_topology *topology, mfft_window *window);
int mfft_window_take_slot(mfft_window *window);

/* Allocates `bytes` for arrays and areas on this rank (the number may differ between ranks) and maps the memory of the
 * peers.  Collective; all ranks fail together, and mfft_window_close must follow in either case. */
mfft_status mfft_window_open(mfft_window *window, size_t bytes);
void mfft_window_close(mfft_window *window); /* collective; accepts one that was not opened; it may be opened again */

/* Start of the arrays of this rank or of a near peer, for the host or the device whose memory it is. */
void *mfft_window_arrays(const mfft_window *window, int rank);

/* The window for messages that pass through other ranks of the node, which MPI must reach: this window, or beside one of
 * device memory another in host memory.  The first call makes that one, not collectively; mfft_window_close closes it. */
mfft_status mfft_window_in_host_memory(mfft_window *window, mfft_window **found);

/* Opens such a window with bytes [node_ranks] for the arrays of each rank of the node, and maps them into the address space
 * of the device too.  Collective; all ranks fail together. */
mfft_status mfft_window_open_beside(mfft_window *found, const int64_t *bytes);

/* As mfft_window_arrays, at the address that copies of the device use. */
void *mfft_window_seen(const mfft_window *window, int rank);

/* Adds work to that which mfft_window_serve advances.  It exists until it is done, and may not be added twice. */
void mfft_window_add_progress(mfft_window *window, mfft_progress *progress);
mfft_status mfft_window_serve(mfft_window *window);

/* Fills in one direction of a slot: with `sends` the flags that this rank raises at its peers, otherwise the flags here
 * that it waits for. */
void mfft_window_signal(const mfft_window *window, int slot, const int *peer, int count, int sends, mfft_signal *signal);

#endif
