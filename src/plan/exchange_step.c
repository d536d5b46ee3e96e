/* exchange_step.c: exchanges, with the transforms before and behind them that follow their chunks.
 *
 * A hop is written in two halves: what is produced before the exchange and started, and what is awaited and consumed behind
 * it.  Where a transform can follow the chunks of the exchanges on both sides of it, the second half of one hop and the
 * first of the next are written as one: they are joined. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/emitter.h"

/* What fits in DATA.  Arrays in boxes of the plan's own choice grow to what is needed: the caller asks how
 * much to allocate. */
int64_t mfft_data_room(const mfft_emitter *e) {
  const mfft_desc *desc = &e->plan->desc;
  const int given[2] = {desc->in_box != NULL, desc->out_box != NULL}; /* [side] */
  mfft_side side = e->direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN;
  int in_place = desc->placement == MFFT_IN_PLACE;
  if (!given[side] || (in_place && !given[!side])) return INT64_MAX;
  size_t room = e->plan->bytes[side];
  if (in_place && e->plan->bytes[!side] > room) room = e->plan->bytes[!side];
  return (int64_t)room;
}

static void grow_side(mfft_plan plan, mfft_direction direction, int64_t bytes) {
  mfft_side side = direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN;
  if (plan->desc.placement == MFFT_IN_PLACE && (side == MFFT_IN ? plan->desc.in_box : plan->desc.out_box)) side = !side;
  if ((size_t)bytes <= plan->bytes[side]) return;
  int64_t element = plan->element_bytes;
  if (side == MFFT_IN && plan->desc.kind == MFFT_R2C) element /= 2;
  plan->count[side] = (bytes + element - 1) / element;
  plan->bytes[side] = (size_t)(plan->count[side] * element);
}

mfft_place mfft_place_of(mfft_emitter *e, mfft_role role, int64_t offset, int64_t bytes) {
  const mfft_buffer buffers[] = {
      [MFFT_ROLE_INPUT] = e->input,          [MFFT_ROLE_DATA] = MFFT_BUFFER_DST,   [MFFT_ROLE_WORK] = MFFT_BUFFER_WORK,
      [MFFT_ROLE_BESIDE] = MFFT_BUFFER_WORK, [MFFT_ROLE_CHUNK] = MFFT_BUFFER_WORK, [MFFT_ROLE_NONE] = MFFT_BUFFER_WORK};
  if (role == MFFT_ROLE_BESIDE) offset += e->room;
  mfft_place place = {buffers[role], offset};
  if (role == MFFT_ROLE_DATA && offset + bytes > mfft_data_room(e)) place.buffer = MFFT_BUFFER_SPARE;
  if (place.buffer == MFFT_BUFFER_DST) grow_side(e->plan, e->direction, offset + bytes);
  if (role != MFFT_ROLE_NONE && place.buffer >= MFFT_BUFFER_WORK) {
    size_t *size = &e->plan->work_bytes[place.buffer];
    if ((size_t)(offset + bytes) > *size) *size = (size_t)(offset + bytes);
  }
  return place;
}

int64_t mfft_areas_bytes(const mfft_route *route) {
  return mfft_line_bytes(route->send_bytes) + mfft_line_bytes(route->recv_bytes);
}

/* Room for messages beside the arrays. */
static mfft_place area_of(mfft_emitter *e, int64_t offset, int64_t bytes) {
  size_t *size = &e->plan->work_bytes[MFFT_BUFFER_AREA];
  if ((size_t)(offset + bytes) > *size) *size = (size_t)(offset + bytes);
  return (mfft_place){MFFT_BUFFER_AREA, offset};
}

typedef struct hop {
  mfft_stop *a, *b;
  mfft_move move;
  mfft_route route;
  int first_transfer;           /* of route.chunks, in the list of the plan */
  mfft_place send, recv;        /* areas */
  int by_chunks_a, by_chunks_b; /* the transform before (behind) runs chunk by chunk */
  int chunk_role;               /* the transform before leaves one chunk at a time */
  int start_late;               /* what arrives would overwrite what is still to be sent or transformed */
  int unpack_late;              /* what is unpacked would overwrite what is still on its way out */
  int stored;                   /* the transform before stores into the windows of those behind */
  int kept;                     /* the transform before stores what stays on this rank where it belongs */
  int stays;                    /* what stays on this rank is copied beside the stages, from array to array */
  int pull;                     /* direct copies fetch from the sender's WORK; else they store into the receiver's */
  int sends_messages;           /* from the array */
  int joined;                   /* with the hop before */
  int64_t areas_end;            /* of areas beside the arrays: in AREA */
} hop;

