/* stages.c: the stages of transforms and copies. */
#include <stdlib.h>
#include <string.h>

#include "plan/emitter.h"

int64_t mfft_element_bytes(const mfft_emitter *e, int real) {
  int64_t bytes = (int64_t)mfft_real_bytes(e->plan->desc.precision);
  return real ? bytes : 2 * bytes;
}

int64_t mfft_array_bytes(const mfft_array *a) { return a->batch * a->dist * a->element_bytes; }

mfft_array mfft_array_of(const mfft_emitter *e, const mfft_box *box, int64_t batch, int real, int padded) {
  mfft_array a = {.box = *box, .batch = batch, .real = real, .element_bytes = mfft_element_bytes(e, real)};
  mfft_box rows = *box;
  if (padded) rows.hi[2] = rows.lo[2] + 2 * (mfft_box_extent(box, 2) / 2 + 1);
  mfft_box_strides(&rows, a.stride);
  a.dist = mfft_box_count(&rows);
  return a;
}

static mfft_fft_type type_of(const mfft_emitter *e, const mfft_stop *s) {
  if (s->real_before == s->real_after) return MFFT_FFT_C2C;
  return e->direction == MFFT_FORWARD ? MFFT_FFT_R2C : MFFT_FFT_C2R;
}

static void add_loop(mfft_fft_spec *spec, int64_t n, int64_t is, int64_t os) {
  if (n > 1) spec->loop[spec->nloops++] = (mfft_dim){n, is, os};
}

/* The filter over an array before or behind the transform of a region, in the caller's axes. */
static mfft_filter_shape filter_of(const mfft_emitter *e, const mfft_stop *s, const mfft_region *region,
                                   const mfft_array *a) {
  mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  int64_t stride[3]; /* [axis] */
  for (int axis = 0; axis < 3; axis++) {
    int callers = (axis + 3 - e->dist->axis_shift) % 3;
    const mfft_box *whole = s->node->axes >> axis & 1 ? &a->box : &region->box;
    box.lo[callers] = whole->lo[axis];
    box.hi[callers] = whole->hi[axis];
    stride[callers] = a->stride[axis];
  }
  return mfft_plan_filter_shape(e->plan, &box, stride, region->batch_hi - region->batch_lo, a->dist);
}

