/* strided_rules.h: strided lines of complex doubles by two merges, as measured on an H200 (docs/lab/long-axes.md). */
#ifndef MFFT_CUDA_STRIDED_RULES_H
#define MFFT_CUDA_STRIDED_RULES_H

#include "local/cuda/planner/kernel.h"

/* The larger radix of the pair whose product is n and whose radices, from 10 to `most` and no long primes, differ least; 0:
 * there is none. */
int mfft_larger_radix(int n, int most);

/* Finds the two radices, lines and threads of a block by which strided lines of doubles take less time than by three merges
 * of smaller radices.  in_cache: the lines are a part that stays in the L2 cache.  Returns 0 if there are none. */
int mfft_strided_pair(const mfft_kernel *k, int in_cache, mfft_chain *chain);

#endif
