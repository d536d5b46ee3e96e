/* topology.h: who shares a node with whom, and the device whose memory exchanges move. */
#ifndef MFFT_DIST_TOPOLOGY_H
#define MFFT_DIST_TOPOLOGY_H

#include <mpi.h>

#include "base/status.h"
#include "local/device.h"

typedef struct mfft_topology {
  MPI_Comm comm; /* the ranks of the plan */
  int rank, ranks;
  const mfft_device *device;
  int host_memory;           /* arrays are host memory, and calls on the device block */
  unsigned char *near;       /* [ranks] 1: another rank of this node */
  int node_rank, node_ranks; /* this rank among those of its node, and how many these are */
  int host_rank; /* this rank among those of its host, which MFFT_NODE_RANKS may cut into nodes: chooses its device */
} mfft_topology;

/* Finds the nodes of the communicator (MPI_Comm_split_type; MFFT_NODE_RANKS cuts them further, for tests) and proposes this
 * rank's device.  Collective; all ranks fail together. */
mfft_status mfft_topology_make(MPI_Comm comm, mfft_topology *topology);
void mfft_topology_free(mfft_topology *topology); /* accepts a zeroed one */

/* The least length of a run that is sent by itself: MFFT_RUN_BYTES, else what pays for this memory. */
int64_t mfft_topology_run_bytes(const mfft_topology *topology);

/* How many chunks pay for an array of so many bytes; of device memory no more than `most`. */
enum { MFFT_DEVICE_CHUNKS = 8 }; /* along one axis */
int mfft_topology_chunks(const mfft_topology *topology, double bytes, int most);

/* How many ranks use the card of a lower one.  Collective. */
mfft_status mfft_topology_sharing(const mfft_topology *topology, int *sharing);

/* One warning on stderr where ranks of a node share a card.  Collective. */
mfft_status mfft_topology_warn_shared(const mfft_topology *topology);

#endif
