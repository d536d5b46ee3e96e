/* filter_rules.h: blocks of strided lines that a pass multiplies by a filter, as measured on an H200 (docs/lab/poisson.md).
 *
 * Factors occupy registers where a pass multiplies, so other chains are the fastest than for plain lines.  In filtered
 * transforms the first merge, before which the pass multiplies, has the smaller radix, which leaves registers for more
 * blocks.  Convolved lines follow no such rule. */
#ifndef MFFT_CUDA_FILTER_RULES_H
#define MFFT_CUDA_FILTER_RULES_H

#include "local/cuda/planner/kernel.h"

/* The block of strided lines of complexes that are multiplied as they are loaded; NULL: none was measured that is faster
 * than the one of least estimated cost. */
const mfft_chain *mfft_filtered_block_of(const mfft_kernel *k);

/* The same of lines that are transformed, multiplied by a filter or a spectrum, and transformed back. */
const mfft_chain *mfft_convolved_block_of(const mfft_kernel *k);

#endif
