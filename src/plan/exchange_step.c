/* exchange_step.c: writes exchanges with the transforms before and after them that follow their chunks.
 *
 * An exchange step has two halves: data is produced and its exchange started; then it is awaited and consumed.  If a
 * transform can follow the chunks of the exchanges on both of its sides, the second half of one step and the first half
 * of the next are written as one: the steps are joined. */
#include "plan/exchange_step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/chunks.h"
#include "plan/host_cut.h"
#include "plan/peer_store.h"
#include "plan/places.h"
#include "plan/stages.h"

typedef struct exchange_step {
  mfft_step *a, *b;
  mfft_move move;
  mfft_route route;
  int first_transfer;           /* index in the plan's list; route.chunks of them */
  mfft_place send, recv;        /* areas */
  int by_chunks_a, by_chunks_b; /* the transform before (after) follows the chunks */
  int one_chunk;                /* the transform before writes one chunk at a time (MFFT_ASSIGN_CHUNK) */
  int start_late;               /* received data would overwrite data that is still to be sent or transformed */
  int unpack_late;              /* unpacking would overwrite data that unfinished sends read */
  int stored;                   /* the transform before stores into the windows of the ranks after */
  int stored_own;               /* the transform before stores the part of its own rank in the target */
  int stays;                    /* a direct transport copies the part that stays on this rank */
  int pull;                     /* direct copies load from the sender's WORK; 0: they store into the receiver's */
  int sends_messages;           /* messages are sent from the array */
  int joined;                   /* with the previous exchange step */
  int slices;                   /* chunks are slices of the boxes of both ends (mfft_cut_is_slices, which asks all ranks) */
  int64_t areas_end;            /* end of the areas in AREA */
} exchange_step;

/* Array or area, for either end of the part that stays on this rank. */
static mfft_where self_from(const exchange_step *x) {
  return x->move.pack_all && !x->one_chunk ? MFFT_IN_AREA : MFFT_IN_ARRAY;
}
static mfft_where self_to(const exchange_step *x) { return x->move.unpack_all ? MFFT_IN_AREA : MFFT_IN_ARRAY; }

/* The array of a direct copy that is in a window. */
static mfft_place in_window(const exchange_step *x) { return x->pull ? mfft_step_sent(x->a)->place : x->b->in.place; }

/* Whether starting a chunk may write into this array. */
static int start_writes(const exchange_step *x, const mfft_array *a) {
  return (!x->move.unpack_all && mfft_arrays_overlap(&x->b->in, a)) ||
         (x->route.unpacks && x->recv.buffer == a->place.buffer);
}

/* Whether unfinished sends may read this array. */
static int sends_read(const exchange_step *x, const mfft_array *a) {
  const int from_array = x->route.sends_array || x->stays;
  return (x->route.packs && x->send.buffer == a->place.buffer) || (from_array && mfft_arrays_overlap(&x->a->out, a));
}

/* Determines which stages must be delayed, from the buffers that the steps of the exchange read and write. */
static void find_hazards(exchange_step *x) {
  if (x->a->narrows) return; /* the narrow arrays have memory of their own */
  x->start_late = (x->by_chunks_a && start_writes(x, &x->a->in)) || (!x->one_chunk && start_writes(x, &x->a->out));
  x->unpack_late = x->route.unpacks && sends_read(x, &x->b->in);
  if (x->by_chunks_b && x->route.unpacks && x->recv.buffer == x->b->out.place.buffer) x->by_chunks_b = 0;
  if (x->by_chunks_b) x->unpack_late |= sends_read(x, &x->b->out);
}

/* The region of chunk c before the transform. */
static mfft_region region_before(const exchange_step *x, int c) {
  return mfft_cut_before(&x->a->in.box, x->a->in.batch, &x->a->cut, c);
}

/* Notes the bytes that stages of chunk c touch of the arrays before and after, from stage `first` of the program on.  A
 * chunk that is a slice of every source box may be no slice of the target box, and conversely. */
static void note_touches(const mfft_emitter *e, const exchange_step *x, int c, int first) {
  const mfft_array *sent = mfft_step_sent(x->a), *arrived = &x->b->in;
  const mfft_cut *cut = &x->a->cut;
  const mfft_region leaves = mfft_cut_before(&sent->box, sent->batch, cut, c);
  const mfft_region arrives = mfft_cut_after(&arrived->box, arrived->batch, cut, c);
  for (int i = first; i < e->program->count; i++) {
    mfft_stage *stage = &e->program->stage[i];
    if ((x->slices || !cut->target) && mfft_place_equal(stage->in, sent->place))
      stage->touch[0] = mfft_array_extent(sent, &leaves);
    if ((x->slices || cut->target || cut->early) && mfft_place_equal(stage->out, arrived->place))
      stage->touch[1] = mfft_array_extent(arrived, &arrives);
  }
}

