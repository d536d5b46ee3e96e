/* emit.c: from a path to a list of stages. */
#include "core/emit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/env.h"
#include "core/roles.h"

enum { MOST_CHUNKS = 16 };

/* An array in memory: the elements of a box, with batches behind one another. */
typedef struct array {
  mfft_place place;
  mfft_box box;
  int64_t batch;
  int64_t stride[3], dist;
  int64_t element_bytes;
  int real;
} array;

/* One stop of a direction: a node, its array before and after the transform, and the exchange to the next stop. */
typedef struct stop {
  const mfft_node *node;
  const mfft_layout *before, *after;
  int real_before, real_after;
  mfft_cut cut;   /* of the exchange that follows */
  int cut_before; /* the transform of this stop can run chunk by chunk of the exchange that follows */
  int cut_behind; /* the transform of the next stop can run chunk by chunk of it */
  array in, out;
  int transformed; /* its stages are written */
} stop;

typedef struct emitter {
  mfft_plan plan;
  const struct mfft_dist *dist;
  mfft_program *program;
  mfft_direction direction;
  int count;
  stop stop[MFFT_MAX_NODES];          /* [count] in the order of travel */
  mfft_step step[MFFT_MAX_NODES];     /* [count] */
  mfft_choice choice[MFFT_MAX_NODES]; /* [count] */
} emitter;

static int64_t element_bytes(const emitter *e, int real) {
  int64_t bytes = (int64_t)mfft_real_bytes(e->plan->desc.precision);
  return real ? bytes : 2 * bytes;
}

static int64_t array_bytes(const array *a) { return a->batch * a->dist * a->element_bytes; }

static const mfft_box *own(const emitter *e, const mfft_layout *layout) { return &layout->box[e->dist->rank]; }

/* ---- Geometry -----------------------------------------------------------------------------------------------------------
 */

static array array_of(const emitter *e, const mfft_box *box, int64_t batch, int real, int padded) {
  array a = {.box = *box, .batch = batch, .real = real, .element_bytes = element_bytes(e, real)};
  mfft_box rows = *box;
  if (padded) rows.hi[2] = rows.lo[2] + 2 * (mfft_box_extent(box, 2) / 2 + 1);
  mfft_box_strides(&rows, a.stride);
  a.dist = mfft_box_count(&rows);
  return a;
}

/* Whether every box that trades with those of `rank` spans the same range of an axis: then the chunks of both ends are the
 * same slices of the array. */
static int same_slices(const mfft_layout *from, const mfft_layout *to, int rank, int axis) {
  if (axis == MFFT_CUT_BATCH) return 1;
  for (int peer = 0; peer < from->ranks; peer++) {
    const mfft_box *pair[2][2] = {{&from->box[rank], &to->box[peer]}, {&from->box[peer], &to->box[rank]}};
    for (int way = 0; way < 2; way++) {
      mfft_box part = mfft_box_intersect(pair[way][0], pair[way][1]);
      if (!mfft_box_empty(&part) &&
          (pair[way][0]->lo[axis] != pair[way][1]->lo[axis] || pair[way][0]->hi[axis] != pair[way][1]->hi[axis]))
        return 0;
    }
  }
  return 1;
}

/* Whether the transform of a stop can run chunk by chunk of an exchange that is cut along `axis`. */
static int follows(const stop *s, int axis) {
  int touched = axis != MFFT_CUT_BATCH && s->node->axes >> axis & 1;
  return s->node->axes && !touched && !s->node->twiddle;
}

static mfft_route_spec route_spec(const emitter *e, const stop *a, const stop *b, int rank, mfft_cut cut) {
  return (mfft_route_spec){.from = a->after,
                           .to = b->before,
                           .rank = rank,
                           .batch = e->plan->desc.batch,
                           .element_bytes = element_bytes(e, a->real_after),
                           .cut = cut,
                           .run_bytes = (int64_t)mfft_env_number(MFFT_ENV_RUN_BYTES),
                           .one_message = e->dist->transport->one_message};
}

/* Bytes that a rank has to pack and unpack with a cut. */
static mfft_status copied_bytes(const emitter *e, const stop *a, const stop *b, int rank, mfft_cut cut, int64_t *bytes) {
  mfft_route_spec spec = route_spec(e, a, b, rank, cut);
  mfft_route route;
  MFFT_TRY(mfft_route_build(&spec, &route));
  *bytes = route.send_bytes + route.recv_bytes;
  mfft_route_free(&route);
  return MFFT_SUCCESS;
}

