/* emitter.c: see emitter.h. */
#include "plan/emitter.h"

#include "base/cache_line.h"

static const mfft_box *own(const mfft_emitter *e, const mfft_layout *layout) { return &layout->box[e->dist->rank]; }

static void lay_out_stops(mfft_emitter *e) {
  const mfft_desc *desc = &e->plan->desc;
  const mfft_path *path = &e->dist->path;
  int halved = path->real ? path->count : -1; /* the step that halves an axis, in forward sequence: real numbers up to it */
  for (int i = 0; i < path->count; i++)
    if (path->half_axis >= 0 && path->step[i].axes >> path->half_axis & 1) halved = i;
  e->count = path->count;
  for (int i = 0; i < e->count; i++) {
    int forward = e->direction == MFFT_FORWARD, n = forward ? i : e->count - 1 - i;
    const mfft_path_step *step = &path->step[n];
    mfft_step *s = &e->step[i];
    s->path_step = step;
    s->before = forward ? &step->in : &step->out;
    s->after = forward ? &step->out : &step->in;
    s->real_before = forward ? n <= halved : n < halved;
    s->real_after = forward ? n < halved : n <= halved;
    s->padded_before = e->dist->padded && forward && i == 0;
    s->padded_after = e->dist->padded && !forward && i == e->count - 1;
    s->in = mfft_array_of(desc->precision, own(e, s->before), desc->batch, s->real_before, s->padded_before);
    s->out = mfft_array_of(desc->precision, own(e, s->after), desc->batch, s->real_after, s->padded_after);
  }
}

static int64_t find_unit_bytes(const mfft_emitter *e) {
  int64_t most = 0;
  for (int i = 0; i < e->count; i++) {
    const mfft_step *s = &e->step[i];
    const int64_t before = mfft_layout_largest(s->before) * mfft_element_bytes(e->plan->desc.precision, s->real_before);
    const int64_t after = mfft_layout_largest(s->after) * mfft_element_bytes(e->plan->desc.precision, s->real_after);
    most = before > most ? before : most;
    most = after > most ? after : most;
  }
  return 2 * mfft_line_bytes(e->plan->desc.batch * most / 2);
}

void mfft_emitter_init(mfft_plan plan, mfft_direction direction, mfft_emitter *e) {
  *e = (mfft_emitter){.plan = plan, .dist = plan->dist, .program = &plan->program[direction], .direction = direction};
  lay_out_stops(e);
  e->unit_bytes = find_unit_bytes(e);
}

const mfft_step *mfft_emitter_filter_step(const mfft_emitter *e) {
  const int forward = e->direction == MFFT_FORWARD;
  if (!mfft_desc_filters(&e->plan->desc, e->direction) || e->dist->four_step[0]) return NULL;
  const mfft_step *first = forward ? &e->step[e->count - 1] : e->step; /* beginning at the spectrum */
  while (!first->path_step->axes) first += forward ? -1 : 1;
  return first;
}

void mfft_emitter_set_filter(mfft_emitter *e, int fused) {
  const mfft_desc *desc = &e->plan->desc;
  e->filtered = fused ? mfft_emitter_filter_step(e) : NULL;
  const int product = e->direction == MFFT_BACKWARD && mfft_desc_filters(desc, e->direction) && !e->filtered &&
                      desc->placement == MFFT_OUT_OF_PLACE && !desc->allow_destroy_input;
  e->input = product || mfft_emitter_copies_input(e) ? MFFT_BUFFER_PRODUCT : MFFT_BUFFER_SRC;
}
