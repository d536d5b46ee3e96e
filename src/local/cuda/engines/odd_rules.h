/* odd_rules.h: what is best for real lines of odd length (kernels/butterfly/odd.cu), as measured on an H200
 * (docs/lab/real-lines.md).
 */
#ifndef MFFT_CUDA_ODD_RULES_H
#define MFFT_CUDA_ODD_RULES_H

#include "local/cuda/planner/kernel.h"

/* Which merge of a chain of so many is one of reals (kernels/butterfly/odd.cu); -1 for kernels of other engines. */
int mfft_merge_of_reals(const mfft_kernel *k, int merges);

/* Whether a thread has a line whole. */
int mfft_odd_whole(const mfft_kernel *k);

/* The longest merge of reals. */
int mfft_odd_reals(const mfft_kernel *k);

/* Threads of a block, about. */
int mfft_odd_block(const mfft_kernel *k);

/* How C2R is kept as close to the truth as cuFFT's, where that costs more. */
mfft_exact mfft_odd_exact(const mfft_kernel *k);

/* Whether a kernel whose chain has been chosen stores by way of shared memory, as its threads meet parts of sectors. */
int mfft_odd_stages(const mfft_kernel *k);

/* How many blocks a multiprocessor further on it fetches. */
int mfft_odd_fetches(const mfft_kernel *k);

#endif
