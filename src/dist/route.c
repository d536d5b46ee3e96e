/* route.c: intersections, pieces and segments: see route.h. */
#include "dist/route.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "base/status.h"
#include "local/wire.h"

enum { MOST_PIECES = 4096 }; /* most pieces of one intersection; beyond that a copy costs less than the messages */
enum { SEGMENT_ALIGN = MFFT_LINE_BYTES }; /* alignment of segments in an area; also the unit of the alltoallv transport */

/* The data that one rank sends to another in one chunk, with its layout in each array and in a segment. */
typedef struct part {
  mfft_region region;
  mfft_box array[2]; /* [source, target] boxes of the arrays */
  int64_t first[2];  /* [source, target] first batch index that the arrays hold */
  mfft_box packed;   /* its box, in the memory order of its segment */
  int64_t piece;     /* elements of one message; divides the number of elements */
  int shared[2];     /* [source, target] pieces are contiguous in that array */
} part;

/* Indices along an axis, and elements, of a box that is known to hold some: routes of many ranks ask millions of times. */
static inline int64_t length(const mfft_box *box, int axis) { return box->hi[axis] - box->lo[axis]; }
static inline int64_t elements(const mfft_box *box) { return length(box, 0) * length(box, 1) * length(box, 2); }

static int64_t part_count(const part *p) { return elements(&p->region.box) * (p->region.batch_hi - p->region.batch_lo); }

/* The longest run of the region that is contiguous in an array of box `in`, in elements. */
static int64_t run_length(const mfft_region *region, const mfft_box *in) {
  int64_t run = 1;
  for (int level = 2; level >= 0; level--) {
    int axis = in->order[level];
    run *= length(&region->box, axis);
    if (length(&region->box, axis) != length(in, axis)) return run;
  }
  return run * (region->batch_hi - region->batch_lo);
}

/* Whether the axes longer than 1 have the same sequence in both memory orders. */
static int same_order(const mfft_region *region, const mfft_box *a, const mfft_box *b) {
  int i = 0, j = 0;
  for (;;) {
    while (i < 3 && length(&region->box, a->order[i]) == 1) i++;
    while (j < 3 && length(&region->box, b->order[j]) == 1) j++;
    if (i == 3 || j == 3) return i == j;
    if (a->order[i++] != b->order[j++]) return 0;
  }
}

/* Whether `whole` elements may be sent in runs of this length. */
static int is_worth_a_message(int64_t run, int64_t whole, int64_t least) {
  return run == whole || (run >= least && whole / run <= MOST_PIECES);
}

/* Chooses the pieces by the rule of route.h. */
static void choose_pieces(const mfft_route_spec *spec, part *p) {
  const mfft_box *source = &p->array[0], *target = &p->array[1];
  int64_t whole = part_count(p), least = spec->run_bytes / spec->element_bytes;
  int64_t run[2] = {run_length(&p->region, source), run_length(&p->region, target)}; /* [source, target] */
  int64_t both = same_order(&p->region, source, target) ? (run[0] < run[1] ? run[0] : run[1]) : 1;

  p->shared[0] = p->shared[1] = 0;
  p->piece = whole; /* also for the half-width format, which only whole parts can have */
  p->packed = p->region.box;
  memcpy(p->packed.order, target->order, sizeof target->order);
  if (spec->messages == MFFT_FROM_AREAS || spec->half_wire) return;
  if (spec->messages != MFFT_ANY_MESSAGES) least = INT64_MAX; /* only one message to each peer */

  if (is_worth_a_message(both, whole, least)) {
    p->piece = both;
    p->shared[0] = p->shared[1] = 1;
  } else if (is_worth_a_message(run[1], whole, least)) {
    p->piece = run[1];
    p->shared[1] = 1;
  } else if (is_worth_a_message(run[0], whole, least)) {
    p->piece = run[0];
    p->shared[0] = 1;
    memcpy(p->packed.order, source->order, sizeof source->order);
  }
}