/* The ends of what stays on this rank. */
static mfft_where self_from(const hop *h) { return h->move.pack_all && !h->chunk_role ? MFFT_IN_AREA : MFFT_IN_ARRAY; }
static mfft_where self_to(const hop *h) { return h->move.unpack_all ? MFFT_IN_AREA : MFFT_IN_ARRAY; }

/* Of direct copies, the array in the window. */
static mfft_place in_window(const hop *h) { return h->pull ? mfft_stop_sent(h->a)->place : h->b->in.place; }

static int overlap(const mfft_array *a, const mfft_array *b) {
  const mfft_place *x = &a->place, *y = &b->place;
  return x->buffer == y->buffer && x->offset_bytes < y->offset_bytes + mfft_array_bytes(b) &&
         y->offset_bytes < x->offset_bytes + mfft_array_bytes(a);
}

/* Whether starting a chunk may write to where an array lies. */
static int lands_in(const hop *h, const mfft_array *a) {
  return (!h->move.unpack_all && overlap(&h->b->in, a)) || (h->route.unpacks && h->recv.buffer == a->place.buffer);
}

/* Whether what may still be on its way out lies there. */
static int leaves_from(const hop *h, const mfft_array *a) {
  const int from_array = h->route.sends_array || h->stays;
  return (h->route.packs && h->send.buffer == a->place.buffer) || (from_array && overlap(&h->a->out, a));
}

/* The dangers of the order of stages, from the buffers that the steps of the hop read and write. */
static void find_hazards(hop *h) {
  if (h->a->narrows) return; /* what is sent and what arrives have places of their own */
  h->start_late = (h->by_chunks_a && lands_in(h, &h->a->in)) || (!h->chunk_role && lands_in(h, &h->a->out));
  h->unpack_late = h->route.unpacks && leaves_from(h, &h->b->in);
  if (h->by_chunks_b && h->route.unpacks && h->recv.buffer == h->b->out.place.buffer) h->by_chunks_b = 0;
  if (h->by_chunks_b) h->unpack_late |= leaves_from(h, &h->b->out);
}

/* Chunk c of the array before the transform. */
static mfft_region region_before(const hop *h, int c) {
  return mfft_cut_before(&h->a->in.box, h->a->in.batch, &h->a->cut, c);
}

static mfft_status emit_produce(mfft_emitter *e, hop *h, int c) {
  mfft_stop *a = h->a;
  const mfft_array *source = &a->out;
  mfft_array chunk;
  if (h->by_chunks_a) {
    mfft_region region = region_before(h, c);
    if (h->chunk_role) {
      mfft_region after = mfft_cut_before(&a->out.box, a->out.batch, &a->cut, c);
      chunk = mfft_array_of(e, &after.box, after.batch_hi - after.batch_lo, a->real_after, 0);
      chunk.place = a->out.place;
      /* The batches of a chunk begin at its own first one. */
      mfft_region shifted = region;
      mfft_array in = a->in;
      in.place.offset_bytes += region.batch_lo * in.dist * in.element_bytes;
      shifted.batch_hi -= shifted.batch_lo;
      shifted.batch_lo = 0;
      MFFT_TRY(mfft_emit_fft(e, a, &shifted, &in, &chunk));
      source = &chunk;
    } else if (h->kept) {
      MFFT_TRY(mfft_emit_kept(e, a, h->b, &region));
    } else if (mfft_stop_resizes(e, a)) {
      MFFT_TRY(mfft_emit_resize(e, a, &region));
    } else {
      MFFT_TRY(mfft_emit_fft(e, a, &region, &a->in, &a->out));
    }
  }
  mfft_chunk *blocks = &h->route.chunk[c];
  MFFT_TRY(mfft_emit_copy(e, "pack", c, &blocks->pack, a->out.element_bytes, source->place, h->send));
  MFFT_TRY(mfft_emit_convert(e, 1, c, &blocks->narrow, a->out.element_bytes, source->place, h->send));
  /* What stays here and is read from a chunk must go at once. */
  if (h->chunk_role)
    MFFT_TRY(mfft_emit_copy(e, "keep", c, &blocks->self, a->out.element_bytes, source->place, h->b->in.place));
  return MFFT_SUCCESS;
}

static mfft_transfer *transfer_of(const mfft_emitter *e, const hop *h, int c) {
  return e->dist->transfer[h->first_transfer + c];
}

