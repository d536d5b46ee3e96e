/* nodes.h: the nodes of a job, and communicators within and between them. */
#ifndef MFFT_APPS_NODES_H
#define MFFT_APPS_NODES_H

#include <mpi.h>

typedef struct mfft_app_nodes {
  MPI_Comm near, far; /* ranks of this node; ranks with the same place on their nodes */
  int place;          /* of this rank on its node */
  int node;           /* of this rank, by their lowest ranks, if they are even */
  int nodes, node_ranks;
  int even;       /* every node has as many ranks; otherwise nodes and node_ranks differ between ranks */
  int successive; /* even, and ranks that follow each other share a node */
} mfft_app_nodes;

/* Finds the nodes (MPI_Comm_split_type, and MFFT_NODE_RANKS as the library).  Collective. */
void mfft_app_nodes_find(mfft_app_nodes *nodes);
void mfft_app_nodes_free(mfft_app_nodes *nodes);

#endif
