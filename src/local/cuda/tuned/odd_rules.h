/* odd_rules.h: choices for real lines of odd length (kernels/butterfly/odd.cu), as measured on an H200
 * (docs/lab/real-lines.md). */
#ifndef MFFT_CUDA_ODD_RULES_H
#define MFFT_CUDA_ODD_RULES_H

#include "local/cuda/planner/kernel.h"

/* Whether a thread holds a whole line in its registers. */
int mfft_odd_whole(const mfft_kernel *k);

/* Whether the merge with real inputs or outputs may have the radix `reals`. */
int mfft_odd_takes(const mfft_kernel *k, int reals);

/* Whether a merge of complexes may have a composite radix above 16. */
int mfft_odd_takes_composite(const mfft_kernel *k, int radix);

/* A chain that was measured to be faster than that of least cost for contiguous lines, else NULL, and how much it is by
 * (docs/lab/real-lines.md). */
const mfft_chain *mfft_odd_chain(const mfft_kernel *k);

/* Threads that a block should have. */
int mfft_odd_block(const mfft_kernel *k);

/* Threads of a block of as many lines as fill its warps, for singles of which one line would leave more than a quarter of
 * the lanes idle, and 343, which are faster by it; 0: others, of which doubles are slower by it. */
int mfft_odd_full_block(const mfft_kernel *k);

/* The arithmetic of a C2R line whose error would else exceed cuFFT's, where that takes no more time than cuFFT and VkFFT do;
 * MFFT_EXACT_NOT for others. */
mfft_exact mfft_odd_exact(const mfft_kernel *k);

/* How many of its twiddles are products. */
mfft_products mfft_odd_products(const mfft_kernel *k);

/* Whether a kernel whose chain has been chosen stores through shared memory: its threads would else write parts of 32-byte
 * sectors. */
int mfft_odd_stages(const mfft_kernel *k);

/* Whether it stores, or loads, through shared memory at least where its lines are adjacent, so that the lines of a block are
 * copied as one piece. */
int mfft_odd_copies_stores(const mfft_kernel *k);
int mfft_odd_copies_loads(const mfft_kernel *k);

/* Whether registers are not bounded for the blocks of a multiprocessor. */
int mfft_odd_compact(const mfft_kernel *k);

/* Whether the twiddles of all merges but the first are in shared memory, as mfft_butterfly_shares_twiddles says for others.
 */
int mfft_odd_shares_twiddles(const mfft_kernel *k);

/* How many blocks ahead, for each multiprocessor, a kernel prefetches lines into the L2 cache; 0: none. */
int mfft_odd_fetches(const mfft_kernel *k);

#endif
