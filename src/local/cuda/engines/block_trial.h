/* block_trial.h: blocks of register butterflies that are shaped by a request (mfft_block_trial) in place of the rule, so
 * that rules can be compared with their alternatives. */
#ifndef MFFT_CUDA_BLOCK_TRIAL_H
#define MFFT_CUDA_BLOCK_TRIAL_H

#include "local/cuda/planner/draft.h"

/* Whether a request of the transform, if there is one, is for this pass. */
int mfft_block_trial_covers(const mfft_pass_draft *d);

/* Whether the transform has a request that shapes this pass, a plain one. */
int mfft_block_trial_for(const mfft_pass_draft *d);

/* Sets the staging of contiguous lines as requested, instead of by the rule. */
void mfft_block_trial_stage(const mfft_builder *b, mfft_kernel *k);

/* Takes the chain, threads and lines that are requested, without prefetching; what follows from them is not set.  Fails
 * where they do not suit the length. */
mfft_status mfft_block_trial_take(const mfft_pass_draft *d);

/* Sets what is requested of twiddles and of the bound of registers, after the block is shaped. */
void mfft_block_trial_hints(const mfft_pass_draft *d);

/* Returns how many lines, of `threads` threads each, a block should have so that its last warp has the fewest idle lanes;
 * the block has `most` threads at most, and half of them at least. */
int mfft_lines_of_full_warps(int threads, int most);

#endif