static int most_chunks(const emitter *e, const stop *a) {
  if (e->dist->chunks) return e->dist->chunks;
  if (e->dist->transport->one_message) return 1;
  double bytes =
      (double)mfft_layout_largest(a->after) * (double)e->plan->desc.batch * (double)element_bytes(e, a->real_after);
  double chunks = bytes / mfft_env_number(MFFT_ENV_CHUNK_BYTES);
  return chunks > MOST_CHUNKS ? MOST_CHUNKS : chunks < 1 ? 1 : (int)chunks;
}

/* How to cut an exchange: so that the transforms before and behind it can follow its chunks, without shortening runs that
 * travel unpacked; along the slowest such axis.  All ranks look at the routes of rank 0, so that all answer alike. */
static mfft_status choose_cut(const emitter *e, stop *a, const stop *b) {
  const mfft_cut whole = {1, 0, 0};
  int64_t least, copied;
  int best = 0, chunks = most_chunks(e, a);
  a->cut = whole;
  if (chunks <= 1) return MFFT_SUCCESS;
  MFFT_TRY(copied_bytes(e, a, b, 0, whole, &least));
  least += least / 16 + 4096; /* what padding and segments may add */
  for (int axis = MFFT_CUT_BATCH; axis >= 0; axis--)
    for (int target = 0; target < 2; target++) {
      const mfft_cut cut = {chunks, axis, target};
      int same = same_slices(a->after, b->before, 0, axis);
      int worth = (follows(a, axis) && (same || !target)) + (follows(b, axis) && (same || target));
      if (worth < best || worth == 0 || (axis == MFFT_CUT_BATCH && e->plan->desc.batch < chunks)) continue;
      MFFT_TRY(copied_bytes(e, a, b, 0, cut, &copied));
      if (copied > least && !e->dist->chunks) continue;
      best = worth;
      a->cut = cut;
    }
  return MFFT_SUCCESS;
}

/* ---- Stages -------------------------------------------------------------------------------------------------------------
 */

#define ADD_STAGE(stage, ...)                                    \
  mfft_stage *stage = mfft_program_add(e->program, __VA_ARGS__); \
  if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for stage %d", e->program->count)

static mfft_fft_type type_of(const emitter *e, const stop *s) {
  if (s->real_before == s->real_after) return MFFT_FFT_C2C;
  return e->direction == MFFT_FORWARD ? MFFT_FFT_R2C : MFFT_FFT_C2R;
}

static void add_loop(mfft_fft_spec *spec, int64_t n, int64_t is, int64_t os) {
  if (n > 1) spec->loop[spec->nloops++] = (mfft_dim){n, is, os};
}

/* The transform of a stop over one region of its array (before the transform). */
static mfft_status emit_fft(emitter *e, stop *s, const mfft_region *region, const array *in, const array *out) {
  const mfft_path *path = &e->dist->path;
  if (mfft_box_empty(&region->box) || region->batch_hi <= region->batch_lo) return MFFT_SUCCESS;

  mfft_fft_spec spec;
  memset(&spec, 0, sizeof spec); /* plans compare specs byte by byte */
  spec.type = type_of(e, s);
  spec.direction = e->direction;
  spec.precision = e->plan->desc.precision;
  spec.scale = 1;
  int half = spec.type == MFFT_FFT_C2C ? -1 : path->half_axis;
  /* The direction's scale rides on the transform that is its last. */
  int last = 1;
  for (const stop *later = s + 1; later < e->stop + e->count; later++) last &= !later->node->axes;
  if (last) spec.scale = mfft_desc_scale(&e->plan->desc, e->direction);

  mfft_place from = in->place, to = out->place;
  from.offset_bytes += region->batch_lo * in->dist * in->element_bytes;
  to.offset_bytes += region->batch_lo * out->dist * out->element_bytes;
  add_loop(&spec, region->batch_hi - region->batch_lo, in->dist, out->dist);
  char names[4] = "";
  for (int axis = 0; axis < 3; axis++) {
    int64_t n = mfft_box_extent(&region->box, axis);
    if (s->node->axes >> axis & 1) {
      if (axis != half) spec.axis[spec.naxes++] = (mfft_dim){n, in->stride[axis], out->stride[axis]};
      strncat(names, &"x\0y\0z"[2 * axis], 1);
      continue;
    }
    from.offset_bytes += (region->box.lo[axis] - in->box.lo[axis]) * in->stride[axis] * in->element_bytes;
    to.offset_bytes += (region->box.lo[axis] - out->box.lo[axis]) * out->stride[axis] * out->element_bytes;
    add_loop(&spec, n, in->stride[axis], out->stride[axis]);
  }
  if (half >= 0) spec.axis[spec.naxes++] = (mfft_dim){path->n[half], in->stride[half], out->stride[half]};
  spec.in_place = from.buffer == to.buffer && from.offset_bytes == to.offset_bytes;
  spec.destroy_input = from.buffer != MFFT_BUFFER_SRC || e->plan->desc.allow_destroy_input;
  spec.effort = e->plan->desc.effort;
  spec.threads = e->plan->desc.threads;

  mfft_fft *fft;
  MFFT_TRY(mfft_plan_fft(e->plan, &spec, &fft));
  ADD_STAGE(stage, MFFT_STAGE_FFT, "fft %s", names);
  stage->fft = fft;
  stage->in = from;
  stage->out = to;
  return MFFT_SUCCESS;
}