static mfft_status emit_start(mfft_emitter *e, hop *h, int c) {
  mfft_place from = self_from(h) == MFFT_IN_AREA ? h->send : mfft_stop_sent(h->a)->place;
  mfft_place to = self_to(h) == MFFT_IN_AREA ? h->recv : h->b->in.place;
  MFFT_ADD_STAGE(stage, MFFT_STAGE_START, "start %d/%d", c, h->route.chunks);
  stage->transfer = transfer_of(e, h, c);
  stage->in = mfft_stop_sent(h->a)->place;
  stage->out = h->b->in.place;
  stage->send = h->send;
  stage->recv = h->recv;
  if (e->dist->transport->direct) return MFFT_SUCCESS; /* which does this copy too, beside the others */
  return mfft_emit_copy(e, "keep", c, &h->route.chunk[c].self, h->a->out.element_bytes, from, to);
}

static mfft_status emit_wait(mfft_emitter *e, hop *h, int c) {
  MFFT_ADD_STAGE(stage, MFFT_STAGE_WAIT, "wait %d/%d", c, h->route.chunks);
  stage->transfer = transfer_of(e, h, c);
  return MFFT_SUCCESS;
}

static mfft_status emit_consume(mfft_emitter *e, hop *h, int c) {
  MFFT_TRY(mfft_emit_copy(e, "unpack", c, &h->route.chunk[c].unpack, h->a->out.element_bytes, h->recv, h->b->in.place));
  MFFT_TRY(mfft_emit_convert(e, 0, c, &h->route.chunk[c].widen, h->a->out.element_bytes, h->recv, h->b->in.place));
  if (!h->by_chunks_b) return MFFT_SUCCESS;
  mfft_region region = mfft_cut_behind(&h->b->in.box, h->b->in.batch, &h->a->cut, c);
  if (mfft_stop_resizes(e, h->b)) return mfft_emit_resize(e, h->b, &region);
  return mfft_emit_fft(e, h->b, &region, &h->b->in, &h->b->out);
}

static mfft_status create_transfers(mfft_emitter *e, hop *h, int exchange) {
  mfft_plan plan = e->plan;
  struct mfft_dist *dist = plan->dist;
  int chunks = h->route.chunks;
  mfft_transfer **grown = realloc(dist->transfer, (size_t)(dist->ntransfers + chunks) * sizeof *grown);
  if (!grown) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d transfers", chunks);
  dist->transfer = grown;
  h->first_transfer = dist->ntransfers;
  if (chunks > dist->most_chunks) dist->most_chunks = chunks;
  for (int c = 0; c < chunks; c++) {
    char what[64];
    snprintf(what, sizeof what, "%s exchange %d, chunk %d of %d", e->direction == MFFT_FORWARD ? "forward" : "backward",
             exchange, c, chunks);
    const mfft_region region = region_before(h, c);
    const mfft_shares shares = h->stored ? mfft_shares_of(e, h->a, h->b, &region) : (mfft_shares){0};
    const mfft_transfer_spec spec = {.group = &dist->group[exchange],
                                     .chunk = &h->route.chunk[c],
                                     .what = what,
                                     .reach = &dist->reach,
                                     .flow = &dist->flow,
                                     .window = &dist->window,
                                     .pull = h->pull,
                                     .window_offset_bytes = in_window(h).offset_bytes,
                                     .recv_offset_bytes = h->recv.offset_bytes,
                                     .far = dist->transport->far,
                                     .element_bytes = mfft_stop_sent(h->a)->element_bytes,
                                     .copy_blocks = plan->copy_blocks,
                                     .lanes = &dist->lanes,
                                     .shares = h->stored ? &shares : NULL};
    MFFT_TRY(dist->transport->create(&spec, &dist->transfer[h->first_transfer + c]));
    dist->ntransfers++;
  }
  return MFFT_SUCCESS;
}

/* ---- The order of stages ---- */

/* Pack 0, start 0, pack 1, start 1, ... */
static mfft_status emit_first_half(mfft_emitter *e, hop *h) {
  const mfft_region all = {h->a->in.box, 0, h->a->in.batch};
  if (!h->by_chunks_a && !h->a->transformed)
    MFFT_TRY(h->kept ? mfft_emit_kept(e, h->a, h->b, &all) : mfft_emit_whole(e, h->a));
  for (int c = 0; c < h->route.chunks; c++) {
    MFFT_TRY(emit_produce(e, h, c));
    if (!h->start_late) MFFT_TRY(emit_start(e, h, c));
  }
  for (int c = 0; h->start_late && c < h->route.chunks; c++) MFFT_TRY(emit_start(e, h, c));
  return MFFT_SUCCESS;
}

