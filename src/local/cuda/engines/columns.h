/* columns.h: long lines interleaved in memory, as many as fill a segment, held by a cluster of blocks where one block
 * cannot: one pass where there would be two (kernels/butterfly/cluster.cu with COLUMNS). */
#ifndef MFFT_CUDA_COLUMNS_H
#define MFFT_CUDA_COLUMNS_H

#include "local/cuda/engines/pair.h"

/* All of an axis as one such pass, if the spec asks for it or it was measured to be the fastest, and the lines lie side by
 * side at both ends; sets *added. */
mfft_status mfft_columns_try(mfft_builder *b, const mfft_pair_request *r, int *added);

#endif