static mfft_status emit_twiddle(emitter *e, const array *a) {
  if (mfft_box_empty(&a->box)) return MFFT_SUCCESS;
  ADD_STAGE(stage, MFFT_STAGE_TWIDDLE, "twiddle");
  stage->out = a->place;
  stage->twiddle = (mfft_twiddle_args){
      .direction = e->direction,
      .n = {a->batch, mfft_box_extent(&a->box, 1), mfft_box_extent(&a->box, 2)},
      .row0 = a->box.lo[1],
      .col0 = a->box.lo[2],
      .length = e->dist->four_step[0] * e->dist->four_step[1],
  };
  return MFFT_SUCCESS;
}

static mfft_status emit_copy(emitter *e, const char *label, int chunk, mfft_block_list *blocks, int64_t bytes,
                             mfft_place from, mfft_place to) {
  if (!blocks->count) return MFFT_SUCCESS;
  ADD_STAGE(stage, MFFT_STAGE_COPY, "%s %d", label, chunk);
  stage->blocks = blocks->block;
  stage->nblocks = blocks->count;
  stage->element_bytes = bytes;
  stage->in = from;
  stage->out = to;
  memset(blocks, 0, sizeof *blocks); /* the stage owns them now */
  return MFFT_SUCCESS;
}

/* The whole transform of a stop, with its twiddle. */
static mfft_status emit_whole(emitter *e, stop *s) {
  s->transformed = 1;
  if (!s->node->axes) return MFFT_SUCCESS;
  if (s->node->twiddle && e->direction == MFFT_BACKWARD) MFFT_TRY(emit_twiddle(e, &s->in));
  const mfft_region all = {s->in.box, 0, s->in.batch};
  MFFT_TRY(emit_fft(e, s, &all, &s->in, &s->out));
  if (s->node->twiddle && e->direction == MFFT_FORWARD) MFFT_TRY(emit_twiddle(e, &s->out));
  return MFFT_SUCCESS;
}

/* ---- An exchange with the transforms around it
 * ----------------------------------------------------------------------------- */

typedef struct hop {
  stop *a, *b;
  mfft_move move;
  mfft_route route;
  mfft_transfer **transfer;     /* [route.chunks] */
  mfft_place send, recv;        /* areas */
  int by_chunks_a, by_chunks_b; /* the transform before (behind) runs chunk by chunk */
  int chunk_role;               /* the transform before leaves one chunk at a time */
  int start_late;               /* what arrives would overwrite what is still to be sent or transformed */
  int unpack_late;              /* what is unpacked would overwrite what is still on its way out */
} hop;

/* Whether starting a chunk may write to a buffer. */
static int lands_in(const hop *h, mfft_buffer buffer) {
  return (!h->move.unpack_all && h->b->in.place.buffer == buffer) || (h->route.unpacks && h->recv.buffer == buffer);
}

/* Whether a buffer holds what may still be on its way out. */
static int leaves_from(const hop *h, mfft_buffer buffer) {
  return (h->route.packs && h->send.buffer == buffer) || (h->route.sends_array && h->a->out.place.buffer == buffer);
}

/* The dangers of the order of stages, from the buffers that the steps of the hop read and write. */
static void find_hazards(hop *h) {
  h->start_late =
      (h->by_chunks_a && lands_in(h, h->a->in.place.buffer)) || (!h->chunk_role && lands_in(h, h->a->out.place.buffer));
  h->unpack_late = h->route.unpacks && leaves_from(h, h->b->in.place.buffer);
  if (h->by_chunks_b && h->route.unpacks && h->recv.buffer == h->b->out.place.buffer) h->by_chunks_b = 0;
  if (h->by_chunks_b) h->unpack_late |= leaves_from(h, h->b->out.place.buffer);
}

