/* columns.h: long lines that are interleaved in memory.  A cluster transforms as many of them as fill a memory segment,
 * which is more than one block can hold: one pass instead of two (kernels/butterfly/cluster.cu with COLUMNS). */
#ifndef MFFT_CUDA_COLUMNS_H
#define MFFT_CUDA_COLUMNS_H

#include "local/cuda/engines/pair.h"

/* Adds a whole axis as one such pass, and sets *added, if the spec asks for it or it was measured to be the fastest, and
 * neighbouring lines are neighbours in memory in input and output. */
mfft_status mfft_columns_try(mfft_builder *b, const mfft_pair_request *r, int *added);

#endif
