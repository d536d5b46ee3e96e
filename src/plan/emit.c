/* emit.c: from a path to a list of stages. */
#include "plan/emit.h"

#include "base/env.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "plan/chunks.h"
#include "plan/exchange_step.h"
#include "plan/half_width.h"
#include "plan/peer_store.h"
#include "plan/places.h"
#include "plan/stages.h"
#include "plan/stop_spec.h"

static const mfft_box *own(const mfft_emitter *e, const mfft_layout *layout) { return &layout->box[e->dist->rank]; }

static void lay_out_stops(mfft_emitter *e) {
  const mfft_path *path = &e->dist->path;
  int halved = -1; /* the node that halves, in forward order */
  for (int i = 0; i < path->count; i++)
    if (path->half_axis >= 0 && path->node[i].axes >> path->half_axis & 1) halved = i;
  e->count = path->count;
  for (int i = 0; i < e->count; i++) {
    int forward = e->direction == MFFT_FORWARD, n = forward ? i : e->count - 1 - i;
    const mfft_node *node = &path->node[n];
    mfft_stop *s = &e->stop[i];
    s->node = node;
    s->before = forward ? &node->in : &node->out;
    s->after = forward ? &node->out : &node->in;
    s->real_before = forward ? n <= halved : n < halved;
    s->real_after = forward ? n < halved : n <= halved;
    int padded_in = e->dist->padded && forward && i == 0, padded_out = e->dist->padded && !forward && i == e->count - 1;
    s->in = mfft_array_of(e->plan->desc.precision, own(e, s->before), e->plan->desc.batch, s->real_before, padded_in);
    s->out = mfft_array_of(e->plan->desc.precision, own(e, s->after), e->plan->desc.batch, s->real_after, padded_out);
  }
}

/* What an exchange of messages packs and unpacks where that takes room from the arrays, from its route on this rank; or how
 * much room it takes beside them. */
static mfft_status describe_exchange(mfft_emitter *e, const mfft_stop *s, const mfft_stop *next, mfft_step *step) {
  const mfft_route_spec spec = mfft_stop_route(e, s, next, e->dist->rank, s->cut);
  mfft_route trial;
  MFFT_TRY(mfft_route_build(&spec, &trial));
  if (e->apart) {
    const int64_t bytes = mfft_areas_bytes(&trial);
    e->areas_bytes = bytes > e->areas_bytes ? bytes : e->areas_bytes;
  } else {
    step->packs = trial.packs;
    step->unpacks = trial.unpacks;
    /* One chunk and the send area must fit in one local array. */
    step->chunked = s->cut.chunks > 1 && s->cut_before && !s->cut.target && !s->cut.early &&
                    trial.send_bytes + 64 + mfft_largest_chunk(e, s) <= step->after_bytes;
  }
  mfft_route_free(&trial);
  return MFFT_SUCCESS;
}

static mfft_status describe_steps(mfft_emitter *e) {
  for (int i = 0; i < e->count; i++) {
    mfft_stop *s = &e->stop[i];
    mfft_step *step = &e->step[i];
    *step = (mfft_step){0};
    step->transforms = s->node->axes || (i > 0 && e->stop[i - 1].narrows);
    step->moves = s->real_before != s->real_after && !e->dist->padded; /* a padded row holds its own halved transform */
    if (i > 0 && e->stop[i - 1].narrows) step->moves = 1;              /* its elements grow */
    step->narrows = s->narrows;
    step->before_bytes = mfft_array_bytes(&s->in);
    step->after_bytes = mfft_array_bytes(&s->out);
    if (i == e->count - 1) break;

    mfft_stop *next = &e->stop[i + 1];
    MFFT_TRY(mfft_choose_cut(e, s, next));
    mfft_follow_cut(s, next, e->dist->rank);
    step->direct = e->dist->transport->direct; /* nothing is packed; what far peers need has areas of its own */
    step->followed = step->direct && s->cut_behind && s->cut.chunks > 1;
    if (!step->direct) MFFT_TRY(describe_exchange(e, s, next, step));
  }
  return MFFT_SUCCESS;
}

