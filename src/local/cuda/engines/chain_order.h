/* chain_order.h: the order of the merges of a chain.
 *
 * All orders of the same radices take the same arithmetic, but the first merge writes to shared memory with a stride of its
 * radix: behind an odd radix neighbours meet different banks, so that rows need no gaps, and one address serves all values
 * of a thread (gaps.h). */
#ifndef MFFT_CUDA_CHAIN_ORDER_H
#define MFFT_CUDA_CHAIN_ORDER_H

#include "local/cuda/planner/kernel.h"

/* Puts the merges behind the first `fixed` ones of a kernel whose chain and maps are set, and may be in any order (chain.h),
 * into the order whose exchanges cost least with the gaps that suit it.  With `fixed` 0 the first merge
 * becomes one that leaves the fewest threads without loads; a chain stays as it is where that would gain little. */
void mfft_chain_order(mfft_kernel *k, int fixed);

#endif
