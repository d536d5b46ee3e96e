/* meeting.c: see meeting.h. */
#include "plan/meeting.h"

#include "dist/decomp.h"

/* An array of the backward direction, with the spectrum named as forward; out of place its result is another array. */
static mfft_array rename_array(const mfft_emitter *e, mfft_array a) {
  if (a.place.buffer == MFFT_BUFFER_DST && !mfft_emitter_in_place(e)) a.place.buffer = MFFT_BUFFER_HOST_DST;
  if (a.place.buffer == MFFT_BUFFER_SRC) a.place.buffer = MFFT_BUFFER_DST;
  return a;
}

/* Whether elements have the same distances in two arrays of one box. */
static int same_strides(const mfft_array *a, const mfft_array *b) {
  mfft_array moved = *a;
  moved.place = b->place;
  return mfft_arrays_coincide(&moved, b);
}

/* Whether two arrays have no byte, or all addresses, in common. */
static int are_apart_or_one(const mfft_array *a, const mfft_array *b) {
  return !mfft_arrays_overlap(a, b) || mfft_arrays_coincide(a, b);
}

/* Whether the exchanges of a plan are direct transfers at full width, between arrays of the device. */
static int suits(const mfft_emitter *e) {
  const struct mfft_dist *dist = e->dist;
  const int halved = e->plan->options.wire == MFFT_WIRE_HALF, near = dist->topology.node_ranks == dist->ranks;
  return e->count > 1 && dist->transport->direct && near && !halved && !e->plan->options.host_arrays;
}

int mfft_directions_meet(const mfft_emitter e[2]) {
  if (!suits(&e[MFFT_FORWARD]) || !suits(&e[MFFT_BACKWARD])) return 0;
  const mfft_emitter *b = &e[MFFT_BACKWARD];
  const mfft_step *planes = &e[MFFT_FORWARD].step[e[MFFT_FORWARD].count - 2], *lines = planes + 1, *back = &b->step[0];
  const mfft_array *arrived = &lines->in, *sent = mfft_step_sent(planes);
  const mfft_array read = rename_array(b, back->in), made = rename_array(b, back->out),
                   returned = rename_array(b, back[1].in);
  if (!same_strides(arrived, &lines->out) || !mfft_arrays_coincide(&read, &lines->out)) return 0;
  if (!mfft_arrays_coincide(sent, &returned) || !mfft_layout_equal(planes->after, back[1].before)) return 0;
  if (mfft_arrays_overlap(arrived, &returned) || mfft_arrays_overlap(&made, &returned)) return 0;
  return are_apart_or_one(&made, arrived);
}