static mfft_status emit_produce(emitter *e, hop *h, int c) {
  stop *a = h->a;
  const array *source = &a->out;
  array chunk;
  if (h->by_chunks_a) {
    mfft_region region = mfft_cut_region(&a->in.box, a->in.batch, &a->cut, c);
    if (h->chunk_role) {
      mfft_region after = mfft_cut_region(&a->out.box, a->out.batch, &a->cut, c);
      chunk = array_of(e, &after.box, after.batch_hi - after.batch_lo, a->real_after, 0);
      chunk.place = a->out.place;
      /* The batches of a chunk begin at its own first one. */
      mfft_region shifted = region;
      array in = a->in;
      in.place.offset_bytes += region.batch_lo * in.dist * in.element_bytes;
      shifted.batch_hi -= shifted.batch_lo;
      shifted.batch_lo = 0;
      MFFT_TRY(emit_fft(e, a, &shifted, &in, &chunk));
      source = &chunk;
    } else {
      MFFT_TRY(emit_fft(e, a, &region, &a->in, &a->out));
    }
  }
  mfft_chunk *blocks = &h->route.chunk[c];
  MFFT_TRY(emit_copy(e, "pack", c, &blocks->pack, a->out.element_bytes, source->place, h->send));
  /* What stays here and is read from a chunk must go at once. */
  if (h->chunk_role) MFFT_TRY(emit_copy(e, "keep", c, &blocks->self, a->out.element_bytes, source->place, h->b->in.place));
  return MFFT_SUCCESS;
}

static mfft_status emit_start(emitter *e, hop *h, int c, const mfft_route_spec *spec) {
  mfft_place from = spec->self_from == MFFT_IN_AREA ? h->send : h->a->out.place;
  mfft_place to = spec->self_to == MFFT_IN_AREA ? h->recv : h->b->in.place;
  ADD_STAGE(stage, MFFT_STAGE_START, "start %d/%d", c, h->route.chunks);
  stage->transfer = h->transfer[c];
  stage->in = h->a->out.place;
  stage->out = h->b->in.place;
  stage->send = h->send;
  stage->recv = h->recv;
  return emit_copy(e, "keep", c, &h->route.chunk[c].self, h->a->out.element_bytes, from, to);
}

static mfft_status emit_wait(emitter *e, hop *h, int c) {
  ADD_STAGE(stage, MFFT_STAGE_WAIT, "wait %d/%d", c, h->route.chunks);
  stage->transfer = h->transfer[c];
  return MFFT_SUCCESS;
}

static mfft_status emit_consume(emitter *e, hop *h, int c) {
  MFFT_TRY(emit_copy(e, "unpack", c, &h->route.chunk[c].unpack, h->a->out.element_bytes, h->recv, h->b->in.place));
  if (!h->by_chunks_b) return MFFT_SUCCESS;
  mfft_region region = mfft_cut_region(&h->b->in.box, h->b->in.batch, &h->a->cut, c);
  return emit_fft(e, h->b, &region, &h->b->in, &h->b->out);
}

/* Pack 0, start 0, pack 1, start 1, ... wait 0, unpack 0, FFT 0, wait 1, ... */
static mfft_status emit_order(emitter *e, hop *h, const mfft_route_spec *spec) {
  int chunks = h->route.chunks;
  for (int c = 0; c < chunks; c++) {
    MFFT_TRY(emit_produce(e, h, c));
    if (!h->start_late) MFFT_TRY(emit_start(e, h, c, spec));
  }
  for (int c = 0; h->start_late && c < chunks; c++) MFFT_TRY(emit_start(e, h, c, spec));
  for (int c = 0; h->unpack_late && c < chunks; c++) MFFT_TRY(emit_wait(e, h, c));
  for (int c = 0; c < chunks; c++) {
    if (!h->unpack_late) MFFT_TRY(emit_wait(e, h, c));
    MFFT_TRY(emit_consume(e, h, c));
  }
  return MFFT_SUCCESS;
}

