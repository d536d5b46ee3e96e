/* sixteen.h: functions that the engines on tensor cores share: merges of radix 16, and a smaller one last. */
#ifndef MFFT_CUDA_SIXTEEN_H
#define MFFT_CUDA_SIXTEEN_H

#include "local/cuda/engines/engine.h"

/* Sets the merges of a line of a power of two: radix 16 as often as it divides, and the quotient last.  Radices that the
 * user names must be the same. */
mfft_status mfft_merge_by_sixteen(mfft_kernel *k);

/* Whether merges on tensor cores are wanted for complex lines that are a power of two long. */
int mfft_prefers_tensor_cores(const mfft_pass_request *r);

/* Sets staging and 16-byte accesses for loads and stores; lines shorter than `staged_below` are copied through shared
 * memory. */
void mfft_sixteen_ends(mfft_pass_draft *d, int staged_below);

/* Gives each merge of halves its share of the scale, so that no intermediate result overflows. */
void mfft_share_scale_of_merges(mfft_pass_draft *d);

#endif