static mfft_status emit_produce(mfft_emitter *e, exchange_step *x, int c) {
  mfft_step *a = x->a;
  const mfft_array *source = &a->out;
  mfft_array chunk;
  if (x->by_chunks_a) {
    mfft_region region = region_before(x, c);
    if (x->one_chunk) {
      mfft_region after = mfft_cut_before(&a->out.box, a->out.batch, &a->cut, c);
      chunk = mfft_array_of(e->plan->desc.precision, &after.box, after.batch_hi - after.batch_lo, a->real_after, 0);
      chunk.place = a->out.place;
      /* A chunk's buffer holds only the batch indices of that chunk. */
      mfft_region shifted = region;
      mfft_array in = a->in;
      in.place.offset_bytes += region.batch_lo * in.dist * in.element_bytes;
      shifted.batch_hi -= shifted.batch_lo;
      shifted.batch_lo = 0;
      MFFT_TRY(mfft_emit_fft(e, a, &shifted, &in, &chunk));
      source = &chunk;
    } else if (x->stored_own) {
      MFFT_TRY(mfft_emit_scatter_own(e, a, x->b, &region));
    } else if (mfft_step_resizes(e, a)) {
      MFFT_TRY(mfft_emit_resize(e, a, &region));
    } else {
      MFFT_TRY(mfft_emit_fft(e, a, &region, &a->in, &a->out));
    }
  }
  mfft_chunk *blocks = &x->route.chunk[c];
  const int first = e->program->count;
  MFFT_TRY(mfft_emit_copy(e, "pack", c, &blocks->pack, a->out.element_bytes, source->place, x->send));
  MFFT_TRY(mfft_emit_convert(e, 1, c, &blocks->narrow, a->out.element_bytes, source->place, x->send));
  /* Data that stays on this rank is copied at once, since the next chunk overwrites its source. */
  if (x->one_chunk)
    MFFT_TRY(mfft_emit_copy(e, "self", c, &blocks->self, a->out.element_bytes, source->place, x->b->in.place));
  if (!x->one_chunk) note_touches(e, x, c, first);
  return MFFT_SUCCESS;
}

static mfft_transfer *transfer_of(const mfft_emitter *e, const exchange_step *x, int c) {
  return e->dist->transfer[x->first_transfer + c];
}

static mfft_status emit_start(mfft_emitter *e, exchange_step *x, int c) {
  const int first = e->program->count;
  mfft_place from = self_from(x) == MFFT_IN_AREA ? x->send : mfft_step_sent(x->a)->place;
  mfft_place to = self_to(x) == MFFT_IN_AREA ? x->recv : x->b->in.place;
  MFFT_ADD_STAGE(stage, MFFT_STAGE_START, "start %d/%d", c, x->route.chunks);
  stage->chunk = c;
  stage->transfer = transfer_of(e, x, c);
  stage->in = mfft_step_sent(x->a)->place;
  stage->out = x->b->in.place;
  stage->send = x->send;
  stage->recv = x->recv;
  if (!e->dist->transport->direct) /* a direct transfer does the copy of this rank too */
    MFFT_TRY(mfft_emit_copy(e, "self", c, &x->route.chunk[c].self, x->a->out.element_bytes, from, to));
  note_touches(e, x, c, first);
  return MFFT_SUCCESS;
}

static mfft_status emit_wait(mfft_emitter *e, exchange_step *x, int c) {
  const int first = e->program->count;
  MFFT_ADD_STAGE(stage, MFFT_STAGE_WAIT, "wait %d/%d", c, x->route.chunks);
  stage->chunk = c;
  stage->transfer = transfer_of(e, x, c);
  stage->in = stage->out = x->b->in.place;
  note_touches(e, x, c, first);
  return MFFT_SUCCESS;
}

