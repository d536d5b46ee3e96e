/* butterfly_ends.h: how register butterflies load and store their lines. */
#ifndef MFFT_CUDA_BUTTERFLY_ENDS_H
#define MFFT_CUDA_BUTTERFLY_ENDS_H

#include "local/cuda/engines/engine.h"

/* Whether each line is one butterfly of one thread.  Its elements are then loaded and stored through shared memory. */
int mfft_has_whole_lines(const mfft_kernel *k);

/* Sets how a pass loads and stores its lines: exactness, staging, wide accesses. */
void mfft_butterfly_ends(mfft_pass_draft *d);

/* Lets a pass access two packed reals at once, where all such pairs are aligned. */
void mfft_butterfly_pair_reals(mfft_pass *pass);

/* Whether lines of n elements, `distance` apart, are staged by element and adjacent in memory. */
int mfft_lines_touch(const mfft_end *end, int64_t n, int64_t distance);

/* Lets lines that are adjacent in memory be staged as one piece, for which a block computes only one address. */
void mfft_butterfly_stage_as_one(mfft_pass_draft *d);

#endif
