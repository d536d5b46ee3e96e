/* cluster.h: the engine of planes and long lines that the blocks of a thread-block cluster transform in one launch,
 * exchanging data through distributed shared memory (kernels/butterfly/cluster.cu). */
#ifndef MFFT_CUDA_CLUSTER_H
#define MFFT_CUDA_CLUSTER_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_cluster;

#endif
