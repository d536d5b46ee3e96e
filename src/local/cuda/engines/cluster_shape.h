/* cluster_shape.h: kernels of two line transforms, with an exchange among the blocks of a cluster between them; see
 * kernels/butterfly/cluster.cu for what a block does. */
#ifndef MFFT_CUDA_CLUSTER_SHAPE_H
#define MFFT_CUDA_CLUSTER_SHAPE_H

#include "local/cuda/engines/pair.h"

/* Whether clusters of that choice can be at all. */
int mfft_cluster_usable(const mfft_builder *b, const mfft_cluster_choice *choice);

/* A kernel before it is shaped, its shape, and the blocks that do `tiles` tiles. */
mfft_kernel mfft_cluster_kernel(const mfft_builder *b, const mfft_matrix *x);
double mfft_cluster_shape(const mfft_builder *b, const mfft_matrix *x, const mfft_cluster_choice *choice, mfft_kernel *k);
mfft_status mfft_cluster_blocks(mfft_pass *pass, int64_t tiles);

#endif