/* Bytes of the largest array of any rank: arrays that lie behind one another in WORK begin at multiples of it, or where they
 * are of half the width of half of it, so that peers know where. */
static int64_t find_room(const mfft_emitter *e) {
  int64_t most = 0;
  for (int i = 0; i < e->count; i++) {
    const mfft_stop *s = &e->stop[i];
    const int64_t before = mfft_layout_largest(s->before) * mfft_element_bytes(e->plan->desc.precision, s->real_before);
    const int64_t after = mfft_layout_largest(s->after) * mfft_element_bytes(e->plan->desc.precision, s->real_after);
    most = before > most ? before : most;
    most = after > most ? after : most;
  }
  return 2 * mfft_line_bytes(e->plan->desc.batch * most / 2);
}

/* Whether a second array of workspace may be taken: where real arrays cannot be transformed in place, and copies are under
 * way beside the transforms. */
static int may_lie_beside(const mfft_emitter *e) {
  int narrows = 0;
  for (int i = 0; i < e->count; i++) narrows |= e->stop[i].narrows;
  return e->plan->desc.kind == MFFT_R2C && e->dist->transport->direct && !e->dist->reach.host_memory && !narrows &&
         (double)e->room <= mfft_env_number(MFFT_ENV_ROOM_BYTES);
}

/* Where arrays lie between the steps, if there is a way.  Direct copies need to know where the peer's array is: rank 0
 * chooses for all. */
static mfft_status try_roles(mfft_emitter *e, int *found) {
  const mfft_desc *desc = &e->plan->desc;
  int in_place = desc->placement == MFFT_IN_PLACE;
  int destroys = desc->allow_destroy_input || e->input == MFFT_BUFFER_PRODUCT;
  mfft_origin origin = in_place ? MFFT_ORIGIN_IN_PLACE : destroys ? MFFT_ORIGIN_SPARE : MFFT_ORIGIN_PRESERVED;
  e->areas_bytes = 0;
  MFFT_TRY(mfft_agree(e->dist->comm, describe_steps(e)));
  MFFT_TRY(mfft_find_stores(e));
  e->room = find_room(e);
  *found = (double)e->areas_bytes <= mfft_env_number(MFFT_ENV_ROOM_BYTES) &&
           mfft_roles_choose(e->step, e->count, origin, mfft_data_room(e), may_lie_beside(e), e->choice);
  MFFT_TRY(mfft_together_reduce(e->dist->comm, found, 1, MPI_INT, MPI_MIN, "choosing the places of arrays"));
  if (!*found || !e->dist->transport->direct) return MFFT_SUCCESS;
  return mfft_together_share(e->dist->comm, e->choice, sizeof e->choice, 0, "choosing the places of arrays");
}

/* Areas of messages between devices lie beside the arrays where there is room: no array has to wait for another then. */
static mfft_status choose_roles(mfft_emitter *e, int *found) {
  e->apart = !e->dist->transport->direct && !e->dist->reach.host_memory;
  MFFT_TRY(try_roles(e, found));
  if (*found || !e->apart) return MFFT_SUCCESS;
  e->apart = 0;
  return try_roles(e, found);
}

static void place_arrays(mfft_emitter *e) {
  mfft_role at = e->plan->desc.placement == MFFT_IN_PLACE ? MFFT_ROLE_DATA : MFFT_ROLE_INPUT;
  int next = 0; /* of three places for arrays of half the width: what arrived is there while what is sent is made */
  for (int i = 0; i < e->count; i++) {
    mfft_stop *s = &e->stop[i];
    const int narrow = i > 0 && e->stop[i - 1].narrows;
    const int64_t here = narrow ? next++ % 3 * (e->room / 2) : 0;
    s->in.place = mfft_place_of(e, at, here, mfft_array_bytes(&s->in));
    if (s->narrows) s->sent.place = mfft_place_of(e, MFFT_ROLE_WORK, next++ % 3 * (e->room / 2), mfft_array_bytes(&s->sent));
    mfft_role out = e->choice[i].fft_out;
    if (out != MFFT_ROLE_CHUNK)
      s->out.place =
          s->node->axes || narrow || out != at ? mfft_place_of(e, out, 0, mfft_array_bytes(&s->out)) : s->in.place;
    at = e->choice[i].move.out;
  }
}

