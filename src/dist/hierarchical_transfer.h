/* hierarchical_transfer.h: a transfer whose messages to other nodes pass through one rank of each node.  hierarchical.c
 * runs it, hierarchical_arrange.c decides through which ranks. */
#ifndef MFFT_DIST_HIERARCHICAL_TRANSFER_H
#define MFFT_DIST_HIERARCHICAL_TRANSFER_H

#include "dist/handshake.h"
#include "dist/node_messages.h"
#include "dist/transport.h"

/* A message of this rank: a copy from or to the buffer of a leader. */
typedef struct mfft_hierarchical_part {
  mfft_where where;
  int leader;
  int64_t offset_bytes, bytes; /* in the array or area of this rank */
  int64_t leader_offset_bytes; /* from the start of the arrays in the window of the leader */
} mfft_hierarchical_part;

/* A message between nodes of which this rank is the leader. */
typedef struct mfft_hierarchical_message {
  int peer;
  int64_t offset_bytes, bytes; /* from the start of the arrays in the window of this rank */
} mfft_hierarchical_message;

/* The ranks of the node with which this one exchanges signals: leaders that it sends to and receives from; ranks from which
 * it gathers and to which it scatters as leader. */
typedef enum mfft_hierarchical_peer {
  MFFT_SENDS_TO,
  MFFT_GATHERS_FROM,
  MFFT_RECEIVES_FROM,
  MFFT_SCATTERS_TO,
  MFFT_HIERARCHICAL_PEERS
} mfft_hierarchical_peer;

typedef struct mfft_hierarchical {
  mfft_transfer base;
  const mfft_topology *topology;
  mfft_window *window; /* in host memory */
  mfft_handshake gather, scatter;
  mfft_message_list own[2];     /* [received, sent] peers are ranks of other nodes */
  mfft_hierarchical_part *part; /* [parts] their copies from and to the buffers of leaders; received ones first */
  int received, parts;
  mfft_block *block;                  /* [parts] as blocks, in units of unit[where] bytes */
  const void **in;                    /* [parts] sources */
  void **out;                         /* [parts] targets */
  int64_t unit[2];                    /* by mfft_where */
  int copy_blocks;                    /* most thread blocks of a copy */
  mfft_hierarchical_message *message; /* [messages] received ones first */
  MPI_Request *request;               /* [messages] */
  int receives, messages, tag;
  int *peer[MFFT_HIERARCHICAL_PEERS], peers[MFFT_HIERARCHICAL_PEERS]; /* [kind][node_ranks] */
  mfft_ends ends;                                                     /* memory of the start in progress */
  int arrived, sent;                                                  /* messages with a lower index are through */
  int stored, posted, reopened; /* steps of sending that are done in the use in progress */
  int taken, released;          /* steps of receiving; 1 before the first use too */
  mfft_progress progress;
  void *stream, *ready, *gathered, *loaded; /* for copies; events: before them, behind sent parts, behind received ones */
  int owns_stream;
  char what[64];
} mfft_hierarchical;

#endif