static mfft_status emit_consume(mfft_emitter *e, exchange_step *x, int c) {
  const int first = e->program->count;
  MFFT_TRY(mfft_emit_copy(e, "unpack", c, &x->route.chunk[c].unpack, x->a->out.element_bytes, x->recv, x->b->in.place));
  MFFT_TRY(mfft_emit_convert(e, 0, c, &x->route.chunk[c].widen, x->a->out.element_bytes, x->recv, x->b->in.place));
  note_touches(e, x, c, first);
  if (!x->by_chunks_b) return MFFT_SUCCESS;
  mfft_region region = mfft_cut_after(&x->b->in.box, x->b->in.batch, &x->a->cut, c);
  if (mfft_step_resizes(e, x->b)) return mfft_emit_resize(e, x->b, &region);
  return mfft_emit_fft(e, x->b, &region, &x->b->in, &x->b->out);
}

static mfft_status create_transfers(mfft_emitter *e, exchange_step *x, int exchange) {
  mfft_plan plan = e->plan;
  struct mfft_dist *dist = plan->dist;
  int chunks = x->route.chunks;
  mfft_transfer **grown = realloc(dist->transfer, (size_t)(dist->ntransfers + chunks) * sizeof *grown);
  if (!grown) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d transfers", chunks);
  dist->transfer = grown;
  x->first_transfer = dist->ntransfers;
  if (chunks > dist->most_chunks) dist->most_chunks = chunks;
  for (int c = 0; c < chunks; c++) {
    char what[64];
    snprintf(what, sizeof what, "%s exchange %d, chunk %d of %d", e->direction == MFFT_FORWARD ? "forward" : "backward",
             exchange, c, chunks);
    const mfft_region region = region_before(x, c);
    const mfft_shares shares = x->stored ? mfft_shares_of(e, x->a, x->b, &region) : (mfft_shares){0};
    const mfft_transfer_spec spec = {.group = &dist->group[exchange],
                                     .chunk = &x->route.chunk[c],
                                     .what = what,
                                     .topology = &dist->topology,
                                     .flow = &dist->flow,
                                     .window = &dist->window,
                                     .pull = x->pull,
                                     .window_offset_bytes = in_window(x).offset_bytes,
                                     .recv_offset_bytes = x->recv.offset_bytes,
                                     .far = dist->transport->far,
                                     .element_bytes = mfft_step_sent(x->a)->element_bytes,
                                     .copy_blocks = plan->copy_blocks,
                                     .lanes = &dist->lanes,
                                     .shares = x->stored ? &shares : NULL};
    MFFT_TRY(dist->transport->create(&spec, &dist->transfer[x->first_transfer + c]));
    dist->ntransfers++;
  }
  return MFFT_SUCCESS;
}

/* ---- The sequence of stages ---- */

/* The transform before the exchange, not by chunks, where it stores the part of its own rank. */
static mfft_status emit_stored_own(mfft_emitter *e, exchange_step *x) {
  const mfft_array *in = &x->a->in;
  mfft_cut cut = {.chunks = 1};
  if (e->plan->options.host_arrays) cut = mfft_host_cut(e, x->a);
  for (int c = 0; c < cut.chunks; c++) {
    const mfft_region region = mfft_cut_before(&in->box, in->batch, &cut, c);
    MFFT_TRY(mfft_emit_scatter_own(e, x->a, x->b, &region));
  }
  return MFFT_SUCCESS;
}

/* Pack 0, start 0, pack 1, start 1, ... */
static mfft_status emit_first_half(mfft_emitter *e, exchange_step *x) {
  if (!x->by_chunks_a && !x->a->transformed) MFFT_TRY(x->stored_own ? emit_stored_own(e, x) : mfft_emit_whole(e, x->a));
  for (int c = 0; c < x->route.chunks; c++) {
    MFFT_TRY(emit_produce(e, x, c));
    if (!x->start_late) MFFT_TRY(emit_start(e, x, c));
  }
  for (int c = 0; x->start_late && c < x->route.chunks; c++) MFFT_TRY(emit_start(e, x, c));
  return MFFT_SUCCESS;
}

/* Open 0, FFT 0, start 0, open 1, ... */
static mfft_status emit_first_half_stored(mfft_emitter *e, exchange_step *x) {
  for (int c = 0; c < x->route.chunks; c++) {
    const mfft_region region = region_before(x, c);
    MFFT_ADD_STAGE(stage, MFFT_STAGE_OPEN, "open %d/%d", c, x->route.chunks);
    stage->chunk = c;
    stage->transfer = transfer_of(e, x, c);
    MFFT_TRY(mfft_emit_scatter(e, x->a, x->b, &region, transfer_of(e, x, c)));
    MFFT_TRY(emit_start(e, x, c));
  }
  return MFFT_SUCCESS;
}

