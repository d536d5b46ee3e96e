/* places.c: see places.h. */
#include "plan/places.h"

/* Bytes of the caller's array on `rank`, for boxes that the caller gave. */
static int64_t callers_bytes(const mfft_emitter *e, const mfft_layout *layout, int rank, int real) {
  const mfft_desc *desc = &e->plan->desc;
  const mfft_array a = mfft_array_of(desc->precision, &layout->box[rank], desc->batch, real, real && e->dist->padded);
  return mfft_array_bytes(&a);
}

/* Arrays in boxes of the plan's own choice may grow, since the caller asks how much to allocate. */
int64_t mfft_data_capacity(const mfft_emitter *e, int rank) {
  const mfft_desc *desc = &e->plan->desc;
  const mfft_step *first = &e->step[0], *last = &e->step[e->count - 1];
  const int given[2] = {desc->in_box != NULL, desc->out_box != NULL}; /* [side] */
  const mfft_side side = e->direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN;
  const int in_place = desc->placement == MFFT_IN_PLACE;
  if (!given[side] || (in_place && !given[!side])) return INT64_MAX;
  const int64_t out = callers_bytes(e, last->after, rank, last->real_after);
  const int64_t in = callers_bytes(e, first->before, rank, first->real_before);
  return in_place && in > out ? in : out;
}

static void grow_side(mfft_plan plan, mfft_direction direction, int64_t bytes) {
  mfft_side side = direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN;
  if (plan->desc.placement == MFFT_IN_PLACE && (side == MFFT_IN ? plan->desc.in_box : plan->desc.out_box)) side = !side;
  if ((size_t)bytes <= plan->bytes[side]) return;
  int64_t element = plan->element_bytes;
  if (mfft_desc_real(&plan->desc, side)) element /= 2;
  plan->count[side] = (bytes + element - 1) / element;
  plan->bytes[side] = (size_t)(plan->count[side] * element);
}

mfft_place mfft_place_of(mfft_emitter *e, mfft_buffer_assignment to, int64_t offset, int64_t bytes) {
  const mfft_buffer buffers[] = {[MFFT_ASSIGN_INPUT] = e->input,         [MFFT_ASSIGN_DATA] = MFFT_BUFFER_DST,
                                 [MFFT_ASSIGN_WORK] = MFFT_BUFFER_WORK,  [MFFT_ASSIGN_BESIDE] = MFFT_BUFFER_WORK,
                                 [MFFT_ASSIGN_CHUNK] = MFFT_BUFFER_WORK, [MFFT_ASSIGN_NONE] = MFFT_BUFFER_WORK};
  if (to == MFFT_ASSIGN_BESIDE) offset += e->unit_bytes;
  mfft_place place = {buffers[to], offset};
  if (to == MFFT_ASSIGN_DATA && offset + bytes > mfft_data_capacity(e, e->dist->rank)) place.buffer = MFFT_BUFFER_SPARE;
  if (place.buffer == MFFT_BUFFER_DST) grow_side(e->plan, e->direction, offset + bytes);
  if (to != MFFT_ASSIGN_NONE && place.buffer >= MFFT_BUFFER_WORK) {
    size_t *size = &e->plan->work_bytes[place.buffer];
    if ((size_t)(offset + bytes) > *size) *size = (size_t)(offset + bytes);
  }
  return place;
}

int64_t mfft_areas_bytes(const mfft_route *route) {
  return mfft_line_bytes(route->send_bytes) + mfft_line_bytes(route->recv_bytes);
}

mfft_place mfft_area_of(mfft_emitter *e, int64_t offset, int64_t bytes) {
  size_t *size = &e->plan->work_bytes[MFFT_BUFFER_AREA];
  if ((size_t)(offset + bytes) > *size) *size = (size_t)(offset + bytes);
  return (mfft_place){MFFT_BUFFER_AREA, offset};
}
