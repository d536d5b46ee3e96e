/* butterfly_ends.h: how register butterflies load and store their lines. */
#ifndef MFFT_CUDA_BUTTERFLY_ENDS_H
#define MFFT_CUDA_BUTTERFLY_ENDS_H

#include "local/cuda/engines/engine.h"

/* Whether each line is one butterfly of one thread, where lines go through shared memory. */
int mfft_has_whole_lines(const mfft_kernel *k);

/* The ends of a pass: exactness, staging, wide accesses. */
void mfft_butterfly_ends(mfft_pass_draft *d);

/* Stages lines that touch each other as one piece of memory. */
void mfft_butterfly_stage_as_one(mfft_pass_draft *d);

#endif