/* Open 0, FFT 0, start 0, open 1, ... */
static mfft_status emit_first_half_stored(mfft_emitter *e, hop *h) {
  for (int c = 0; c < h->route.chunks; c++) {
    const mfft_region region = region_before(h, c);
    MFFT_ADD_STAGE(stage, MFFT_STAGE_OPEN, "open %d/%d", c, h->route.chunks);
    stage->transfer = transfer_of(e, h, c);
    MFFT_TRY(mfft_emit_scatter(e, h->a, h->b, &region, transfer_of(e, h, c)));
    MFFT_TRY(emit_start(e, h, c));
  }
  return MFFT_SUCCESS;
}

/* Wait 0, unpack 0, FFT 0, wait 1, ... of the chunks from `first` to before `end`. */
static mfft_status emit_arrivals(mfft_emitter *e, hop *h, int first, int end) {
  for (int c = first; c < end; c++) {
    if (!h->unpack_late) MFFT_TRY(emit_wait(e, h, c));
    MFFT_TRY(emit_consume(e, h, c));
  }
  return MFFT_SUCCESS;
}

static mfft_status emit_second_half(mfft_emitter *e, hop *h) {
  for (int c = 0; h->unpack_late && c < h->route.chunks; c++) MFFT_TRY(emit_wait(e, h, c));
  MFFT_TRY(emit_arrivals(e, h, 0, h->route.chunks));
  if (h->by_chunks_b) h->b->transformed = 1;
  return MFFT_SUCCESS;
}

/* How many chunks of an exchange must have arrived before the transform behind it can take a region. */
static int chunks_for(const hop *h, const mfft_region *region) {
  for (int c = h->route.chunks - 1; c >= 0; c--) {
    const mfft_region arrives = mfft_cut_behind(&h->b->in.box, h->b->in.batch, &h->a->cut, c);
    const mfft_box meet = mfft_box_intersect(&arrives.box, &region->box);
    if (!mfft_box_empty(&meet) && arrives.batch_lo < region->batch_hi && region->batch_lo < arrives.batch_hi) return c + 1;
  }
  return 0;
}

/* Wait 0, unpack 0 of the first, FFT 0, start 0 of the second, wait 1, ... */
static mfft_status emit_joined(mfft_emitter *e, hop *first, hop *second) {
  int arrived = 0;
  first->by_chunks_b = 0; /* the transform goes by the chunks of the second */
  for (int c = 0; c < second->route.chunks; c++) {
    const mfft_region region = region_before(second, c);
    const int needed = chunks_for(first, &region);
    MFFT_TRY(emit_arrivals(e, first, arrived, needed));
    arrived = needed > arrived ? needed : arrived;
    MFFT_TRY(emit_produce(e, second, c));
    MFFT_TRY(emit_start(e, second, c));
  }
  return emit_arrivals(e, first, arrived, first->route.chunks);
}

/* ---- Which hops are joined ---- */

/* Whether every element of one lies where it lies in the other. */
static int same_array(const mfft_array *a, const mfft_array *b) {
  return a->place.buffer == b->place.buffer && a->place.offset_bytes == b->place.offset_bytes &&
         a->element_bytes == b->element_bytes && a->dist == b->dist && memcmp(a->stride, b->stride, sizeof a->stride) == 0;
}

/* Whether every element that arrives by the second hop lies where the first one took it from: then it was read before the
 * transform between them had it, and it may be overwritten while others are still on their way. */
static int returns(const hop *first, const hop *second) {
  return same_array(mfft_stop_sent(first->a), &second->b->in) && !first->sends_messages &&
         mfft_layout_equal(first->a->after, second->b->before);
}

/* Whether the transform between two hops can go by the chunks of both: nothing that the second one writes may still be read
 * or written by the first. */
static int can_join(const mfft_emitter *e, const hop *first, const hop *second) {
  const mfft_array *sent = mfft_stop_sent(first->a), *arrived = &first->b->in;
  const mfft_array *made = &second->a->out, *sends = mfft_stop_sent(second->a), *back = &second->b->in;
  if (!e->dist->transport->direct || !first->a->cut_behind || first->a->cut.chunks <= 1 || first->unpack_late) return 0;
  if (!second->by_chunks_a || second->stored || second->chunk_role) return 0;
  if (overlap(sent, made) || (overlap(arrived, made) && !same_array(arrived, made))) return 0;
  if (second->a->narrows && (overlap(sent, sends) || overlap(arrived, sends))) return 0;
  return !overlap(arrived, back) && !overlap(made, back) && (!overlap(sent, back) || returns(first, second));
}

/* ---- The exchanges of a direction, one after another ---- */

