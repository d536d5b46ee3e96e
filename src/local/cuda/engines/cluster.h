/* cluster.h: planes and long lines in one launch, held by the blocks of a cluster. */
#ifndef MFFT_CUDA_CLUSTER_H
#define MFFT_CUDA_CLUSTER_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_cluster;

#endif
