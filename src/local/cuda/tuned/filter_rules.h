/* filter_rules.h: blocks of strided lines that a pass multiplies by a filter, as measured on an H200 (docs/lab/poisson.md).
 *
 * A filter takes registers, so that chains are fast here which are not for plain lines: the first merge, before which a
 * filtered transform multiplies, has the smaller radix. */
#ifndef MFFT_CUDA_FILTER_RULES_H
#define MFFT_CUDA_FILTER_RULES_H

#include "local/cuda/planner/kernel.h"

/* The block of strided lines of complexes that are multiplied as they are loaded; NULL: none was measured that is faster
 * than the one of least estimated cost. */
const mfft_chain *mfft_filtered_block_of(const mfft_kernel *k);

/* The same of lines that are transformed, multiplied by a filter or a spectrum, and transformed back. */
const mfft_chain *mfft_convolved_block_of(const mfft_kernel *k);

#endif