/* Wait 0, unpack 0, FFT 0, wait 1, ...  for chunks [first, end). */
static mfft_status emit_arrivals(mfft_emitter *e, exchange_step *x, int first, int end) {
  for (int c = first; c < end; c++) {
    if (!x->unpack_late) MFFT_TRY(emit_wait(e, x, c));
    MFFT_TRY(emit_consume(e, x, c));
  }
  return MFFT_SUCCESS;
}

static mfft_status emit_second_half(mfft_emitter *e, exchange_step *x) {
  for (int c = 0; x->unpack_late && c < x->route.chunks; c++) MFFT_TRY(emit_wait(e, x, c));
  MFFT_TRY(emit_arrivals(e, x, 0, x->route.chunks));
  if (x->by_chunks_b) x->b->transformed = 1;
  return MFFT_SUCCESS;
}

/* How many chunks of an exchange must have arrived before the transform after it can use a region. */
static int chunks_for(const exchange_step *x, const mfft_region *region) {
  for (int c = x->route.chunks - 1; c >= 0; c--) {
    const mfft_region arrives = mfft_cut_after(&x->b->in.box, x->b->in.batch, &x->a->cut, c);
    const mfft_box meet = mfft_box_intersect(&arrives.box, &region->box);
    if (!mfft_box_empty(&meet) && arrives.batch_lo < region->batch_hi && region->batch_lo < arrives.batch_hi) return c + 1;
  }
  return 0;
}

