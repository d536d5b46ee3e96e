/* route.h: the blocks and messages of one rank in an exchange from boxes A to boxes B.  Pure geometry.
 *
 * The intersection of A_s and B_r goes from rank s to rank r.  It is sent in pieces, which both ends compute alike from
 * the boxes alone:
 *
 * - shared runs, contiguous in both arrays, if these are long enough and not too many: sent from array to array without
 *   any copy;
 * - target runs, contiguous in B_r only: packed by the sender, received in the array;
 * - source runs, contiguous in A_s only: sent from the array, unpacked by the receiver;
 * - one piece, if no run is long enough: packed and unpacked.
 *
 * A packed intersection is a segment of the send (or receive) area, in the memory order of the side whose runs are sent.
 *
 * Between near ranks, one of which can access the array of the other, the intersection is one copy from array to array. */
#ifndef MFFT_DIST_ROUTE_H
#define MFFT_DIST_ROUTE_H

#include "dist/cut.h"
#include "dist/decomp.h"

/* The messages that a transport accepts. */
typedef enum mfft_messages {
  MFFT_ANY_MESSAGES = 0, /* any number, each from an array or area to an array or area */
  MFFT_ONE_A_PEER,       /* one for each peer and chunk; array instead of area if it is one run there */
  MFFT_FROM_ONE_BUFFER,  /* the same, but all through the area unless all of a side is whole cache lines of the array */
  MFFT_FROM_AREAS        /* one for each peer and chunk, all through areas */
} mfft_messages;

/* The memory that one end of a message is in. */
typedef enum mfft_where { MFFT_IN_ARRAY = 0, MFFT_IN_AREA = 1 } mfft_where;

typedef struct mfft_message {
  int peer;
  mfft_where where;
  int64_t offset_bytes, bytes;
} mfft_message;

typedef struct mfft_block_list {
  mfft_block *block; /* [count] */
  int64_t count, capacity;
} mfft_block_list;

typedef struct mfft_message_list {
  mfft_message *message; /* [count] */
  int64_t count, capacity;
} mfft_message_list;

/* A copy between an array of this rank and the array of a near peer, done by this rank. */
typedef struct mfft_direct {
  int peer;
  mfft_block block;
} mfft_direct;

typedef struct mfft_direct_list {
  mfft_direct *direct; /* [count] */
  int64_t count, capacity;
} mfft_direct_list;

typedef struct mfft_peer_list {
  int *peer; /* [count] */
  int64_t count, capacity;
} mfft_peer_list;

typedef struct mfft_chunk {
  mfft_block_list pack;   /* source array to send area */
  mfft_block_list unpack; /* receive area to target array */
  mfft_block_list narrow; /* source array to half-width segments of the send area, for mfft_backend.convert */
  mfft_block_list widen;  /* half-width segments of the receive area to target array */
  mfft_block_list self; /* data that stays on this rank; array or area on either side: mfft_route_spec.self_from, self_to */
  mfft_message_list send, recv;
  mfft_direct_list direct; /* copies from or to arrays of near peers that this rank does */
  mfft_peer_list acting;   /* near peers that do such a copy from or to the array of this rank */
  int64_t direct_bytes;    /* bytes sent by such copies, whichever rank does them */
} mfft_chunk;

typedef struct mfft_route_spec {
  const mfft_layout *from, *to;
  int rank;
  int64_t batch, element_bytes;
  mfft_cut cut;
  int64_t run_bytes; /* least length of a run that is sent without packing */
  mfft_messages messages;
  int pack_all;                  /* send nothing from the array, which will be overwritten */
  int unpack_all;                /* receive nothing in the array, which is still in use */
  mfft_where self_from, self_to; /* array or area, for data that stays on this rank */
  int from_regions;              /* the source array holds the region of one chunk at a time, not the whole box */
  int half_wire;                 /* messages are in the half-width format of local/wire.h; implies areas */
  const unsigned char *near;     /* [ranks] peers with mapped arrays, for which nothing is packed; NULL: none */
  int sizes_only;                /* 1: the route has no messages, and no blocks of them: only what is said of all chunks */
  int pull;                      /* 1: data between near ranks is loaded by its receiver; 0: stored by its sender */
} mfft_route_spec;

typedef struct mfft_route {
  int chunks;
  mfft_chunk *chunk;              /* [chunks] */
  int packs, unpacks;             /* whether any chunk has such blocks */
  int sends_array, recvs_array;   /* whether any message or copy of a peer uses an array */
  int64_t send_bytes, recv_bytes; /* sizes of the areas */
} mfft_route;

mfft_status mfft_route_build(const mfft_route_spec *spec, mfft_route *route);
void mfft_route_free(mfft_route *route); /* accepts a zeroed route */

#endif
