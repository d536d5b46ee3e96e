/* block_trial.h: blocks of register butterflies that are shaped by a request (mfft_block_trial) in place of the rule, so
 * that rules can be compared with their alternatives. */
#ifndef MFFT_CUDA_BLOCK_TRIAL_H
#define MFFT_CUDA_BLOCK_TRIAL_H

#include "local/cuda/planner/draft.h"

/* Whether a pass has such a request: a whole transform's, for each of its plain passes. */
int mfft_block_trial_for(const mfft_pass_draft *d);

/* Staging of contiguous lines, in the place of the rule's. */
void mfft_block_trial_stage(const mfft_builder *b, mfft_kernel *k);

/* Lines of `threads` threads each for a block of at most `most` threads, and of at least half of them, of which the last
 * warp leaves the fewest lanes idle. */
int mfft_lines_of_full_warps(int threads, int most);

#endif
