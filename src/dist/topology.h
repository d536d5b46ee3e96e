/* topology.h: which ranks share a node, and the device whose memory exchanges move. */
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
  unsigned char *near_first; /* [ranks] the same for rank 0, whose routes all ranks evaluate to choose alike */
  int node_rank, node_ranks; /* this rank among those of its node, and how many these are */
  int *node_place;           /* [ranks] node_rank of those of this node, -1 of others */
  int *node_of;              /* [ranks] the lowest rank of the node of each */
  MPI_Comm node;             /* the ranks of this node, in their order */
  int host_rank; /* index of this rank on its host, which selects its device; MFFT_NODE_RANKS may divide a host into nodes */
} mfft_topology;

/* Finds the nodes of the communicator (MPI_Comm_split_type; MFFT_NODE_RANKS divides them further, for tests) and the rank
 * that selects this rank's device.  Collective; all ranks fail together. */
mfft_status mfft_topology_make(MPI_Comm comm, mfft_topology *topology);
void mfft_topology_free(mfft_topology *topology); /* accepts a zeroed one */

/* Sizes of exchanges between devices, as measured on H200 (docs/lab/several-gpus.md).  A message
 * costs 4 us besides its bytes, in which the device packs or unpacks 8 MiB.  Chunks overlap the work before and after an
 * exchange but for the first and the last, and each costs launches and signals. */
enum {
  MFFT_DEVICE_RUN_BYTES = 8 << 20,        /* least length of a run that is sent without packing */
  MFFT_DEVICE_CHUNK_BYTES = 128 << 20,    /* of an exchange */
  MFFT_DEVICE_CHUNKS = 8,                 /* most chunks along one axis */
  MFFT_DEVICE_CHUNKS_OF_TWO_AXES = 12,    /* most chunks where both ends are divided, each along an axis of its own */
  MFFT_DEVICE_BLOCKS_BESIDE_MESSAGES = 16 /* least thread blocks of a copy beside messages to other nodes */
};

/* The least length in bytes of a contiguous run that is sent without packing: MFFT_RUN_BYTES, or the default for this
 * memory. */
int64_t mfft_topology_run_bytes(const mfft_topology *topology);

/* The number of chunks that pays for an array of `bytes` bytes; at most `most` for device memory. */
int mfft_topology_chunks(const mfft_topology *topology, double bytes, int most);

/* The number of ranks that use the same GPU as a lower rank.  Collective. */
mfft_status mfft_topology_sharing(const mfft_topology *topology, int *sharing);

/* Warns once on stderr if ranks of a node share a GPU.  Collective. */
mfft_status mfft_topology_warn_shared(const mfft_topology *topology);

#endif
