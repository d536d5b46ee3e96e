/* transport.h: the mechanisms that carry an exchange.  The only door to each of them.
 *
 * A transport turns one chunk of a route into a transfer (dist/transfer.h): an object that can be started and waited for,
 * any number of times, and that knows nothing of boxes.  Chunks are started in the same order on every rank.
 *
 * To add a transport: write the table, add one line to src/dist/registry.c. */
#ifndef MFFT_DIST_TRANSPORT_H
#define MFFT_DIST_TRANSPORT_H

#include <mpi.h>

#include "dist/flow.h"
#include "dist/route.h"
#include "dist/transfer.h"
#include "dist/window.h"

/* The ranks that an exchange connects.  rank[i] is the rank in `comm` of rank i of the plan's communicator, -1 outside. */
typedef struct mfft_group {
  MPI_Comm comm;
  int *rank; /* [ranks of the plan] */
} mfft_group;

/* Where the shares of a scattered transform go: bytes from the room for arrays of each rank's window. */
typedef struct mfft_shares {
  int count;
  int peer[MFFT_MAX_SHARES];             /* [count] this rank among them */
  int64_t offset_bytes[MFFT_MAX_SHARES]; /* [count] */
} mfft_shares;

/* Queues for copies that the transfers of a plan share: transfer k takes pair k % count.  Transfers are started in one order
 * on all ranks and wait for earlier ones alone, so those of one queue never wait for each other in a circle. */
enum { MFFT_MOST_LANES = 16 };
typedef struct mfft_lanes {
  int count, next;                  /* 0: each transfer has queues of its own */
  void *stream[MFFT_MOST_LANES][2]; /* [count][to peers, here] */
} mfft_lanes;

/* What a transfer is made from. */
typedef struct mfft_transfer_spec {
  const mfft_group *group;
  const mfft_chunk *chunk; /* copied */
  const char *what;        /* names the exchange in messages of the watchdog */
  const mfft_topology *topology;
  mfft_flow *flow;             /* where transfers of device memory queue for MPI */
  mfft_window *window;         /* of direct transports; opened after all transfers are made */
  int pull;                    /* direct: near parts are fetched from the sender's window, not stored into the receiver's */
  int64_t window_offset_bytes; /* direct: of the array there in the window of every rank */
  int64_t recv_offset_bytes;   /* direct: of the receive area in the areas of the window */
  const struct mfft_transport *far; /* direct: as in mfft_transport */
  int64_t element_bytes;            /* of the blocks of `chunk` */
  int copy_blocks;                  /* direct: most thread blocks of a copy on a device; 0: MFFT_COPY_BLOCKS */
  mfft_lanes *lanes;                /* direct: NULL: none are shared */
  const mfft_shares *shares;        /* copied; a transform stores them, and nothing is left to copy.  NULL: none does */
} mfft_transfer_spec;

typedef struct mfft_transport {
  const char *name;
  const char *summary; /* one line for `mergefft info` */
  mfft_messages messages;
  int wants_groups; /* its calls are collective over the group: give it as small a one as the exchange allows */
  int direct;       /* copies from array to array where peers are near, one of the two in the window */
  int device_only;  /* of no use to host memory */
  int stores;       /* of a direct one: takes transfers whose stores a transform makes */

  /* Whether it works between these ranks and this memory, tried out.  Collective; all ranks answer alike.  NULL: yes. */
  mfft_status (*probe)(const mfft_topology *topology);
  mfft_status (*create)(const mfft_transfer_spec *spec, mfft_transfer **transfer);

  /* Ends what is open of transfers[count], where an execute may have failed, so that they can be destroyed.  Collective over
   * the ranks of the plan, with as many transfers on each.  NULL: destroying them does all that. */
  mfft_status (*settle)(const mfft_topology *topology, mfft_transfer **transfers, int count);

  /* Of a direct one: who carries messages to other nodes, NULL where nobody is far; and the same transport alone and with
   * each that can, best first. */
  const struct mfft_transport *far, *family; /* family: [MFFT_FAMILY] the first of them alone */
} mfft_transport;

enum { MFFT_FAMILY = 4 };
extern const mfft_transport mfft_transport_p2p[MFFT_FAMILY], mfft_transport_p2p_store[MFFT_FAMILY];
extern const mfft_transport mfft_transport_pairwise, mfft_transport_alltoallv, mfft_transport_nccl, mfft_transport_staged;

/* The registry.  By name; NULL or "": MFFT_TRANSPORT, or NULL where that is empty too.  "p2p+nccl" names the one to other
 * nodes as well. The error lists the known names. */
mfft_status mfft_transport_find(const char *name, const mfft_transport **transport);

/* The transport to use: `wanted`, or where it is NULL the first of the list that is made for the memory and works.  A direct
 * one has `far` where ranks of other nodes are, the first that works where none is wanted.  Collective; all ranks fail
 * together. */
mfft_status mfft_transport_choose(const mfft_topology *topology, const mfft_transport *wanted,
                                  const mfft_transport **transport);

#endif
