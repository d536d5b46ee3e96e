/* step_spec.c: see step_spec.h. */
#include "plan/step_spec.h"

#include <string.h>

static mfft_fft_type type_of(const mfft_emitter *e, const mfft_step *s) {
  if (s->real_before == s->real_after) return s->real_before ? MFFT_FFT_R2R : MFFT_FFT_C2C;
  return e->direction == MFFT_FORWARD ? MFFT_FFT_R2C : MFFT_FFT_C2R;
}

/* The kind of an axis of the path. */
static mfft_axis_kind kind_of(const mfft_emitter *e, int axis) {
  const int callers = axis - e->dist->axis_shift; /* negative: the caller's array has fewer axes, or the four-step method */
  return callers < 0 ? MFFT_DFT : mfft_desc_axis_kind(&e->plan->desc, callers, e->direction);
}

/* Adds an axis of the path. */
static void add_axis(const mfft_emitter *e, int axis, const mfft_array *in, const mfft_array *out, mfft_fft_spec *spec) {
  const mfft_path *path = &e->dist->path;
  spec->kind[spec->naxes] = kind_of(e, axis);
  spec->given[spec->naxes] = path->n[axis] < path->full[axis] ? path->n[axis] : 0;
  spec->axis[spec->naxes++] = (mfft_dim){path->full[axis], in->stride[axis], out->stride[axis]};
}

static void add_loop(mfft_fft_spec *spec, int64_t n, int64_t is, int64_t os) {
  if (n > 1) spec->loop[spec->nloops++] = (mfft_dim){n, is, os};
}

/* The shape of the filter over the array before or after the transform of a region, in the caller's axes. */
static mfft_filter_shape filter_of(const mfft_emitter *e, const mfft_step *s, const mfft_region *region,
                                   const mfft_array *a) {
  mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  int64_t stride[3]; /* [axis] */
  for (int axis = 0; axis < 3; axis++) {
    int callers = (axis + 3 - e->dist->axis_shift) % 3;
    const mfft_box *whole = s->path_step->axes >> axis & 1 ? &a->box : &region->box;
    box.lo[callers] = whole->lo[axis];
    box.hi[callers] = whole->hi[axis];
    stride[callers] = a->stride[axis];
  }
  return mfft_plan_filter_shape(e->plan, &box, stride, region->batch_hi - region->batch_lo, a->dist);
}

mfft_fft_spec mfft_step_spec(const mfft_emitter *e, const mfft_step *s, const mfft_region *region, const mfft_array *in,
                             const mfft_array *out, mfft_place *from, mfft_place *to) {
  mfft_fft_spec spec;
  memset(&spec, 0, sizeof spec); /* plans compare specs byte by byte */
  spec.type = type_of(e, s);
  spec.direction = e->direction;
  spec.precision = e->plan->desc.precision;
  spec.scale = 1;
  const int half = s->real_before == s->real_after ? -1 : e->dist->path.half_axis;
  /* The last transform of the direction applies its scale. */
  int last = !s->continues;
  for (const mfft_step *later = s + 1; later < e->step + e->count; later++) last &= !later->path_step->axes;
  if (last) mfft_desc_set_scale(&e->plan->desc, e->direction, &spec);

  *from = in->place;
  *to = out->place;
  from->offset_bytes += region->batch_lo * in->dist * in->element_bytes;
  to->offset_bytes += region->batch_lo * out->dist * out->element_bytes;
  add_loop(&spec, region->batch_hi - region->batch_lo, in->dist, out->dist);
  for (int axis = 0; axis < 3; axis++) {
    int64_t n = mfft_box_extent(&region->box, axis);
    if (s->path_step->axes >> axis & 1) {
      if (axis != half) add_axis(e, axis, in, out, &spec);
      continue;
    }
    from->offset_bytes += (region->box.lo[axis] - in->box.lo[axis]) * in->stride[axis] * in->element_bytes;
    to->offset_bytes += (region->box.lo[axis] - out->box.lo[axis]) * out->stride[axis] * out->element_bytes;
    add_loop(&spec, n, in->stride[axis], out->stride[axis]);
  }
  if (half >= 0) add_axis(e, half, in, out, &spec);
  spec.in_place = mfft_place_equal(*from, *to);
  spec.destroy_input = from->buffer != MFFT_BUFFER_SRC || e->plan->desc.allow_destroy_input;
  if (s > e->step && s[-1].narrows) { /* its memory holds nothing else */
    spec.wire |= MFFT_WIRED_INPUT;
    spec.destroy_input = 0;
  }
  if (s->narrows) spec.wire |= MFFT_WIRED_SHARES;
  mfft_plan_steer(e->plan, &spec);
  if (s == e->filtered) {
    int forward = e->direction == MFFT_FORWARD;
    spec.filtered = forward ? MFFT_FILTER_OUTPUT : MFFT_FILTER_INPUT;
    spec.filter = filter_of(e, s, region, forward ? out : in);
  }
  return spec;
}
