/* convolution_rules.h: blocks that convolve contiguous lines by Bluestein's algorithm, as measured on an H200
 * (docs/lab/primes.md). */
#ifndef MFFT_CUDA_CONVOLUTION_RULES_H
#define MFFT_CUDA_CONVOLUTION_RULES_H

#include "local/cuda/planner/kernel.h"

/* A block of lines that are convolved in chain.n elements. */
typedef struct mfft_convolution_block {
  mfft_chain chain;
  double cost; /* of an element, in times of a copy of it */
} mfft_convolution_block;

/* The block that takes the least time for a line which is convolved in `least` elements or more; NULL: none was measured.
 * of_reals: mfft_is_of_reals of the lines. */
const mfft_convolution_block *mfft_convolution_block_for(mfft_precision precision, int of_reals, int64_t least);

/* The measured block of a kernel whose ends are set; NULL: none. */
const mfft_convolution_block *mfft_convolution_block_of(const mfft_kernel *k);

#endif
