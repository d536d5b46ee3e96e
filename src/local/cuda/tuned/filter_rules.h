/* filter_rules.h: blocks of strided lines that a pass multiplies by a filter or a spectrum, as measured on an H200
 * (docs/lab/poisson.md).
 *
 * Factors occupy registers where a pass multiplies, so other chains are the fastest than for plain lines: mostly of two
 * merges by radices that differ least.  In filtered transforms the first merge, before which the pass multiplies, has the
 * smaller radix, which leaves registers for more blocks. */
#ifndef MFFT_CUDA_FILTER_RULES_H
#define MFFT_CUDA_FILTER_RULES_H

#include "local/cuda/planner/kernel.h"

/* Finds the block of strided lines of complexes that are multiplied by a filter as they are loaded.  Returns 0 if none was
 * measured that is faster than the one of least estimated cost. */
int mfft_filtered_block_of(const mfft_kernel *k, mfft_bounded_chain *block);

/* The same of lines that are transformed, multiplied by a filter or a spectrum, and transformed back. */
int mfft_convolved_block_of(const mfft_kernel *k, mfft_bounded_chain *block);

/* Registers of a thread that has so many values at once, by which a block of least cost of such lines is faster the more of
 * it a multiprocessor holds; INT_MAX: none. */
int mfft_filtered_registers(const mfft_kernel *k, int values);
int mfft_convolved_registers(const mfft_kernel *k, int values);

#endif
