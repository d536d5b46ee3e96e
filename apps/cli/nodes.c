#include "cli/nodes.h"

#include <stdlib.h>

#include "cli/collective.h"
#include "cli/report.h"

void mfft_app_nodes_find(mfft_app_nodes *n) {
  const char *most = getenv("MFFT_NODE_RANKS"); /* tests divide nodes by it */
  const int rank = mfft_app_rank(), limit = most && atoi(most) > 0 ? atoi(most) : mfft_app_ranks();
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &n->place);
  MPI_Comm_split(host, n->place / limit, rank, &n->near);
  MPI_Comm_free(&host);
  MPI_Comm_rank(n->near, &n->place);
  MPI_Comm_size(n->near, &n->node_ranks);
  MPI_Comm_split(MPI_COMM_WORLD, n->place, rank, &n->far);
  MPI_Comm_size(n->far, &n->nodes);
  MPI_Comm_rank(n->far, &n->node);
  n->even = !mfft_app_anywhere(n->nodes * n->node_ranks != mfft_app_ranks());
  n->successive = n->even && !mfft_app_anywhere(rank != n->node * n->node_ranks + n->place);
}

void mfft_app_nodes_free(mfft_app_nodes *n) {
  MPI_Comm_free(&n->near);
  MPI_Comm_free(&n->far);
}
