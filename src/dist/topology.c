/* topology.c: finds the nodes with MPI_COMM_TYPE_SHARED. */
#include "dist/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/log.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/learn_host_names.h"
#include "comm/mpi_status.h"

/* The lowest rank of this rank's node names the node. */
static mfft_status node_of(MPI_Comm comm, int rank, int *host_rank, int *node, MPI_Comm *here) {
  MPI_Comm host;
  const double most_ranks = mfft_env_number(MFFT_ENV_NODE_RANKS);
  int most = most_ranks < INT_MAX ? (int)most_ranks : INT_MAX;
  MFFT_MPI_TRY(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host));
  MPI_Comm_rank(host, host_rank);
  int code = MPI_Comm_split(host, most > 0 ? *host_rank / most : 0, rank, here);
  MPI_Comm_free(&host);
  MFFT_TRY(mfft_mpi_status(code, "MPI_Comm_split"));
  MFFT_MPI_TRY(MPI_Comm_set_errhandler(*here, MPI_ERRORS_RETURN));
  *node = rank;
  return mfft_collective_allreduce(*here, node, 1, MPI_INT, MPI_MIN, "naming nodes");
}

mfft_status mfft_topology_make(MPI_Comm comm, mfft_topology *topology) {
  mfft_status status;
  *topology = (mfft_topology){.comm = comm, .node = MPI_COMM_NULL};
  MPI_Comm_rank(comm, &topology->rank);
  MPI_Comm_size(comm, &topology->ranks);
  int mine = 0;
  topology->node_of = malloc((size_t)topology->ranks * sizeof *topology->node_of);
  topology->near = calloc((size_t)topology->ranks, 1);
  topology->near_first = calloc((size_t)topology->ranks, 1);
  topology->node_place = malloc((size_t)topology->ranks * sizeof *topology->node_place);
  status = topology->node_of && topology->near && topology->near_first && topology->node_place
               ? MFFT_SUCCESS
               : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d ranks", topology->ranks);
  MFFT_GOTO(done, mfft_agree(comm, status));
  MFFT_GOTO(done, mfft_host_names_learn(comm));
  MFFT_GOTO(done, node_of(comm, topology->rank, &topology->host_rank, &mine, &topology->node));
  MFFT_GOTO(done, mfft_collective_allgather(comm, &mine, sizeof mine, topology->node_of, "finding nodes"));
  for (int r = 0; r < topology->ranks; r++) {
    topology->near_first[r] = r && topology->node_of[r] == topology->node_of[0];
    topology->node_place[r] = topology->node_of[r] == mine ? topology->node_ranks++ : -1;
    if (topology->node_of[r] != mine) continue;
    topology->node_rank += r < topology->rank;
    topology->near[r] = r != topology->rank;
  }
done:
  return status;
}

void mfft_topology_free(mfft_topology *topology) {
  if (topology->near) mfft_comm_free(&topology->node); /* a zeroed one has no communicator either */
  free(topology->near);
  free(topology->near_first);
  free(topology->node_place);
  free(topology->node_of);
  topology->near = NULL;
  topology->near_first = NULL;
  topology->node_of = NULL;
  topology->node_place = NULL;
}

int64_t mfft_topology_run_bytes(const mfft_topology *topology) {
  enum { HOST_RUN_BYTES = 32 << 10 }; /* between processors a message costs little besides its bytes */
  const int64_t wanted = (int64_t)mfft_env_number(MFFT_ENV_RUN_BYTES);
  return wanted ? wanted : topology->host_memory ? HOST_RUN_BYTES : MFFT_DEVICE_RUN_BYTES;
}

/* Chunks of host memory should fit a cache. */
int mfft_topology_chunks(const mfft_topology *topology, double bytes, int most) {
  enum { HOST_CHUNKS = 16 };
  const int host = topology->host_memory, limit = host ? HOST_CHUNKS : most;
  const double chunks = bytes / (host ? mfft_env_number(MFFT_ENV_CHUNK_BYTES) : MFFT_DEVICE_CHUNK_BYTES);
  return chunks > limit ? limit : chunks < 1 ? 1 : (int)chunks;
}

mfft_status mfft_topology_sharing(const mfft_topology *topology, int *sharing) {
  enum { NAME = 64 };
  mfft_status status = MFFT_SUCCESS;
  char mine[NAME] = "", *names = malloc((size_t)topology->ranks * NAME); /* [ranks][NAME] */
  *sharing = 0;
  if (!names) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the names of %d devices", topology->ranks);
  if (status == MFFT_SUCCESS) status = topology->device->identity(mine, sizeof mine);
  MFFT_GOTO(done, mfft_agree(topology->comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(topology->comm, mine, NAME, names, "naming devices"));
  for (int r = 0; r < topology->rank && mine[0]; r++) *sharing |= strncmp(names + (size_t)r * NAME, mine, NAME) == 0;
  MFFT_GOTO(done, mfft_collective_allreduce(topology->comm, sharing, 1, MPI_INT, MPI_SUM, "counting devices"));
done:
  free(names);
  return status;
}

mfft_status mfft_topology_warn_shared(const mfft_topology *topology) {
  int sharing;
  MFFT_TRY(mfft_topology_sharing(topology, &sharing));
  static int warned; /* one warning in a process is enough */
  if (sharing && topology->rank == 0 && !warned++)
    mfft_log(MFFT_LOG_WARNING, "%d of %d ranks use a GPU that another rank of their node uses too; start one rank a GPU",
             sharing, topology->ranks);
  return MFFT_SUCCESS;
}
