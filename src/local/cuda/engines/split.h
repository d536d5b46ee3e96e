/* split.h: single and double merges on tensor cores (kernels/split/split.cu). */
#ifndef MFFT_CUDA_SPLIT_H
#define MFFT_CUDA_SPLIT_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_split;

/* Single as two halves: lines are brought into range, and all merges but the last divide by their radix. */
static inline int mfft_split_bounded(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_SPLIT && k->precision == MFFT_SINGLE;
}

/* The matrices of product.cuh: for each merge and lane four times 16 bytes, 32 lanes apart. */
mfft_status mfft_split_matrices(const mfft_kernel *kernel, mfft_table *table);

/* Twiddles between merges: as mfft_table_merges with a row for q = 0, divided by the radix where lines are bounded. */
mfft_status mfft_split_merges(const mfft_kernel *kernel, mfft_table *table);

#endif
