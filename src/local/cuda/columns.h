/* columns.h: long lines side by side in memory, as many as fill a segment, held by a cluster of blocks where one block
 * cannot: one pass where there would be two (kernels/cluster.cu with COLUMNS). */
#ifndef MFFT_CUDA_COLUMNS_H
#define MFFT_CUDA_COLUMNS_H

#include "local/cuda/pair.h"

/* What the spec asks for; .cluster is 0 where columns are left to passes of blocks. */
mfft_pair_way mfft_columns_choose(const builder *b);

/* Whether one pass can take the whole of an axis of n elements whose lines lie side by side. */
int mfft_columns_take(const builder *b, const mfft_pair_way *way, int axis, int64_t n, mfft_place_id src, mfft_place_id dst);

/* Two factors for a line of n neighbours in memory, so that blocks or clusters can do each in one pass; 0 where there are
 * none. */
int mfft_columns_split(const builder *b, const mfft_pair_way *way, int axis, int64_t n, mfft_place_id src, mfft_place_id dst,
                       int64_t factor[MAX_SPLIT]);

/* The pass of mfft_builder_add_pass as one of columns, where it is one for a cluster; sets *added. */
mfft_status mfft_columns_try(builder *b, const mfft_pair_way *way, int axis, int64_t n, int64_t before, int64_t after,
                             mfft_place_id src, mfft_place_id dst, int last, int *added);

#endif