/* Wait 0, unpack 0 of the first, FFT 0, start 0 of the second, wait 1, ... */
static mfft_status emit_joined(mfft_emitter *e, exchange_step *first, exchange_step *second) {
  int arrived = 0;
  first->by_chunks_b = 0; /* the transform follows the chunks of the second exchange */
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

/* ---- Which exchanges are joined ---- */

/* Whether the second exchange writes_back every element to the address that the first one sent it from.  Such an element was
 * sent before the transform between them read it, so it may be overwritten while other elements are still being sent. */
static int writes_back(const exchange_step *first, const exchange_step *second) {
  return mfft_arrays_coincide(mfft_step_sent(first->a), &second->b->in) && !first->sends_messages &&
         mfft_layout_equal(first->a->after, second->b->before);
}

/* Whether the transform between two exchanges can follow the chunks of both: the first exchange must not read or write
 * anything that the second one writes. */
static int can_join(const mfft_emitter *e, const exchange_step *first, const exchange_step *second) {
  const mfft_array *sent = mfft_step_sent(first->a), *arrived = &first->b->in;
  const mfft_array *made = &second->a->out, *sends = mfft_step_sent(second->a), *back = &second->b->in;
  if (!e->dist->transport->direct || !first->a->cut_behind || first->a->cut.chunks <= 1 || first->unpack_late) return 0;
  if (!second->by_chunks_a || second->stored || second->one_chunk) return 0;
  if (mfft_arrays_overlap(sent, made) || (mfft_arrays_overlap(arrived, made) && !mfft_arrays_coincide(arrived, made)))
    return 0;
  if (second->a->narrows && (mfft_arrays_overlap(sent, sends) || mfft_arrays_overlap(arrived, sends))) return 0;
  return !mfft_arrays_overlap(arrived, back) && !mfft_arrays_overlap(made, back) &&
         (!mfft_arrays_overlap(sent, back) || writes_back(first, second));
}

/* ---- The exchanges of a direction ---- */

/* Whether messages to other nodes are sent from the array. */
static int sends_messages(const mfft_route *route) {
  for (int c = 0; c < route->chunks; c++)
    for (int64_t i = 0; i < route->chunk[c].send.count; i++)
      if (route->chunk[c].send.message[i].where == MFFT_IN_ARRAY) return 1;
  return 0;
}

/* Decides which transforms follow the chunks of the exchange after step i, and whether it is joined to the previous
 * exchange, `before` (may be NULL). */
static void decide(const mfft_emitter *e, int i, const exchange_step *before, exchange_step *x) {
  if (x->stored && !x->a->stores_by_chunks) {
    x->a->cut = (mfft_cut){.chunks = 1};
    x->a->cut_before = x->a->cut_behind = 0;
  }
  x->one_chunk = e->choice[i].fft_out == MFFT_ASSIGN_CHUNK;
  const int separate =
      e->plan->options.host_arrays && mfft_host_separate_axis(e, x->a) >= 0; /* by two stages, of which none stores */
  x->stored_own = e->choice[i].stored_own && x->a->path_step->axes && !x->move.pack_all && !x->move.unpack_all && !separate;
  x->by_chunks_a = x->a->cut_before && x->a->cut.chunks > 1;
  x->by_chunks_b = x->a->cut_behind && x->a->cut.chunks > 1 && e->choice[i + 1].fft_out != MFFT_ASSIGN_CHUNK &&
                   !e->choice[i + 1].stored && !x->b->narrows;
  x->joined = before && can_join(e, before, x);
  if (before && before->by_chunks_b && !x->joined)
    x->by_chunks_a = x->stored_own = 0; /* its array is transformed before this step */
}

static mfft_status build_route(const mfft_emitter *e, exchange_step *x) {
  mfft_route_spec spec = mfft_step_route(e, x->a, x->b, e->dist->rank, x->a->cut);
  x->pull = spec.pull = x->move.out != MFFT_ASSIGN_WORK || x->a->narrows;
  spec.pack_all = x->move.pack_all;
  spec.unpack_all = x->move.unpack_all;
  spec.from_regions = x->one_chunk;
  spec.self_from = self_from(x);
  spec.self_to = self_to(x);
  MFFT_TRY(mfft_route_build(&spec, &x->route));
  for (int c = 0; x->stored_own && c < x->route.chunks; c++) x->route.chunk[c].self.count = 0;
  for (int c = 0; e->dist->transport->direct && c < x->route.chunks; c++) x->stays |= x->route.chunk[c].self.count > 0;
  x->sends_messages = sends_messages(&x->route);
  return MFFT_SUCCESS;
}

/* Finds the send and receive areas. */
static void place_areas(mfft_emitter *e, const exchange_step *before, exchange_step *x) {
  const int64_t send_area_bytes = mfft_line_bytes(x->route.send_bytes);
  if (e->dist->transport->direct || e->areas_beside) {
    const int64_t begin = x->joined ? before->areas_end : 0;
    x->send = mfft_area_of(e, begin, x->route.send_bytes);
    x->recv = mfft_area_of(e, begin + send_area_bytes, x->route.recv_bytes);
    x->areas_end = begin + mfft_areas_bytes(&x->route);
  } else {
    x->send = mfft_place_of(e, x->move.send, 0, x->route.send_bytes);
    x->recv = mfft_place_of(e, x->move.recv, 0, x->route.recv_bytes);
  }
  /* Packing a chunk must not overwrite data that is still to be transformed. */
  if (x->route.packs && x->send.buffer == x->a->in.place.buffer && !x->one_chunk) x->by_chunks_a = 0;
  if (x->one_chunk) x->a->out.place = mfft_place_of(e, MFFT_ASSIGN_CHUNK, send_area_bytes, mfft_largest_chunk(e, x->a));
}

/* Prepares the exchange after step i, except for its stages.  before: the previous exchange, or NULL. */
static mfft_status prepare(mfft_emitter *e, int i, const exchange_step *before, exchange_step *x) {
  *x = (exchange_step){.a = &e->step[i], .b = &e->step[i + 1], .move = e->choice[i].move, .stored = e->choice[i].stored};
  decide(e, i, before, x);
  x->slices = mfft_cut_is_slices(x->a, x->b, e->dist->rank);
  MFFT_TRY(build_route(e, x));
  place_areas(e, before, x);
  MFFT_TRY(create_transfers(e, x, e->direction == MFFT_FORWARD ? i : e->count - 2 - i));
  if (!x->stored) find_hazards(x); /* nothing reads or writes WORK before the exchange */
  return MFFT_SUCCESS;
}

static mfft_status emit_step(mfft_emitter *e, int i, exchange_step *before, exchange_step *x) {
  MFFT_TRY(prepare(e, i, before, x));
  if (x->joined) return emit_joined(e, before, x);
  if (before) MFFT_TRY(emit_second_half(e, before));
  return x->stored ? emit_first_half_stored(e, x) : emit_first_half(e, x);
}

mfft_status mfft_emit_exchanges(mfft_emitter *e) {
  mfft_status status = MFFT_SUCCESS;
  exchange_step steps[MFFT_MAX_STEPS] = {{0}}; /* [count - 1] */
  for (int i = 0; i + 1 < e->count && status == MFFT_SUCCESS; i++)
    status = emit_step(e, i, i ? &steps[i - 1] : NULL, &steps[i]);
  if (e->count > 1 && status == MFFT_SUCCESS) status = emit_second_half(e, &steps[e->count - 2]);
  for (int i = 0; i + 1 < e->count; i++) mfft_route_free(&steps[i].route);
  return status;
}
