/* emit.c: writes the list of stages of a path. */
#include "plan/emit.h"

#include <stdio.h>

#include "comm/agree.h"
#include "plan/abilities.h"
#include "plan/assign.h"
#include "plan/chunks.h"
#include "plan/exchange_step.h"
#include "plan/half_width.h"
#include "plan/meeting.h"
#include "plan/places.h"
#include "plan/stages.h"

/* ---- Decisions, the same on all ranks ---- */

/* Records which transforms store into peers or into the target on their own rank. */
static void apply_stores(mfft_emitter *e, const mfft_exchange_abilities *can /* [count - 1] */) {
  const int copies = e->dist->transport->direct || e->areas_beside; /* exchanges whose copies such stores save */
  for (int i = 0; i + 1 < e->count; i++) {
    mfft_step *s = &e->step[i];
    e->needs[i].stores = can[i].stores;
    e->needs[i].stores_own = can[i].stores_own && copies;
    s->stores_by_chunks = can[i].stores && mfft_stores_by_chunks(e, s, s + 1);
  }
}

/* Assigns the buffers; *found: it is possible.  Between devices, areas of messages are beside the arrays if all ranks
 * have the memory: then no array has to wait until another has been sent. */
static mfft_status assign(mfft_emitter *e, const mfft_abilities *can, int *found) {
  const int *assigns = can->with[e->filtered != NULL].assigns, beside = assigns[1];
  if (e->dist->transport->direct || e->areas_beside != beside) {
    e->areas_beside = beside;
    MFFT_TRY(mfft_describe_steps(e));
  }
  apply_stores(e, can->with[e->filtered != NULL].exchange);
  *found = assigns[beside] && mfft_assign_buffers(e, can->has_beside);
  return MFFT_SUCCESS;
}

static mfft_status decide(mfft_emitter *e, const mfft_abilities *can, int *found) {
  mfft_emitter_set_filter(e, can->fuses_filter);
  const mfft_exchange_abilities *exchange = can->with[can->fuses_filter].exchange;
  for (int i = 0; i + 1 < e->count; i++)
    if (exchange[i].narrows[i > 0 && e->step[i - 1].narrows]) mfft_narrow(e, i);
  MFFT_TRY(assign(e, can, found));
  if (*found || !mfft_forget_narrow(e)) return MFFT_SUCCESS;
  return assign(e, can, found); /* for example because the last exchange ends the plan */
}

/* ---- Stages ---- */

static void place_arrays(mfft_emitter *e) {
  mfft_buffer_assignment at = mfft_emitter_in_place(e) ? MFFT_ASSIGN_DATA : MFFT_ASSIGN_INPUT;
  int next =
      0; /* of three slots for narrow arrays: received data stays in one while the data to send is written to another */
  for (int i = 0; i < e->count; i++) {
    mfft_step *s = &e->step[i];
    const int narrow = i > 0 && e->step[i - 1].narrows;
    const int64_t here = narrow ? next++ % 3 * (e->unit_bytes / 2) : 0;
    s->in.place = mfft_place_of(e, at, here, mfft_array_bytes(&s->in));
    if (s->narrows)
      s->sent.place = mfft_place_of(e, MFFT_ASSIGN_WORK, next++ % 3 * (e->unit_bytes / 2), mfft_array_bytes(&s->sent));
    mfft_buffer_assignment out = e->choice[i].fft_out;
    if (out != MFFT_ASSIGN_CHUNK)
      s->out.place =
          s->path_step->axes || narrow || out != at ? mfft_place_of(e, out, 0, mfft_array_bytes(&s->out)) : s->in.place;
    at = e->choice[i].move.out;
  }
}

/* Adds the filter as a stage of its own, over the caller's OUT array.  Backward it comes first, from the input to the
 * array of the first step; forward it comes last, in place. */
static mfft_status emit_filter(mfft_emitter *e, mfft_direction direction) {
  if (e->direction != direction || !mfft_desc_filters(&e->plan->desc, direction) || e->filtered) return MFFT_SUCCESS;
  int forward = direction == MFFT_FORWARD, in_place = mfft_emitter_in_place(e);
  const mfft_array *a = forward ? &e->step[e->count - 1].out : &e->step[0].in;
  mfft_place from = a->place;
  if (!forward && !in_place) from.buffer = MFFT_BUFFER_SRC;
  int64_t stride[3]; /* [axis] */
  mfft_box_strides(&e->plan->box[MFFT_OUT], stride);
  return mfft_plan_add_filter(e->plan, direction, stride, a->dist, from, a->place);
}

/* Copies the caller's array to that of the first step, unless the filter has written it there. */
static mfft_status emit_input(mfft_emitter *e) {
  const int stages = e->program->count;
  MFFT_TRY(emit_filter(e, MFFT_BACKWARD));
  if (!mfft_emitter_copies_input(e) || e->program->count > stages) return MFFT_SUCCESS;
  return mfft_emit_move(e, &e->step[0].in, (mfft_place){MFFT_BUFFER_SRC, 0}, &e->step[0].in);
}

static mfft_status emit_stages(mfft_emitter *e) {
  place_arrays(e);
  MFFT_TRY(emit_input(e));
  MFFT_TRY(mfft_emit_exchanges(e));
  if (!e->step[e->count - 1].transformed) MFFT_TRY(mfft_emit_whole(e, &e->step[e->count - 1]));
  return emit_filter(e, MFFT_FORWARD);
}

static mfft_status refuse_in_place(const mfft_desc *d, int ranks) {
  char what[96];
  if (d->in_box || d->out_box)
    snprintf(what, sizeof what, "the boxes of desc.%s%s", d->in_box ? "in_box" : "out_box",
             d->in_box && d->out_box ? " and desc.out_box" : "");
  else if (d->kind == MFFT_R2C)
    snprintf(what, sizeof what, "halving axis %d on %d rank%s", mfft_desc_halved_axis(d), ranks, ranks > 1 ? "s" : "");
  else
    snprintf(what, sizeof what, "the boxes of %d rank%s", ranks, ranks > 1 ? "s" : "");
  return mfft_fail(MFFT_ERR_UNSUPPORTED,
                   "desc.placement is MFFT_IN_PLACE, but a second array is needed for %s; set placement = MFFT_OUT_OF_PLACE",
                   what);
}

mfft_status mfft_emit(mfft_plan plan) {
  MPI_Comm comm = plan->dist->comm;
  mfft_emitter e[2];       /* [direction] */
  mfft_abilities can[2];   /* [direction] */
  int found = 1, both = 1; /* whether buffers could be assigned in one, in both directions */
  mfft_status status = MFFT_SUCCESS;
  for (int d = 0; d < 2 && status == MFFT_SUCCESS; d++) {
    mfft_emitter_init(plan, (mfft_direction)d, &e[d]);
    status = mfft_find_abilities(&e[d], &can[d]);
  }
  MFFT_TRY(mfft_agree(comm, status));
  MFFT_TRY(mfft_share_abilities(comm, can, 2));
  for (int d = 0; d < 2 && status == MFFT_SUCCESS; d++) {
    status = decide(&e[d], &can[d], &found);
    both &= found;
  }
  for (int d = 0; d < 2 && status == MFFT_SUCCESS && both; d++) status = emit_stages(&e[d]);
  MFFT_TRY(mfft_agree(comm, status));
  if (both) plan->meets = mfft_directions_meet(e);
  if (both) return MFFT_SUCCESS;
  return refuse_in_place(&plan->desc, plan->dist->ranks);
}
