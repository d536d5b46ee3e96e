/* add_pass.h: one pass of a chain of merges over an axis, or over a part of it. */
#ifndef MFFT_CUDA_ADD_PASS_H
#define MFFT_CUDA_ADD_PASS_H

#include "local/cuda/planner/builder.h"

/* Adds the pass to the end of the schedule. */
mfft_status mfft_add_pass(mfft_builder *b, const mfft_pass_geometry *geometry);

/* The kernel family with which a pass of this geometry begins.  Another may take the pass over when its loads and stores are
 * set (takes_over in engines/engine.h). */
mfft_engine_id mfft_choose_engine(const mfft_builder *b, const mfft_pass_geometry *geometry);

#endif
