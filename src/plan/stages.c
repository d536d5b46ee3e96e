/* stages.c: see stages.h. */
#include "plan/stages.h"

#include <stdlib.h>
#include <string.h>

#include "plan/host_cut.h"
#include "plan/step_spec.h"

void mfft_note_fft(mfft_emitter *e, const mfft_step *s, const mfft_region *region, const mfft_array *in,
                   const mfft_array *out) {
  mfft_region result = *region;
  for (int axis = 0; axis < 3; axis++) {
    if (!(s->path_step->axes >> axis & 1)) continue;
    result.box.lo[axis] = out->box.lo[axis];
    result.box.hi[axis] = out->box.hi[axis];
  }
  mfft_stage *stage = &e->program->stage[e->program->count - 1];
  stage->touch[0] = mfft_array_extent(in, region);
  stage->touch[1] = mfft_array_extent(out, &result);
}

mfft_status mfft_emit_fft(mfft_emitter *e, mfft_step *s, const mfft_region *region, const mfft_array *in,
                          const mfft_array *out) {
  if (mfft_box_empty(&region->box) || region->batch_hi <= region->batch_lo) return MFFT_SUCCESS;
  mfft_place from, to;
  mfft_fft_spec spec = mfft_step_spec(e, s, region, in, out, &from, &to);
  MFFT_TRY(mfft_add_fft(e, s, &spec, from, to, NULL));
  mfft_note_fft(e, s, region, in, out);
  return MFFT_SUCCESS;
}

mfft_status mfft_add_fft(mfft_emitter *e, const mfft_step *s, const mfft_fft_spec *spec, mfft_place from, mfft_place to,
                         mfft_transfer *transfer) {
  mfft_fft *fft;
  MFFT_TRY(mfft_plan_fft(e->plan, spec, &fft));
  char names[4] = "";
  for (int axis = 0, count = 0; axis < 3; axis++)
    if (s->path_step->axes >> axis & 1) names[count++] = "xyz"[axis];
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
                     "options.wire is MFFT_WIRE_HALF, which backend %s cannot convert; use MFFT_WIRE_FULL",
                     e->plan->backend->name);
  MFFT_TRY(mfft_emit_copy(e, packs ? "narrow" : "widen", chunk, blocks, bytes, from, to));
  mfft_stage *stage = &e->program->stage[e->program->count - 1];
  stage->kind = MFFT_STAGE_CONVERT;
  stage->packs = packs;
  return MFFT_SUCCESS;
}

mfft_status mfft_emit_resize(mfft_emitter *e, const mfft_step *s, const mfft_region *region) {
  const int64_t batch = region->batch_hi - region->batch_lo;
  if (mfft_box_empty(&region->box) || batch <= 0) return MFFT_SUCCESS;
  const mfft_array *from = s->narrows ? &s->out : &s->in, *to = s->narrows ? &s->sent : &s->out;
  mfft_block *block = malloc(sizeof *block);
  if (!block) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a block");
  *block = mfft_box_copy(&region->box, &from->box, &to->box, batch);
  block->in_offset += region->batch_lo * from->dist;
  block->out_offset += region->batch_lo * to->dist;
  mfft_stage *stage = mfft_program_add(e->program, MFFT_STAGE_RESIZE, s->narrows ? "narrow" : "widen");
  if (!stage) {
    free(block);
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for stage %d", e->program->count);
  }
  stage->blocks = block;
  stage->nblocks = 1;
  stage->packs = s->narrows;
  stage->in = from->place;
  stage->out = to->place;
  return MFFT_SUCCESS;
}

mfft_status mfft_emit_move(mfft_emitter *e, const mfft_array *from, mfft_place at, const mfft_array *to) {
  if (mfft_place_equal(at, to->place) || mfft_box_empty(&from->box)) return MFFT_SUCCESS;
  mfft_block_list list = {.block = malloc(sizeof *list.block), .count = 1, .capacity = 1};
  if (!list.block) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a block");
  *list.block = mfft_box_copy(&from->box, &from->box, &to->box, from->batch);
  const mfft_status status = mfft_emit_copy(e, "move", 0, &list, from->element_bytes, at, to->place);
  free(list.block); /* NULL if a stage owns it */
  return status;
}

/* ---- Arrays on the host: transforms in parts ---- */

static mfft_status emit_slices(mfft_emitter *e, mfft_step *s, const mfft_cut *cut, const mfft_array *in,
                               const mfft_array *out) {
  for (int c = 0; c < cut->chunks; c++) {
    const mfft_region part = mfft_cut_before(&in->box, in->batch, cut, c);
    MFFT_TRY(mfft_emit_fft(e, s, &part, in, out));
  }
  return MFFT_SUCCESS;
}

/* Other axes first and then the slowest one, or the reverse where the halved axis must be the last.  The array between them
 * is the output, or backward to real numbers the input, of which the plan has a copy that it may overwrite. */
static mfft_status emit_separate_axis(mfft_emitter *e, mfft_step *s, int axis) {
  const mfft_path_step *whole = s->path_step;
  const int real[2] = {s->real_before, s->real_after}, last = real[1] && !real[0]; /* the halved axis is the last */
  const mfft_array *between = last ? &s->in : &s->out;
  const unsigned axes[2] = {last ? 1u << axis : whole->axes & ~(1u << axis),
                            last ? whole->axes & ~(1u << axis) : 1u << axis};
  mfft_path_step step = *whole;
  mfft_status status = MFFT_SUCCESS;
  s->path_step = &step;
  for (int i = 0; i < 2 && status == MFFT_SUCCESS; i++) {
    const mfft_array *in = i ? between : &s->in, *out = i ? &s->out : between;
    step.axes = axes[i];
    s->continues = i == 0;
    s->real_before = in->real;
    s->real_after = out->real;
    const mfft_cut cut = mfft_cut_along(e, mfft_slowest_axis(in, 7 & ~axes[i]), in, out);
    status = emit_slices(e, s, &cut, in, out);
  }
  s->path_step = whole;
  s->continues = 0;
  s->real_before = real[0];
  s->real_after = real[1];
  return status;
}

static mfft_status emit_parts(mfft_emitter *e, mfft_step *s) {
  const mfft_cut cut = mfft_host_cut(e, s);
  const int axis = mfft_host_separate_axis(e, s);
  return axis >= 0 ? emit_separate_axis(e, s, axis) : emit_slices(e, s, &cut, &s->in, &s->out);
}

mfft_status mfft_emit_whole(mfft_emitter *e, mfft_step *s) {
  s->transformed = 1;
  if (mfft_step_resizes(e, s)) return mfft_emit_resize(e, s, &(mfft_region){s->in.box, 0, s->in.batch});
  if (!s->path_step->axes) return mfft_emit_move(e, &s->in, s->in.place, &s->out); /* nothing if it is at its place */
  if (s->path_step->twiddle && e->direction == MFFT_BACKWARD) MFFT_TRY(emit_twiddle(e, &s->in));
  const mfft_region all = {s->in.box, 0, s->in.batch};
  MFFT_TRY(e->plan->options.host_arrays ? emit_parts(e, s) : mfft_emit_fft(e, s, &all, &s->in, &s->out));
  if (s->path_step->twiddle && e->direction == MFFT_FORWARD) MFFT_TRY(emit_twiddle(e, &s->out));
  return MFFT_SUCCESS;
}
