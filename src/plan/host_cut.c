/* host_cut.c: see host_cut.h. */
#include "plan/host_cut.h"

#include "plan/path.h"

enum { LEAST_PART_BYTES = 16 << 20, MOST_PARTS = 16 }; /* a copy takes 0.3 ms over PCIe of the fifth generation */

static int count_parts(const mfft_emitter *e, int64_t bytes) {
  if (e->plan->options.chunks) return e->plan->options.chunks;
  const int64_t parts = bytes / LEAST_PART_BYTES;
  return parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : (int)parts;
}

int mfft_slowest_axis(const mfft_array *a, unsigned axes) {
  int found = -1;
  for (int axis = 0; axis < 3; axis++)
    if (axes >> axis & 1 && mfft_box_extent(&a->box, axis) > 1 && (found < 0 || a->stride[axis] > a->stride[found]))
      found = axis;
  return found;
}

mfft_cut mfft_cut_along(const mfft_emitter *e, int axis, const mfft_array *in, const mfft_array *out) {
  const int64_t bytes = mfft_array_bytes(in) > mfft_array_bytes(out) ? mfft_array_bytes(in) : mfft_array_bytes(out);
  mfft_cut cut = {.chunks = 1};
  if (axis < 0) return cut;
  cut.chunks = count_parts(e, bytes);
  cut.axis = axis;
  return cut;
}

static int is_first(const mfft_emitter *e, const mfft_step *s) { return s == e->step; }
static int is_last(const mfft_emitter *e, const mfft_step *s) { return s == &e->step[e->count - 1]; }

mfft_cut mfft_host_cut(const mfft_emitter *e, const mfft_step *s) {
  int axis = -1;
  if (s->in.batch > 1)
    axis = MFFT_CUT_BATCH;
  else if (is_first(e, s) || is_last(e, s))
    axis = mfft_slowest_axis(is_first(e, s) ? &s->in : &s->out, 7 & ~s->path_step->axes);
  return mfft_cut_along(e, axis, &s->in, &s->out);
}

/* Whether the slowest axis can be transformed by itself, before or after the others: a filter, narrow numbers, zeros that
 * follow and real transforms beside a halved axis need the one stage. */
static int separates(const mfft_emitter *e, const mfft_step *s) {
  const int halves = s->real_before != s->real_after;
  int dft = 1;
  for (int axis = 0; axis < 3; axis++) dft &= !e->plan->desc.axis_kind[axis];
  return s != e->filtered && !s->narrows && !(s > e->step && s[-1].narrows) && !s->path_step->twiddle && (!halves || dft) &&
         !mfft_path_pads(&e->dist->path, s->path_step->axes);
}

int mfft_host_separate_axis(const mfft_emitter *e, const mfft_step *s) {
  const int own = mfft_slowest_axis(&s->in, s->path_step->axes);
  if (s->in.batch > 1 || mfft_slowest_axis(&s->in, 7 & ~s->path_step->axes) >= 0 || !(is_first(e, s) || is_last(e, s)))
    return -1;
  if (own < 0 || !(s->path_step->axes & ~(1u << own)) || !separates(e, s)) return -1;
  return s->in.real != s->out.real && own == e->dist->path.half_axis ? -1 : own;
}
