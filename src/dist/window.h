/* window.h: one piece of memory of every rank that its near peers have mapped, and the signals between them.
 *
 *     counters [2 * slots] | flags [slots][ranks] | room for arrays | room for messages
 *
 * A slot is one synchronisation that repeats: rank r raises flag [slot][r] of a peer.  Slots are taken in the same order on
 * every rank before the window is opened. */
#ifndef MFFT_DIST_WINDOW_H
#define MFFT_DIST_WINDOW_H

#include "dist/topology.h"

typedef struct mfft_window {
  const mfft_topology *topology;
  int slots;
  int64_t area_offset_bytes; /* of the room for messages behind that for arrays; set before transfers connect */
  int opened;                /* tried to, on all ranks: closing is collective too */
  void *base;                /* of the whole, here */
  void **peer;               /* [ranks] the same of near peers, NULL of others */
} mfft_window;

void mfft_window_init(const mfft_topology *topology, mfft_window *window);
int mfft_window_take_slot(mfft_window *window);

/* Allocates room for `bytes` of arrays here (they may differ from rank to rank) and maps the peers'.  Collective; all ranks
 * fail together, and close must follow either way. */
mfft_status mfft_window_open(mfft_window *window, size_t bytes);
void mfft_window_close(mfft_window *window); /* collective; accepts one that was not opened */

/* The room for arrays, of this rank or of a near peer. */
void *mfft_window_room(const mfft_window *window, int rank);

/* Both ends of a slot: flags to raise at the peers, flags to wait for here. */
void mfft_window_signal(const mfft_window *window, int slot, const int *peer, int count, int sends, mfft_signal *signal);

#endif
