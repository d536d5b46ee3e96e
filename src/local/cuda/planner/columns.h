/* columns.h: long lines side by side in memory, as many as fill a segment, held by a cluster of blocks where one block
 * cannot: one pass where there would be two (kernels/butterfly/cluster.cu with COLUMNS). */
#ifndef MFFT_CUDA_COLUMNS_H
#define MFFT_CUDA_COLUMNS_H

#include "local/cuda/planner/pair.h"

/* All of an axis of n elements as one such pass, if the spec asks for it or it is the fastest known way, and the lines lie
 * side by side at both ends; sets *added. */
mfft_status mfft_columns_try(builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, int last, int *added);

#endif