static int part_between(const mfft_route_spec *spec, int sender, int receiver, int c, part *p) {
  p->array[0] = spec->from->box[sender];
  p->array[1] = spec->to->box[receiver];
  p->region = mfft_cut_part(&p->array[0], &p->array[1], spec->batch, &spec->cut, c);
  p->first[0] = p->first[1] = 0;
  if (mfft_box_empty(&p->region.box) || p->region.batch_hi <= p->region.batch_lo) return 0;
  choose_pieces(spec, p);
  if (spec->from_regions) { /* after choose_pieces, since the other end does not know about regions */
    mfft_region chunk = mfft_cut_before(&p->array[0], spec->batch, &spec->cut, c);
    p->array[0] = mfft_box_intersect(&p->array[0], &chunk.box);
    p->first[0] = chunk.batch_lo;
  }
  return 1;
}

#define GROW(list, member)                                                                  \
  if ((list)->count == (list)->capacity) {                                                  \
    int64_t capacity = (list)->capacity ? 2 * (list)->capacity : 4;                         \
    void *grown = realloc((list)->member, (size_t)capacity * sizeof *(list)->member);       \
    if (!grown) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the messages of a route"); \
    (list)->member = grown;                                                                 \
    (list)->capacity = capacity;                                                            \
  }

static mfft_status add_block(mfft_block_list *list, mfft_block block) {
  GROW(list, block)
  list->block[list->count++] = block;
  return MFFT_SUCCESS;
}

static mfft_status add_message(mfft_message_list *list, mfft_message message) {
  GROW(list, message)
  list->message[list->count++] = message;
  return MFFT_SUCCESS;
}

/* The copy of a part between two of its ends.  An array holds its whole box; a segment holds this part alone, its batches
 * in sequence.  segment_from, segment_to: offsets of the segments in elements. */
static mfft_block part_copy(const part *p, mfft_where from, mfft_where to, int64_t segment_from, int64_t segment_to) {
  int64_t batch = p->region.batch_hi - p->region.batch_lo;
  const mfft_box *in = from == MFFT_IN_ARRAY ? &p->array[0] : &p->packed;
  const mfft_box *out = to == MFFT_IN_ARRAY ? &p->array[1] : &p->packed;
  mfft_block block = mfft_box_copy(&p->region.box, in, out, batch);
  block.in_offset += from == MFFT_IN_ARRAY ? (p->region.batch_lo - p->first[0]) * mfft_box_count(in) : segment_from;
  block.out_offset += to == MFFT_IN_ARRAY ? (p->region.batch_lo - p->first[1]) * mfft_box_count(out) : segment_to;
  return block;
}

/* The block between an array and a half-width segment; its loops follow the memory order of the segment. */
static mfft_block wire_copy(const part *p, int end, int64_t segment_bytes) {
  const mfft_box *array = &p->array[end];
  int64_t batch = p->region.batch_hi - p->region.batch_lo;
  mfft_block block = mfft_box_copy(&p->region.box, array, &p->packed, batch);
  block.in_offset += (p->region.batch_lo - p->first[end]) * mfft_box_count(array);
  block.out_offset = segment_bytes;
  return block;
}

/* Offset in the array, in elements, of the piece that begins at element `at` of the part in the memory order of its
 * segment. */
static int64_t piece_offset(const part *p, const mfft_box *array, int64_t at) {
  int64_t count = elements(&p->region.box), i[3], rest = at % count;
  if (!rest) return (p->region.batch_lo + at / count) * elements(array) + mfft_box_offset(array, p->region.box.lo);
  for (int level = 2; level >= 0; level--) {
    int axis = p->packed.order[level];
    int64_t n = length(&p->region.box, axis);
    i[axis] = p->region.box.lo[axis] + rest % n;
    rest /= n;
  }
  return (p->region.batch_lo + at / count) * elements(array) + mfft_box_offset(array, i);
}

static mfft_status add_pieces(const mfft_route_spec *spec, const part *p, int end, int peer, mfft_where where,
                              int64_t segment, mfft_message_list *list) {
  for (int64_t at = 0; at < part_count(p); at += p->piece) {
    int64_t offset = where == MFFT_IN_AREA ? segment + at : piece_offset(p, &p->array[end], at);
    const mfft_message message = {
        .peer = peer, .where = where, .offset_bytes = offset * spec->element_bytes, .bytes = p->piece * spec->element_bytes};
    MFFT_TRY(add_message(list, message));
  }
  return MFFT_SUCCESS;
}

/* Appends a segment to an area of *bytes; returns its offset in elements. */
static int64_t take_segment(const mfft_route_spec *spec, const part *p, int64_t *bytes) {
  int64_t align = SEGMENT_ALIGN; /* a multiple of the element size: a segment begins at a whole element */
  while (align % spec->element_bytes) align += SEGMENT_ALIGN;
  int64_t segment = (*bytes + align - 1) / align * align;
  *bytes = mfft_line_bytes(segment + part_count(p) * spec->element_bytes);
  return segment / spec->element_bytes;
}

/* Adds one half-width message and its conversion on this rank. */
static mfft_status add_narrow(const mfft_route_spec *spec, const part *p, int end, int peer, int64_t *area_bytes,
                              mfft_block_list *blocks, mfft_message_list *messages) {
  int64_t bytes = mfft_wire_bytes(part_count(p), spec->element_bytes), at = *area_bytes;
  *area_bytes += mfft_line_bytes(bytes);
  if (spec->sizes_only) return MFFT_SUCCESS;
  MFFT_TRY(add_block(blocks, wire_copy(p, end, at)));
  return add_message(messages, (mfft_message){.peer = peer, .where = MFFT_IN_AREA, .offset_bytes = at, .bytes = bytes});
}

/* The lists of a chunk and the fields of a route for one end of its messages: the sending (0) or the receiving one (1). */
typedef struct end_lists {
  int end;
  int uses_area;                    /* 1: all messages are in the area, whatever the array allows */
  int *is_in_array, *is_in_area;    /* fields of the route: whether any message is there */
  int64_t *area_bytes;              /* size of the area so far */
  mfft_block_list *copy, *converts; /* copies, or conversions to half the width, between the array and the area */
  mfft_message_list *messages;
} end_lists;

/* Adds a part of an exchange at one end: its messages, and what moves it between the array and the area. */
static mfft_status add_end(const mfft_route_spec *spec, const part *p, int peer, const end_lists *l) {
  const int in_array = p->shared[l->end] && !l->uses_area && !spec->half_wire;
  *(in_array ? l->is_in_array : l->is_in_area) |= 1;
  if (spec->half_wire) return add_narrow(spec, p, l->end, peer, l->area_bytes, l->converts, l->messages);
  const int64_t segment = in_array ? 0 : take_segment(spec, p, l->area_bytes);
  if (spec->sizes_only) return MFFT_SUCCESS;
  if (!in_array)
    MFFT_TRY(add_block(l->copy, l->end ? part_copy(p, MFFT_IN_AREA, MFFT_IN_ARRAY, segment, 0)
                                       : part_copy(p, MFFT_IN_ARRAY, MFFT_IN_AREA, 0, segment)));
  return add_pieces(spec, p, l->end, peer, in_array ? MFFT_IN_ARRAY : MFFT_IN_AREA, segment, l->messages);
}

static mfft_status add_send(const mfft_route_spec *spec, const part *p, int peer, mfft_route *route, mfft_chunk *chunk) {
  const end_lists lists = {.end = 0,
                           .uses_area = spec->pack_all,
                           .is_in_array = &route->sends_array,
                           .is_in_area = &route->packs,
                           .area_bytes = &route->send_bytes,
                           .copy = &chunk->pack,
                           .converts = &chunk->narrow,
                           .messages = &chunk->send};
  return add_end(spec, p, peer, &lists);
}

static mfft_status add_recv(const mfft_route_spec *spec, const part *p, int peer, mfft_route *route, mfft_chunk *chunk) {
  const end_lists lists = {.end = 1,
                           .uses_area = spec->unpack_all,
                           .is_in_array = &route->recvs_array,
                           .is_in_area = &route->unpacks,
                           .area_bytes = &route->recv_bytes,
                           .copy = &chunk->unpack,
                           .converts = &chunk->widen,
                           .messages = &chunk->recv};
  return add_end(spec, p, peer, &lists);
}

static mfft_status add_direct(mfft_direct_list *list, const part *p, int peer) {
  GROW(list, direct)
  list->direct[list->count++] = (mfft_direct){.peer = peer, .block = part_copy(p, MFFT_IN_ARRAY, MFFT_IN_ARRAY, 0, 0)};
  return MFFT_SUCCESS;
}

static mfft_status add_acting(mfft_peer_list *list, int peer) {
  GROW(list, peer)
  list->peer[list->count++] = peer;
  return MFFT_SUCCESS;
}

/* Adds a part between this rank and a near one: the rank that has mapped the other's array does the copy. */
static mfft_status add_near(const mfft_route_spec *spec, const part *p, int peer, int leaves, mfft_chunk *chunk) {
  if (leaves) chunk->direct_bytes += part_count(p) * spec->element_bytes;
  return leaves != spec->pull ? add_direct(&chunk->direct, p, peer) : add_acting(&chunk->acting, peer);
}

/* Adds the part that stays on this rank: as a message, but with a copy instead of the transport. */
static mfft_status add_self(const mfft_route_spec *spec, const part *p, mfft_route *route, mfft_chunk *chunk) {
  int64_t from = 0, to = 0;
  if (spec->self_from == MFFT_IN_AREA) {
    from = take_segment(spec, p, &route->send_bytes);
    route->packs = 1;
    MFFT_TRY(add_block(&chunk->pack, part_copy(p, MFFT_IN_ARRAY, MFFT_IN_AREA, 0, from)));
  }
  if (spec->self_to == MFFT_IN_AREA) {
    to = take_segment(spec, p, &route->recv_bytes);
    route->unpacks = 1;
    MFFT_TRY(add_block(&chunk->unpack, part_copy(p, MFFT_IN_AREA, MFFT_IN_ARRAY, to, 0)));
  }
  return add_block(&chunk->self, part_copy(p, spec->self_from, spec->self_to, from, to));
}

static int is_near(const mfft_route_spec *spec, int peer) { return spec->near && !spec->half_wire && spec->near[peer]; }

/* The ranks that this one exchanges data with in any chunk, in cyclic order from `rank` on, so that not all ranks send to
 * rank 0 first. */
typedef struct partners {
  int *to, *from; /* [counts] receivers upwards, senders downwards; this rank among them if part of its data stays here */
  int to_count, from_count;
} partners;

/* Rotates an ascending list so that it begins with the first rank that is `first` or higher. */
static void rotate(int *rank, int count, int first, int *scratch) {
  int begin = 0;
  while (begin < count && rank[begin] < first) begin++;
  memcpy(scratch, rank, (size_t)begin * sizeof *rank);
  memmove(rank, rank + begin, (size_t)(count - begin) * sizeof *rank);
  memcpy(rank + count - begin, scratch, (size_t)begin * sizeof *rank);
}

static mfft_status find_partners(const mfft_route_spec *spec, partners *p) {
  const size_t ranks = (size_t)spec->from->ranks;
  int *scratch = malloc(ranks * sizeof *scratch); /* [ranks] */
  p->to = malloc(ranks * sizeof *p->to);
  p->from = malloc(ranks * sizeof *p->from);
  const int failed = !scratch || !p->to || !p->from;
  if (!failed) {
    p->to_count = mfft_layout_meeting(spec->to, &spec->from->box[spec->rank], p->to);
    p->from_count = mfft_layout_meeting(spec->from, &spec->to->box[spec->rank], p->from);
    rotate(p->to, p->to_count, spec->rank, scratch);
    rotate(p->from, p->from_count, spec->rank + 1, scratch); /* build_chunk reads the list from its end */
  }
  free(scratch);
  return failed ? mfft_fail(MFFT_ERR_MEMORY, "no memory for the peers of a route") : MFFT_SUCCESS;
}

static void free_partners(partners *p) {
  free(p->to);
  free(p->from);
}

static mfft_status build_chunk(const mfft_route_spec *spec, const partners *with, int c, mfft_route *route) {
  mfft_chunk *chunk = &route->chunk[c];
  const int ranks = spec->from->ranks;
  part p;
  if (part_between(spec, spec->rank, spec->rank, c, &p)) MFFT_TRY(add_self(spec, &p, route, chunk));
  /* Merges both lists by the distance between the peer and this rank, receivers first where distances are equal. */
  for (int i = 0, j = with->from_count - 1; i < with->to_count || j >= 0;) {
    const int up = i < with->to_count ? (with->to[i] - spec->rank + ranks) % ranks : ranks;
    const int down = j >= 0 ? (spec->rank - with->from[j] + ranks) % ranks : ranks;
    if (up <= down) {
      const int to = with->to[i++];
      if (up && part_between(spec, spec->rank, to, c, &p))
        MFFT_TRY(is_near(spec, to) ? add_near(spec, &p, to, 1, chunk) : add_send(spec, &p, to, route, chunk));
    } else {
      const int from = with->from[j--];
      if (down && part_between(spec, from, spec->rank, c, &p))
        MFFT_TRY(is_near(spec, from) ? add_near(spec, &p, from, 0, chunk) : add_recv(spec, &p, from, route, chunk));
    }
  }
  if (spec->pull ? chunk->acting.count : chunk->direct.count) route->sends_array = 1;
  if (spec->pull ? chunk->direct.count : chunk->acting.count) route->recvs_array = 1;
  return MFFT_SUCCESS;
}

static mfft_status build(const mfft_route_spec *spec, mfft_route *route) {
  partners with = {0};
  mfft_status status = find_partners(spec, &with);
  memset(route, 0, sizeof *route);
  if (status == MFFT_SUCCESS) route->chunk = calloc((size_t)spec->cut.chunks, sizeof *route->chunk);
  if (status == MFFT_SUCCESS && !route->chunk)
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %d chunks", spec->cut.chunks);
  if (route->chunk) route->chunks = spec->cut.chunks;
  for (int c = 0; c < route->chunks && status == MFFT_SUCCESS; c++) status = build_chunk(spec, &with, c, route);
  if (status != MFFT_SUCCESS) mfft_route_free(route);
  free_partners(&with);
  return status;
}

/* Whether all messages of one side are whole cache lines of the array. */
static int all_in_array(const mfft_route *route, int end) {
  for (int c = 0; c < route->chunks; c++) {
    const mfft_message_list *list = end ? &route->chunk[c].recv : &route->chunk[c].send;
    for (int64_t i = 0; i < list->count; i++) {
      const mfft_message *m = &list->message[i];
      if (m->where != MFFT_IN_ARRAY || m->offset_bytes % SEGMENT_ALIGN || m->bytes % SEGMENT_ALIGN) return 0;
    }
  }
  return 1;
}

mfft_status mfft_route_build(const mfft_route_spec *spec, mfft_route *route) {
  if (spec->messages != MFFT_FROM_ONE_BUFFER) return build(spec, route);
  mfft_route_spec one_buffer = *spec;
  one_buffer.sizes_only = 0; /* they depend on the messages */
  MFFT_TRY(build(&one_buffer, route));
  const int packs = route->sends_array && !all_in_array(route, 0), unpacks = route->recvs_array && !all_in_array(route, 1);
  if (!packs && !unpacks) return MFFT_SUCCESS;
  one_buffer.pack_all |= packs;
  one_buffer.unpack_all |= unpacks;
  mfft_route_free(route);
  return build(&one_buffer, route);
}

void mfft_route_free(mfft_route *route) {
  for (int c = 0; route->chunk && c < route->chunks; c++) {
    mfft_chunk *chunk = &route->chunk[c];
    free(chunk->pack.block);
    free(chunk->unpack.block);
    free(chunk->narrow.block);
    free(chunk->widen.block);
    free(chunk->self.block);
    free(chunk->send.message);
    free(chunk->recv.message);
    free(chunk->direct.direct);
    free(chunk->acting.peer);
  }
  free(route->chunk);
  memset(route, 0, sizeof *route);
}