static mfft_status create_transfers(emitter *e, hop *h, int exchange) {
  mfft_plan plan = e->plan;
  struct mfft_dist *dist = plan->dist;
  int chunks = h->route.chunks;
  mfft_transfer **grown = realloc(dist->transfer, (size_t)(dist->ntransfers + chunks) * sizeof *grown);
  if (!grown) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d transfers", chunks);
  dist->transfer = grown;
  h->transfer = grown + dist->ntransfers;
  for (int c = 0; c < chunks; c++) {
    char what[64];
    snprintf(what, sizeof what, "%s exchange %d, chunk %d of %d", e->direction == MFFT_FORWARD ? "forward" : "backward",
             exchange, c, chunks);
    MFFT_TRY(dist->transport->create(&dist->group[exchange], &h->route.chunk[c], what, &h->transfer[c]));
    dist->ntransfers++;
  }
  return MFFT_SUCCESS;
}

/* What fits in DATA.  Arrays in boxes of the plan's own choice grow to what is needed: the caller asks how much to allocate.
 */
static int64_t data_room(const emitter *e) {
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

static mfft_place place_of(emitter *e, mfft_role role, int64_t offset, int64_t bytes) {
  static const mfft_buffer buffers[] = {[MFFT_ROLE_INPUT] = MFFT_BUFFER_SRC,
                                        [MFFT_ROLE_DATA] = MFFT_BUFFER_DST,
                                        [MFFT_ROLE_WORK] = MFFT_BUFFER_WORK,
                                        [MFFT_ROLE_CHUNK] = MFFT_BUFFER_WORK,
                                        [MFFT_ROLE_NONE] = MFFT_BUFFER_WORK};
  mfft_place place = {buffers[role], offset};
  if (role == MFFT_ROLE_DATA && offset + bytes > data_room(e)) place.buffer = MFFT_BUFFER_SPARE;
  if (place.buffer == MFFT_BUFFER_DST) grow_side(e->plan, e->direction, offset + bytes);
  if (role != MFFT_ROLE_NONE && place.buffer >= MFFT_BUFFER_WORK) {
    size_t *size = &e->plan->work_bytes[place.buffer];
    if ((size_t)(offset + bytes) > *size) *size = (size_t)(offset + bytes);
  }
  return place;
}

static mfft_status emit_hop(emitter *e, int i) {
  mfft_status status;
  hop h = {.a = &e->stop[i], .b = &e->stop[i + 1], .move = e->choice[i].move};
  h.chunk_role = e->choice[i].fft_out == MFFT_ROLE_CHUNK;
  h.by_chunks_a = !h.a->transformed && h.a->cut_before && h.a->cut.chunks > 1;
  h.by_chunks_b = h.a->cut_behind && h.a->cut.chunks > 1 && e->choice[i + 1].fft_out != MFFT_ROLE_CHUNK;

  mfft_route_spec spec = route_spec(e, h.a, h.b, e->dist->rank, h.a->cut);
  spec.pack_all = h.move.pack_all;
  spec.unpack_all = h.move.unpack_all;
  spec.from_regions = h.chunk_role;
  spec.self_from = spec.pack_all && !h.chunk_role ? MFFT_IN_AREA : MFFT_IN_ARRAY;
  spec.self_to = spec.unpack_all ? MFFT_IN_AREA : MFFT_IN_ARRAY;
  MFFT_GOTO(done, mfft_route_build(&spec, &h.route));
  h.send = place_of(e, h.move.send, 0, h.route.send_bytes);
  h.recv = place_of(e, h.move.recv, 0, h.route.recv_bytes);
  /* Packing a chunk must not overwrite what is still to be transformed. */
  if (h.route.packs && h.send.buffer == h.a->in.place.buffer && !h.chunk_role) h.by_chunks_a = 0;
  if (!h.by_chunks_a && !h.a->transformed) MFFT_GOTO(done, emit_whole(e, h.a));
  if (h.chunk_role) {
    mfft_region largest = mfft_cut_region(&h.a->out.box, h.a->out.batch, &h.a->cut, h.a->cut.chunks - 1);
    array chunk = array_of(e, &largest.box, largest.batch_hi - largest.batch_lo, h.a->real_after, 0);
    h.a->out.place = place_of(e, MFFT_ROLE_CHUNK, (h.route.send_bytes + 63) / 64 * 64, array_bytes(&chunk));
  }
  MFFT_GOTO(done, create_transfers(e, &h, e->direction == MFFT_FORWARD ? i : e->count - 2 - i));
  find_hazards(&h);
  MFFT_GOTO(done, emit_order(e, &h, &spec));
  h.a->transformed = 1;
  if (h.by_chunks_b) h.b->transformed = 1;
done:
  mfft_route_free(&h.route);
  return status;
}

/* ---- The whole
 * ------------------------------------------------------------------------------------------------------------- */

static void lay_out_stops(emitter *e) {
  const mfft_path *path = &e->dist->path;
  int halved = -1; /* the node that halves, in forward order */
  for (int i = 0; i < path->count; i++)
    if (path->half_axis >= 0 && path->node[i].axes >> path->half_axis & 1) halved = i;
  e->count = path->count;
  for (int i = 0; i < e->count; i++) {
    int forward = e->direction == MFFT_FORWARD, n = forward ? i : e->count - 1 - i;
    const mfft_node *node = &path->node[n];
    stop *s = &e->stop[i];
    s->node = node;
    s->before = forward ? &node->in : &node->out;
    s->after = forward ? &node->out : &node->in;
    s->real_before = forward ? n <= halved : n < halved;
    s->real_after = forward ? n < halved : n <= halved;
    int padded_in = e->dist->padded && forward && i == 0, padded_out = e->dist->padded && !forward && i == e->count - 1;
    s->in = array_of(e, own(e, s->before), e->plan->desc.batch, s->real_before, padded_in);
    s->out = array_of(e, own(e, s->after), e->plan->desc.batch, s->real_after, padded_out);
  }
}

static mfft_status describe_steps(emitter *e) {
  for (int i = 0; i < e->count; i++) {
    stop *s = &e->stop[i];
    mfft_step *step = &e->step[i];
    step->transforms = s->node->axes != 0;
    /* A padded row holds its own halved transform. */
    step->moves = s->real_before != s->real_after && !(e->dist->padded && e->count == 1);
    step->before_bytes = array_bytes(&s->in);
    step->after_bytes = array_bytes(&s->out);
    if (i == e->count - 1) break;

    stop *next = &e->stop[i + 1];
    MFFT_TRY(choose_cut(e, s, next));
    int same = same_slices(s->after, next->before, e->dist->rank, s->cut.axis);
    s->cut_before = follows(s, s->cut.axis) && (same || !s->cut.target);
    s->cut_behind = follows(next, s->cut.axis) && (same || s->cut.target);
    step->chunked = s->cut.chunks > 1 && s->cut_before && !s->cut.target;
    mfft_route_spec spec = route_spec(e, s, next, e->dist->rank, s->cut);
    mfft_route trial;
    MFFT_TRY(mfft_route_build(&spec, &trial));
    step->packs = trial.packs;
    /* One chunk and the send area must fit in one local array. */
    step->chunked &= trial.send_bytes + step->after_bytes / s->cut.chunks + step->after_bytes / 64 <= step->after_bytes;
    step->unpacks = trial.unpacks;
    mfft_route_free(&trial);
  }
  return MFFT_SUCCESS;
}

static mfft_status place_arrays(emitter *e) {
  const mfft_desc *desc = &e->plan->desc;
  int in_place = desc->placement == MFFT_IN_PLACE;
  mfft_origin origin = in_place                    ? MFFT_ORIGIN_IN_PLACE
                       : desc->allow_destroy_input ? MFFT_ORIGIN_SPARE
                                                   : MFFT_ORIGIN_PRESERVED;
  if (!mfft_roles_choose(e->step, e->count, origin, data_room(e), e->choice))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "these boxes cannot be transformed in place; set placement = MFFT_OUT_OF_PLACE");

  mfft_role at = in_place ? MFFT_ROLE_DATA : MFFT_ROLE_INPUT;
  for (int i = 0; i < e->count; i++) {
    stop *s = &e->stop[i];
    s->in.place = place_of(e, at, 0, array_bytes(&s->in));
    mfft_role out = e->choice[i].fft_out;
    if (out != MFFT_ROLE_CHUNK) s->out.place = s->node->axes ? place_of(e, out, 0, array_bytes(&s->out)) : s->in.place;
    at = e->choice[i].move.out;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_emit(mfft_plan plan, mfft_direction direction) {
  emitter e = {.plan = plan, .dist = plan->dist, .program = &plan->program[direction], .direction = direction};
  lay_out_stops(&e);
  MFFT_TRY(describe_steps(&e));
  MFFT_TRY(place_arrays(&e));
  for (int i = 0; i + 1 < e.count; i++) MFFT_TRY(emit_hop(&e, i));
  if (!e.stop[e.count - 1].transformed) MFFT_TRY(emit_whole(&e, &e.stop[e.count - 1]));
  return MFFT_SUCCESS;
}
