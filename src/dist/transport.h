/* transport.h: the mechanisms that carry an exchange.  The only door to each of them.
 *
 * A transport turns one chunk of a route into a transfer (core/program.h): an object that can be started and waited for, any
 * number of times, and that knows nothing of boxes.  Chunks are started in the same order on every rank.
 *
 * To add a transport: write the table, add one line to the list in transport.c. */
#ifndef MFFT_DIST_TRANSPORT_H
#define MFFT_DIST_TRANSPORT_H

#include <mpi.h>

#include "core/program.h"
#include "dist/route.h"

/* The ranks that an exchange connects.  rank[i] is the rank in `comm` of rank i of the plan's communicator, -1 outside. */
typedef struct mfft_group {
  MPI_Comm comm;
  int *rank; /* [ranks of the plan] */
} mfft_group;

typedef struct mfft_transport {
  const char *name;
  const char *summary; /* one line for `mergefft info` */
  int one_message;     /* wants one message a peer, from and to the areas; see dist/route.h */
  int wants_groups;    /* its calls are collective over the group: give it as small a one as the exchange allows */

  /* `chunk` is copied; `what` names the exchange in messages of the watchdog. */
  mfft_status (*create)(const mfft_group *group, const mfft_chunk *chunk, const char *what, mfft_transfer **transfer);
} mfft_transport;

extern const mfft_transport mfft_transport_pairwise, mfft_transport_alltoallv;

/* By name; NULL or "": MFFT_TRANSPORT, else the first of the list.  The error lists the known names. */
mfft_status mfft_transport_find(const char *name, const mfft_transport **transport);

#endif
