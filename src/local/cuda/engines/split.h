/* split.h: single and double merges on tensor cores (kernels/split/split.cu). */
#ifndef MFFT_CUDA_SPLIT_H
#define MFFT_CUDA_SPLIT_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_split;

/* Whether numbers are single, as sums of two halves.  Lines are then scaled into the range of halves (block floating point),
 * and all merges but the last divide by their radix. */
static inline int mfft_split_bounded(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_SPLIT && k->precision == MFFT_SINGLE;
}

/* The matrices of product.cuh: [merge][part][lane] 16 bytes, four parts, in the order of the registers of a fragment. */
mfft_status mfft_split_matrices(const mfft_kernel *kernel, mfft_table *table);

/* The twiddles between merges: those of mfft_table_merges, with a row for q = 0 too, and divided by the radix if
 * mfft_split_bounded. */
mfft_status mfft_split_merges(const mfft_kernel *kernel, mfft_table *table);

#endif
