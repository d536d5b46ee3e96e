/* assign.c: see assign.h. */
#include "plan/assign.h"

#include "base/cache_line.h"
#include "plan/chunks.h"
#include "plan/places.h"

/* Records what an exchange of messages packs and unpacks on this rank, if the areas share memory with the arrays;
 * otherwise the size of the areas. */
static mfft_status describe_exchange(mfft_emitter *e, const mfft_step *s, const mfft_step *next, mfft_step_needs *step) {
  mfft_route_spec spec = mfft_step_route(e, s, next, e->dist->rank, s->cut);
  mfft_route trial;
  spec.sizes_only = 1;
  MFFT_TRY(mfft_route_build(&spec, &trial));
  if (e->areas_beside) {
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

/* Bytes on `rank` of the array whose part on this rank is `own`. */
static int64_t bytes_on(int rank, const mfft_layout *layout, const mfft_array *own, int padded, mfft_precision precision) {
  mfft_array a = mfft_array_of(precision, &layout->box[rank], own->batch, own->real, padded);
  a.element_bytes = own->element_bytes; /* half of it for a narrow array */
  return mfft_array_bytes(&a);
}

mfft_status mfft_describe_steps(mfft_emitter *e) {
  const struct mfft_dist *dist = e->dist;
  const mfft_precision precision = e->plan->desc.precision;
  const int direct = dist->transport->direct, rank = direct ? 0 : dist->rank;
  e->areas_bytes = 0;
  for (int i = 0; i < e->count; i++) {
    mfft_step *s = &e->step[i];
    mfft_step_needs *step = &e->needs[i];
    *step = (mfft_step_needs){0};
    step->transforms = s->path_step->axes || (i > 0 && e->step[i - 1].narrows);
    step->moves = s->real_before != s->real_after && !dist->padded;       /* a padded row has space for its half spectrum */
    if (i > 0 && e->step[i - 1].narrows) step->moves = 1;                 /* its elements grow */
    if (mfft_path_pads(&dist->path, s->path_step->axes)) step->moves = 1; /* its lines grow, or shrink */
    step->narrows = s->narrows;
    if (direct && !dist->topology.host_memory) step->axes = mfft_step_axes(s);
    step->before_bytes = bytes_on(rank, s->before, &s->in, s->padded_before, precision);
    step->after_bytes = bytes_on(rank, s->after, &s->out, s->padded_after, precision);
    if (i == e->count - 1) break;

    mfft_step *next = &e->step[i + 1];
    MFFT_TRY(mfft_choose_cut(e, s, next));
    mfft_follow_cut(s, next, dist->rank);
    step->direct = direct; /* packs nothing; messages to far peers have areas of their own */
    step->followed = direct && s->cut.chunks > 1 && mfft_cut_is_followed(s, next, rank);
    if (!direct) MFFT_TRY(describe_exchange(e, s, next, step));
  }
  return MFFT_SUCCESS;
}

/* Whether a second array of workspace helps: if real arrays cannot be transformed in place, and copies overlap the
 * transforms. */
static int wants_beside(const mfft_emitter *e) {
  int narrows = 0;
  for (int i = 0; i < e->count; i++) narrows |= e->step[i].narrows;
  return e->plan->desc.kind == MFFT_R2C && e->dist->transport->direct && !e->dist->topology.host_memory && !narrows;
}

int mfft_assign_buffers(mfft_emitter *e, int may_lie_beside) {
  const mfft_desc *desc = &e->plan->desc;
  const int in_place = mfft_emitter_in_place(e), rank = e->dist->transport->direct ? 0 : e->dist->rank;
  const int destroys = desc->allow_destroy_input || e->input == MFFT_BUFFER_PRODUCT;
  const mfft_origin origin = in_place ? MFFT_ORIGIN_IN_PLACE : destroys ? MFFT_ORIGIN_SPARE : MFFT_ORIGIN_PRESERVED;
  return mfft_buffers_search(e->needs, e->count, origin, mfft_data_capacity(e, rank), may_lie_beside && wants_beside(e),
                             e->choice);
}
