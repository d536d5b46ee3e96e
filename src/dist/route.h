/* route.h: how one rank takes part in an exchange from boxes A to boxes B.  Pure geometry.
 *
 * The part that goes from rank s to rank r is the intersection of A_s and B_r.  It is sent in pieces; both ends cut it
 * alike, from the boxes alone:
 *
 * - shared runs, contiguous in both arrays, long enough and not too many: sent from array to array, nothing is copied;
 * - target runs, contiguous in B_r only: the sender packs, the receiver gets them in place;
 * - source runs, contiguous in A_s only: sent from the array, the receiver unpacks;
 * - one piece, where no run is long enough: packed and unpacked.
 *
 * A packed part lies in a segment of the send (or receive) area, in the memory order of the side whose runs it is made of.
 *
 * Between near ranks, whose arrays one of the two can reach, a part is one copy from array to array.
 *
 * An exchange is cut into chunks that can be under way at different times: along an axis of the source boxes, of the target
 * boxes, or along the batch; or along two axes.  Of these the first is one that the transform before the exchange can be cut
 * along, the second one for the transform behind it.  The early chunks are slices along the first axis, but only of the
 * first `split` sixteenths of the second: they leave while the transform before goes on.  The late chunks are slices of the
 * rest along the second axis, whole along the first: while they are sent the transform behind takes the early part, then one
 * late chunk after the other.  So all of both transforms overlaps the exchange but the first slice and the last. */
#ifndef MFFT_DIST_ROUTE_H
#define MFFT_DIST_ROUTE_H

#include "dist/decomp.h"

enum { MFFT_CUT_BATCH = 3 };
enum { MFFT_SPLIT_PARTS = 16 }; /* the unit of mfft_cut.split */

typedef struct mfft_cut {
  int chunks;    /* >= 1 */
  int axis;      /* 0 to 2, or MFFT_CUT_BATCH */
  int target;    /* 1: chunk c is the c-th part of every target box; 0: of every source box */
  int early;     /* of the chunks, where a second axis is cut; else 0 */
  int late_axis; /* 0 to 2, of the target boxes; axis is then of the source boxes */
  int split;     /* overlap split: sixteenths of late_axis that the early chunks hold */
} mfft_cut;

/* The messages that a transport takes. */
typedef enum mfft_messages {
  MFFT_ANY_MESSAGES = 0, /* any number, from and to arrays and areas */
  MFFT_ONE_A_PEER,       /* and chunk; what is one run in an array is sent from there, or received there */
  MFFT_FROM_ONE_PLACE,   /* the same, but where not all of a side is, in whole cache lines, all goes through the area */
  MFFT_FROM_AREAS        /* one a peer and chunk, through areas */
} mfft_messages;

/* Where an end of a message lies. */
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

/* A copy between an array here and the array of a near peer: for the rank that does it. */
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
  mfft_block_list narrow; /* source array to half-width segments of the send area, as mfft_backend.convert takes them */
  mfft_block_list widen;  /* half-width segments of the receive area to target array */
  mfft_block_list self; /* what stays on this rank: from array or send area to array or receive area, see mfft_route_spec */
  mfft_message_list send, recv;
  mfft_direct_list direct; /* copies between arrays that this rank does, where the other end is near */
  mfft_peer_list acting;   /* near peers that do such a copy from or to the array here */
  int64_t direct_bytes;    /* that leave this rank so, by whoever's hand */
} mfft_chunk;

typedef struct mfft_route_spec {
  const mfft_layout *from, *to;
  int rank;
  int64_t batch, element_bytes;
  mfft_cut cut;
  int64_t run_bytes; /* the least length of a run that is sent by itself */
  mfft_messages messages;
  int pack_all;                  /* send nothing from the array: it will be overwritten */
  int unpack_all;                /* receive nothing in the array: it is not free yet */
  mfft_where self_from, self_to; /* the ends of what stays on this rank */
  int from_regions;              /* the source array holds the region of one chunk at a time, not the box */
  int half_wire;                 /* what leaves is packed in the half-width format of local/wire.h; implies areas */
  const unsigned char *near;     /* [ranks] peers whose arrays can be reached: nothing is packed for them; NULL: none */
  int pull;                      /* near parts are fetched by their receiver; 0: stored by their sender */
} mfft_route_spec;

typedef struct mfft_route {
  int chunks;
  mfft_chunk *chunk;              /* [chunks] */
  int packs, unpacks;             /* whether any chunk has such blocks */
  int sends_array, recvs_array;   /* whether any message begins or ends in an array */
  int64_t send_bytes, recv_bytes; /* sizes of the areas */
} mfft_route;

mfft_status mfft_route_build(const mfft_route_spec *spec, mfft_route *route);
void mfft_route_free(mfft_route *route); /* accepts a zeroed route */

/* A part of a box and of a batch; empty where hi <= lo. */
typedef struct mfft_region {
  mfft_box box;
  int64_t batch_lo, batch_hi;
} mfft_region;

/* Of what goes from one box to another, the part in chunk c. */
mfft_region mfft_cut_part(const mfft_box *from, const mfft_box *to, int64_t batch, const mfft_cut *cut, int c);

/* What the transform before the exchange has to make in a source box for chunk c, and what the transform behind can take of
 * a target box once chunk c has arrived; what belongs to an earlier chunk is left out. */
mfft_region mfft_cut_before(const mfft_box *from, int64_t batch, const mfft_cut *cut, int c);
mfft_region mfft_cut_behind(const mfft_box *to, int64_t batch, const mfft_cut *cut, int c);

#endif
