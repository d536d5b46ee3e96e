/* stages.h: writing the stages of transforms and copies. */
#ifndef MFFT_PLAN_STAGES_H
#define MFFT_PLAN_STAGES_H

#include "plan/emitter.h"

#define MFFT_ADD_STAGE(stage, ...)                               \
  mfft_stage *stage = mfft_program_add(e->program, __VA_ARGS__); \
  if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for stage %d", e->program->count)

/* The transform of a stop over one region of its array (before the transform); and all stages of a stop over all of its
 * array, with its twiddle. */
mfft_status mfft_emit_fft(mfft_emitter *e, mfft_stop *s, const mfft_region *region, const mfft_array *in,
                          const mfft_array *out);
mfft_status mfft_emit_whole(mfft_emitter *e, mfft_stop *s);

/* The stage of a spec that is complete; transfer: of a scattered one, else NULL. */
mfft_status mfft_add_fft(mfft_emitter *e, const mfft_stop *s, const mfft_fft_spec *spec, mfft_place from, mfft_place to,
                         mfft_transfer *transfer);

/* A list of blocks, which the stage takes over; nothing where it is empty. */
mfft_status mfft_emit_convert(mfft_emitter *e, int packs, int chunk, mfft_block_list *blocks, int64_t element_bytes,
                              mfft_place from, mfft_place to);
mfft_status mfft_emit_copy(mfft_emitter *e, const char *label, int chunk, mfft_block_list *blocks, int64_t element_bytes,
                           mfft_place from, mfft_place to);

/* The stage that does what the transform of a stop would, where mfft_stop_resizes: over a region of its array. */
mfft_status mfft_emit_resize(mfft_emitter *e, const mfft_stop *s, const mfft_region *region);

#endif
