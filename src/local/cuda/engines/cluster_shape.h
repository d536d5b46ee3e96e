/* cluster_shape.h: kernels of two line transforms, with an exchange among the blocks of a cluster between them; see
 * kernels/butterfly/cluster.cu for what a block does. */
#ifndef MFFT_CUDA_CLUSTER_SHAPE_H
#define MFFT_CUDA_CLUSTER_SHAPE_H

#include "local/cuda/engines/pair.h"

/* Whether the device and the spec allow clusters of that choice. */
int mfft_cluster_usable(const mfft_builder *b, const mfft_cluster_choice *choice);

/* kernel: a kernel that has no shape yet.  shape: chooses its chains; returns the cost of an element, or INFINITY if no
 * chains fit.  blocks: sets the blocks of a launch for `tiles` tiles. */
mfft_kernel mfft_cluster_kernel(const mfft_builder *b, const mfft_matrix *x);
double mfft_cluster_shape(const mfft_builder *b, const mfft_matrix *x, const mfft_cluster_choice *choice, mfft_kernel *k);
mfft_status mfft_cluster_blocks(mfft_pass *pass, int64_t tiles);

#endif
