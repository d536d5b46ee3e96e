/* add_pass.h: one pass of a chain of merges over an axis, or over a part of it. */
#ifndef MFFT_CUDA_ADD_PASS_H
#define MFFT_CUDA_ADD_PASS_H

#include "local/cuda/planner/builder.h"

/* Adds the pass to the end of the schedule. */
mfft_status mfft_add_pass(mfft_builder *b, const mfft_pass_geometry *geometry);

/* The kernel family that such a pass begins with; one that does it better may take over. */
mfft_engine_id mfft_choose_engine(const mfft_builder *b, const mfft_pass_geometry *geometry);

#endif
