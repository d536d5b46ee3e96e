/* transport.h: the mechanisms that carry an exchange.  Other folders use a transport through this header only.
 *
 * A transport makes a transfer of one chunk of a route (dist/transfer.h): an object that can be started and waited for any
 * number of times, and that does not depend on boxes.  Chunks are started in the same sequence on every rank.
 *
 * To add a transport: write its table and add one line to src/dist/registry.c. */
#ifndef MFFT_DIST_TRANSPORT_H
#define MFFT_DIST_TRANSPORT_H

#include <mpi.h>

#include "dist/flow.h"
#include "dist/route.h"
#include "dist/transfer.h"
#include "dist/window.h"

/* The ranks that an exchange connects.  rank[i] is the rank in `comm` of rank i of the plan's communicator; -1: not in
 * the group. */
typedef struct mfft_group {
  MPI_Comm comm;
  int *rank; /* [ranks of the plan] */
} mfft_group;

/* The destinations of a scattered transform: offsets from the start of the arrays in each rank's window. */
typedef struct mfft_shares {
  int count;
  int peer[MFFT_MAX_SHARES];             /* [count] ranks, this rank among them */
  int64_t offset_bytes[MFFT_MAX_SHARES]; /* [count] */
} mfft_shares;

/* Streams for copies that the transfers of a plan share: transfer k uses pair k % count.  Transfers are started in the
 * same sequence on all ranks and wait only for earlier ones; those on one stream therefore cannot deadlock. */
enum { MFFT_MOST_LANES = 16 };
typedef struct mfft_lanes {
  int count, next;                  /* next: transfers created so far; count 0: each transfer has streams of its own */
  void *stream[MFFT_MOST_LANES][2]; /* [count][to peers, here] */
} mfft_lanes;

/* The arguments from which a transfer is created.  "direct:" marks fields of direct transports. */
typedef struct mfft_transfer_spec {
  const mfft_group *group;
  const mfft_chunk *chunk; /* copied by create */
  const char *what;        /* names the exchange in messages of the watchdog */
  const mfft_topology *topology;
  mfft_flow *flow;                  /* queue of transfers of device memory for MPI */
  mfft_window *window;              /* direct: opened after all transfers are created */
  int pull;                         /* direct: data of near peers is loaded by the receiver, not stored by the sender */
  int64_t window_offset_bytes;      /* direct: offset of the array in the window of every rank */
  int64_t recv_offset_bytes;        /* direct: offset of the receive area among the areas of the window */
  const struct mfft_transport *far; /* direct: as in mfft_transport */
  int64_t element_bytes;            /* of the blocks of `chunk` */
  int copy_blocks;                  /* direct: most thread blocks of a copy on a device; 0: MFFT_COPY_BLOCKS */
  mfft_lanes *lanes;                /* direct: shared streams; NULL: none */
  const mfft_shares *shares;        /* copied; a transform stores these shares and nothing is left to copy; NULL: none */
} mfft_transfer_spec;

typedef struct mfft_transport {
  const char *name;
  const char *summary; /* one line for `mergefft info` */
  mfft_messages messages;
  int wants_groups; /* its calls are collective over the group, which should be as small as the exchange allows */
  int direct;       /* copies between arrays of near peers, one of which is in a window */
  int device_only;  /* 1: refuses host memory */
  int stores;       /* direct: can create transfers whose data a transform stores */

  /* Tests whether it works between these ranks with this memory.  Collective; all ranks return the same status.  NULL: it
   * always works. */
  mfft_status (*probe)(const mfft_topology *topology);
  mfft_status (*create)(const mfft_transfer_spec *spec, mfft_transfer **transfer);

  /* Completes open operations of transfers[count] after an execute may have failed, which makes them safe to destroy.
   * Collective over the ranks of the plan, with the same number of transfers on each.  NULL: nothing to do before
   * destroy. */
  mfft_status (*end_collectives)(const mfft_topology *topology, mfft_transfer **transfers, int count);

  /* Only of a `far` whose messages pass through other ranks of the node, and whose create makes a transfer on every rank,
   * even if the rank has no message itself.  Called once when transfers[count] are created.  Decides through which ranks
   * each message goes, and stores in *bytes the memory that it needs in the window of this rank, from `offset_bytes` after
   * the start of its arrays on.  Collective; all ranks fail together.  NULL: messages go from rank to rank. */
  mfft_status (*arrange)(const mfft_topology *topology, mfft_transfer **transfers, int count, int64_t offset_bytes,
                         int64_t *bytes);

  /* Direct transports only.  `far` carries the messages to other nodes (NULL: there are none).  `family` has the same
   * transport alone and with each transport that can be `far`, best first. */
  const struct mfft_transport *far, *family; /* family: [MFFT_FAMILY], the first without `far` */
} mfft_transport;

enum { MFFT_FAMILY = 4 };
extern const mfft_transport mfft_transport_p2p[MFFT_FAMILY], mfft_transport_p2p_store[MFFT_FAMILY];
extern const mfft_transport mfft_transport_hierarchical, mfft_transport_between_nodes;
extern const mfft_transport mfft_transport_pairwise, mfft_transport_alltoallv, mfft_transport_nccl, mfft_transport_staged;

/* Finds a transport by name in the registry.  NULL or "": the value of MFFT_TRANSPORT; if that is empty too, *transport
 * is NULL.  "p2p+nccl" names the transport to other nodes as well.  The error message lists the known names. */
mfft_status mfft_transport_find(const char *name, const mfft_transport **transport);

/* Calls `arrange` of the transport to other nodes, if it has one, for the transfers of an exchange or a plan. */
mfft_status mfft_transport_arrange(const mfft_transport *transport, const mfft_topology *topology, mfft_transfer **transfers,
                                   int count, int64_t offset_bytes, int64_t *bytes);

/* Chooses the transport: `wanted`, or if that is NULL the first of the list that suits the memory and works.  If there
 * are ranks on other nodes, a direct transport gets a `far`: the wanted one, or the first that works.  Collective; all
 * ranks fail together. */
mfft_status mfft_transport_choose(const mfft_topology *topology, const mfft_transport *wanted,
                                  const mfft_transport **transport);

#endif