/* Whether messages, to other nodes, begin in the array. */
static int sends_messages(const mfft_route *route) {
  for (int c = 0; c < route->chunks; c++)
    for (int64_t i = 0; i < route->chunk[c].send.count; i++)
      if (route->chunk[c].send.message[i].where == MFFT_IN_ARRAY) return 1;
  return 0;
}

/* Everything of the exchange behind stop i but its stages.  before: the hop before it, or NULL. */
static mfft_status prepare(mfft_emitter *e, int i, const hop *before, hop *h) {
  *h = (hop){.a = &e->stop[i], .b = &e->stop[i + 1], .move = e->choice[i].move, .stored = e->choice[i].stored};
  const int direct = e->dist->transport->direct;
  if (h->stored && !h->a->keeps_cut) {
    h->a->cut = (mfft_cut){.chunks = 1};
    h->a->cut_before = h->a->cut_behind = 0;
  }
  h->chunk_role = e->choice[i].fft_out == MFFT_ROLE_CHUNK;
  h->kept = e->choice[i].kept && h->a->node->axes && !h->move.pack_all && !h->move.unpack_all;
  h->by_chunks_a = h->a->cut_before && h->a->cut.chunks > 1;
  h->by_chunks_b = h->a->cut_behind && h->a->cut.chunks > 1 && e->choice[i + 1].fft_out != MFFT_ROLE_CHUNK &&
                   !e->choice[i + 1].stored && !h->b->narrows;
  h->joined = before && can_join(e, before, h);
  if (before && before->by_chunks_b && !h->joined) h->by_chunks_a = h->kept = 0; /* it will be transformed already */

  mfft_route_spec spec = mfft_stop_route(e, h->a, h->b, e->dist->rank, h->a->cut);
  h->pull = spec.pull = h->move.out != MFFT_ROLE_WORK || h->a->narrows;
  spec.pack_all = h->move.pack_all;
  spec.unpack_all = h->move.unpack_all;
  spec.from_regions = h->chunk_role;
  spec.self_from = self_from(h);
  spec.self_to = self_to(h);
  MFFT_TRY(mfft_route_build(&spec, &h->route));
  const int64_t send_room = mfft_line_bytes(h->route.send_bytes);
  for (int c = 0; h->kept && c < h->route.chunks; c++) h->route.chunk[c].self.count = 0;
  for (int c = 0; direct && c < h->route.chunks; c++) h->stays |= h->route.chunk[c].self.count > 0;
  h->sends_messages = sends_messages(&h->route);
  if (direct || e->apart) {
    const int64_t begin = h->joined ? before->areas_end : 0;
    h->send = area_of(e, begin, h->route.send_bytes);
    h->recv = area_of(e, begin + send_room, h->route.recv_bytes);
    h->areas_end = begin + mfft_areas_bytes(&h->route);
  } else {
    h->send = mfft_place_of(e, h->move.send, 0, h->route.send_bytes);
    h->recv = mfft_place_of(e, h->move.recv, 0, h->route.recv_bytes);
  }
  /* Packing a chunk must not overwrite what is still to be transformed. */
  if (h->route.packs && h->send.buffer == h->a->in.place.buffer && !h->chunk_role) h->by_chunks_a = 0;
  if (h->chunk_role) h->a->out.place = mfft_place_of(e, MFFT_ROLE_CHUNK, send_room, mfft_largest_chunk(e, h->a));
  MFFT_TRY(create_transfers(e, h, e->direction == MFFT_FORWARD ? i : e->count - 2 - i));
  if (!h->stored) find_hazards(h); /* WORK is neither read nor written before the exchange */
  return MFFT_SUCCESS;
}

static mfft_status emit_hop(mfft_emitter *e, int i, hop *before, hop *h) {
  MFFT_TRY(prepare(e, i, before, h));
  if (h->joined) return emit_joined(e, before, h);
  if (before) MFFT_TRY(emit_second_half(e, before));
  return h->stored ? emit_first_half_stored(e, h) : emit_first_half(e, h);
}

mfft_status mfft_emit_hops(mfft_emitter *e) {
  mfft_status status = MFFT_SUCCESS;
  hop hops[MFFT_MAX_NODES] = {{0}}; /* [count - 1] */
  for (int i = 0; i + 1 < e->count && status == MFFT_SUCCESS; i++)
    status = emit_hop(e, i, i ? &hops[i - 1] : NULL, &hops[i]);
  if (e->count > 1 && status == MFFT_SUCCESS) status = emit_second_half(e, &hops[e->count - 2]);
  for (int i = 0; i + 1 < e->count; i++) mfft_route_free(&hops[i].route);
  return status;
}