/* Finds the transform that the filter of a direction can ride on, the first one backward and the last one forward, where
 * every rank's backend can multiply as it reads or writes: the filter then costs no sweep and no memory. */
static mfft_status find_fused(mfft_emitter *e) {
  const mfft_desc *desc = &e->plan->desc;
  int forward = e->direction == MFFT_FORWARD;
  if (!mfft_desc_filters(desc, e->direction) || e->dist->four_step[0]) return MFFT_SUCCESS;
  const mfft_stop *first = forward ? &e->stop[e->count - 1] : e->stop; /* from the side of the spectrum */
  while (!first->node->axes) first += forward ? -1 : 1;
  e->filtered = first;
  const mfft_region all = {first->in.box, 0, first->in.batch};
  int fuses = e->plan->backend->fuses != NULL;
  if (fuses && !mfft_box_empty(&all.box)) {
    mfft_place from, to;
    mfft_fft_spec spec = mfft_stop_spec(e, first, &all, &first->in, &first->out, &from, &to);
    spec.in_place = desc->placement == MFFT_IN_PLACE && first->real_before == first->real_after;
    fuses = e->plan->backend->fuses(&spec);
  }
  MFFT_TRY(mfft_together_reduce(e->dist->comm, &fuses, 1, MPI_INT, MPI_MIN, "comparing backends"));
  if (!fuses) e->filtered = NULL;
  return MFFT_SUCCESS;
}

/* A filter that is not fused is applied to the caller's OUT array: backward before all else, from the input to where the
 * first stop finds it; forward where the last stop has left it. */
static mfft_status emit_filter(mfft_emitter *e, mfft_direction direction) {
  if (e->direction != direction || !mfft_desc_filters(&e->plan->desc, direction) || e->filtered) return MFFT_SUCCESS;
  int forward = direction == MFFT_FORWARD, in_place = e->plan->desc.placement == MFFT_IN_PLACE;
  const mfft_array *a = forward ? &e->stop[e->count - 1].out : &e->stop[0].in;
  mfft_place from = a->place;
  if (!forward && !in_place) from.buffer = MFFT_BUFFER_SRC;
  int64_t stride[3];
  mfft_box_strides(&e->plan->box[MFFT_OUT], stride);
  return mfft_plan_add_filter(e->plan, direction, stride, a->dist, from, a->place);
}

static mfft_status emit_stages(mfft_emitter *e) {
  MFFT_TRY(emit_filter(e, MFFT_BACKWARD));
  MFFT_TRY(mfft_emit_exchanges(e));
  if (!e->stop[e->count - 1].transformed) MFFT_TRY(mfft_emit_whole(e, &e->stop[e->count - 1]));
  return emit_filter(e, MFFT_FORWARD);
}

mfft_status mfft_emit(mfft_plan plan, mfft_direction direction) {
  mfft_emitter e = {.plan = plan, .dist = plan->dist, .program = &plan->program[direction], .direction = direction};
  const mfft_desc *desc = &plan->desc;
  lay_out_stops(&e);
  MFFT_TRY(find_fused(&e));
  int product = direction == MFFT_BACKWARD && mfft_desc_filters(desc, direction) && !e.filtered &&
                desc->placement == MFFT_OUT_OF_PLACE && !desc->allow_destroy_input;
  e.input = product ? MFFT_BUFFER_PRODUCT : MFFT_BUFFER_SRC;
  int found;
  MFFT_TRY(mfft_find_narrow(&e));
  MFFT_TRY(choose_roles(&e, &found));
  if (!found && mfft_forget_narrow(&e)) MFFT_TRY(choose_roles(&e, &found)); /* as where the last exchange ends the plan */
  if (!found)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "these boxes cannot be transformed in place; set placement = MFFT_OUT_OF_PLACE");
  place_arrays(&e);
  return mfft_agree(plan->dist->comm, emit_stages(&e)); /* the other direction begins with collective calls */
}
