/* stages.h: writes the stages of transforms and copies. */
#ifndef MFFT_PLAN_STAGES_H
#define MFFT_PLAN_STAGES_H

#include "plan/emitter.h"

#define MFFT_ADD_STAGE(stage, ...)                               \
  mfft_stage *stage = mfft_program_add(e->program, __VA_ARGS__); \
  if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for stage %d", e->program->count)

/* mfft_emit_fft: the transform of a step over one region of its input array.  mfft_emit_whole: all stages of a step over
 * its whole array, twiddle included. */
mfft_status mfft_emit_fft(mfft_emitter *e, mfft_step *s, const mfft_region *region, const mfft_array *in,
                          const mfft_array *out);
mfft_status mfft_emit_whole(mfft_emitter *e, mfft_step *s);

/* Notes in the last stage, such a transform, the bytes that it reads and writes. */
void mfft_note_fft(mfft_emitter *e, const mfft_step *s, const mfft_region *region, const mfft_array *in,
                   const mfft_array *out);

/* Adds the stage of a complete spec; transfer: of a scattered transform, else NULL. */
mfft_status mfft_add_fft(mfft_emitter *e, const mfft_step *s, const mfft_fft_spec *spec, mfft_place from, mfft_place to,
                         mfft_transfer *transfer);

/* Add a stage with a list of blocks, which the stage then owns; an empty list adds none. */
mfft_status mfft_emit_convert(mfft_emitter *e, int packs, int chunk, mfft_block_list *blocks, int64_t element_bytes,
                              mfft_place from, mfft_place to);
mfft_status mfft_emit_copy(mfft_emitter *e, const char *label, int chunk, mfft_block_list *blocks, int64_t element_bytes,
                           mfft_place from, mfft_place to);

/* Copies a whole array, laid out as `from` at another place, to `to`, unless that is where it is. */
mfft_status mfft_emit_move(mfft_emitter *e, const mfft_array *from, mfft_place at, const mfft_array *to);

/* Adds the RESIZE stage that replaces the transform of a step (mfft_step_resizes), over a region of its array. */
mfft_status mfft_emit_resize(mfft_emitter *e, const mfft_step *s, const mfft_region *region);

#endif
