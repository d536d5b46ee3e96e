/* node_messages.h: which rank of a node sends what to other nodes, if all that ranks of one node send to those of another
 * goes as one message, or as few long ones.  Pure arithmetic, which every rank of a node does alike for all of its ranks.
 *
 * Between two nodes one rank of each, the leader, sends and receives; the other nodes are dealt to the ranks of a node in
 * cyclic order, so that each is the leader for as many of them.  Data that is long enough goes in several pieces, each
 * between two ranks of its own, since a rank uses one NIC of its node.  The opposite direction has other leaders: over TCP
 * Open MPI's connection of two processes takes as long for both directions at the same time as for one after the other
 * (docs/exchanges.md).  A message has its parts by sender and then receiver, each from a whole cache line on.  Its buffer is
 * in the memory of its leader. */
#ifndef MFFT_DIST_NODE_MESSAGES_H
#define MFFT_DIST_NODE_MESSAGES_H

#include "dist/topology.h"

/* The data that a rank of this node sends to, or receives from, a rank of another one in one transfer. */
typedef struct mfft_node_part {
  int transfer;    /* index */
  int outgoing;    /* 1: it is sent; 0: received */
  int here, there; /* ranks, of this node and of the other */
  int index;       /* of the message among those of `here`; for the caller */
  int leader;      /* result: rank of this node */
  int64_t bytes;
  int64_t offset_bytes; /* result: in the buffers of the leader */
} mfft_node_part;

/* The least length of a piece.  A message takes 4 us besides its bytes between GPUs and some 50 us over TCP, in which a NIC
 * of 50 GB/s and a link of 1 Gbit/s send 200 kB and 6 kB. */
enum { MFFT_NODE_PIECE_BYTES = 256 << 10 };

/* The number of pieces of `bytes` bytes between two nodes, the smaller of which has so many ranks. */
int mfft_node_pieces(int64_t bytes, int ranks);

/* A message between two nodes, or a piece of it. */
typedef struct mfft_node_message {
  int transfer, outgoing;
  int leader, peer;            /* ranks, of this node and of the other */
  int64_t first, count;        /* its parts in the list */
  int64_t offset_bytes, bytes; /* of its buffer, in the buffers of the leader */
} mfft_node_message;

typedef struct mfft_node_messages {
  mfft_node_message *message; /* [count] by transfer, received ones before sent ones */
  int64_t count;
  int64_t *bytes; /* [ranks of this node] of the buffers of each, by its place on the node */
} mfft_node_messages;

/* Sorts part[count], the parts of all ranks of this node, by message, and fills in their results.  Not collective. */
mfft_status mfft_node_messages_make(const mfft_topology *topology, mfft_node_part *part, int64_t count,
                                    mfft_node_messages *messages);
void mfft_node_messages_free(mfft_node_messages *messages); /* accepts zeroed ones */

#endif