mfft_fft_spec mfft_stop_spec(const mfft_emitter *e, const mfft_stop *s, const mfft_region *region, const mfft_array *in,
                             const mfft_array *out, mfft_place *from, mfft_place *to) {
  mfft_fft_spec spec;
  memset(&spec, 0, sizeof spec); /* plans compare specs byte by byte */
  spec.type = type_of(e, s);
  spec.direction = e->direction;
  spec.precision = e->plan->desc.precision;
  spec.scale = 1;
  int half = spec.type == MFFT_FFT_C2C ? -1 : e->dist->path.half_axis;
  /* The direction's scale rides on the transform that is its last. */
  int last = 1;
  for (const mfft_stop *later = s + 1; later < e->stop + e->count; later++) last &= !later->node->axes;
  if (last) spec.scale = mfft_desc_scale(&e->plan->desc, e->direction);

  *from = in->place;
  *to = out->place;
  from->offset_bytes += region->batch_lo * in->dist * in->element_bytes;
  to->offset_bytes += region->batch_lo * out->dist * out->element_bytes;
  add_loop(&spec, region->batch_hi - region->batch_lo, in->dist, out->dist);
  for (int axis = 0; axis < 3; axis++) {
    int64_t n = mfft_box_extent(&region->box, axis);
    if (s->node->axes >> axis & 1) {
      if (axis != half) spec.axis[spec.naxes++] = (mfft_dim){n, in->stride[axis], out->stride[axis]};
      continue;
    }
    from->offset_bytes += (region->box.lo[axis] - in->box.lo[axis]) * in->stride[axis] * in->element_bytes;
    to->offset_bytes += (region->box.lo[axis] - out->box.lo[axis]) * out->stride[axis] * out->element_bytes;
    add_loop(&spec, n, in->stride[axis], out->stride[axis]);
  }
  if (half >= 0) spec.axis[spec.naxes++] = (mfft_dim){e->dist->path.n[half], in->stride[half], out->stride[half]};
  spec.in_place = from->buffer == to->buffer && from->offset_bytes == to->offset_bytes;
  spec.destroy_input = from->buffer != MFFT_BUFFER_SRC || e->plan->desc.allow_destroy_input;
  if (s > e->stop && s[-1].narrows) { /* it has no room for anything else */
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

mfft_status mfft_emit_fft(mfft_emitter *e, mfft_stop *s, const mfft_region *region, const mfft_array *in,
                          const mfft_array *out) {
  if (mfft_box_empty(&region->box) || region->batch_hi <= region->batch_lo) return MFFT_SUCCESS;
  mfft_place from, to;
  mfft_fft_spec spec = mfft_stop_spec(e, s, region, in, out, &from, &to);
  return mfft_add_fft(e, s, &spec, from, to, NULL);
}

mfft_status mfft_add_fft(mfft_emitter *e, const mfft_stop *s, const mfft_fft_spec *spec, mfft_place from, mfft_place to,
                         mfft_transfer *transfer) {
  mfft_fft *fft;
  MFFT_TRY(mfft_plan_fft(e->plan, spec, &fft));
  char names[4] = "";
  for (int axis = 0, count = 0; axis < 3; axis++)
    if (s->node->axes >> axis & 1) names[count++] = "xyz"[axis];
  MFFT_ADD_STAGE(stage, MFFT_STAGE_FFT, "%sfft %s%s", spec->filtered == MFFT_FILTER_INPUT ? "filter, " : "", names,
                 transfer                               ? ", store"
                 : spec->wire & MFFT_WIRED_SHARES       ? ", narrow"
                 : spec->filtered == MFFT_FILTER_OUTPUT ? ", filter"
                                                        : "");
  stage->fft = fft;
  stage->transfer = transfer;
  stage->in = from;
  stage->out = to;
  return MFFT_SUCCESS;
}

static mfft_status emit_twiddle(mfft_emitter *e, const mfft_array *a) {
  if (mfft_box_empty(&a->box)) return MFFT_SUCCESS;
  MFFT_ADD_STAGE(stage, MFFT_STAGE_TWIDDLE, "twiddle");
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

mfft_status mfft_emit_copy(mfft_emitter *e, const char *label, int chunk, mfft_block_list *blocks, int64_t bytes,
                           mfft_place from, mfft_place to) {
  if (!blocks->count) return MFFT_SUCCESS;
  MFFT_ADD_STAGE(stage, MFFT_STAGE_COPY, "%s %d", label, chunk);
  stage->blocks = blocks->block;
  stage->nblocks = blocks->count;
  stage->element_bytes = bytes;
  stage->in = from;
  stage->out = to;
  memset(blocks, 0, sizeof *blocks); /* the stage owns them now */
  return MFFT_SUCCESS;
}

mfft_status mfft_emit_convert(mfft_emitter *e, int packs, int chunk, mfft_block_list *blocks, int64_t bytes, mfft_place from,
                              mfft_place to) {
  if (!blocks->count) return MFFT_SUCCESS;
  if (!e->plan->backend->convert)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "desc.wire is MFFT_WIRE_HALF, which backend %s cannot convert; use MFFT_WIRE_FULL",
                     e->plan->backend->name);
  MFFT_TRY(mfft_emit_copy(e, packs ? "narrow" : "widen", chunk, blocks, bytes, from, to));
  mfft_stage *stage = &e->program->stage[e->program->count - 1];
  stage->kind = MFFT_STAGE_CONVERT;
  stage->packs = packs;
  return MFFT_SUCCESS;
}

/* The array as it is, where this stop leaves it elsewhere than it finds it. */
static mfft_status emit_bring(mfft_emitter *e, const mfft_stop *s) {
  const mfft_place from = s->in.place, to = s->out.place;
  if ((from.buffer == to.buffer && from.offset_bytes == to.offset_bytes) || mfft_box_empty(&s->in.box)) return MFFT_SUCCESS;
  mfft_block_list list = {.block = malloc(sizeof *list.block), .count = 1, .capacity = 1};
  if (!list.block) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a block");
  *list.block = mfft_box_copy(&s->in.box, &s->in.box, &s->out.box, s->in.batch);
  const mfft_status status = mfft_emit_copy(e, "bring", 0, &list, s->in.element_bytes, from, to);
  free(list.block); /* NULL where a stage owns it */
  return status;
}

mfft_status mfft_emit_whole(mfft_emitter *e, mfft_stop *s) {
  s->transformed = 1;
  if (mfft_stop_resizes(e, s)) return mfft_emit_resize(e, s, &(mfft_region){s->in.box, 0, s->in.batch});
  if (!s->node->axes) return emit_bring(e, s);
  if (s->node->twiddle && e->direction == MFFT_BACKWARD) MFFT_TRY(emit_twiddle(e, &s->in));
  const mfft_region all = {s->in.box, 0, s->in.batch};
  MFFT_TRY(mfft_emit_fft(e, s, &all, &s->in, &s->out));
  if (s->node->twiddle && e->direction == MFFT_FORWARD) MFFT_TRY(emit_twiddle(e, &s->out));
  return MFFT_SUCCESS;
}
