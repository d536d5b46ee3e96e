/* occupancy.h: how many blocks of a kernel a multiprocessor holds. */
#ifndef MFFT_CUDA_OCCUPANCY_H
#define MFFT_CUDA_OCCUPANCY_H

#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"

/* Sets the blocks that must fit a multiprocessor, when a thread should have `registers`. */
void mfft_bound_blocks(mfft_kernel *k, const mfft_device_limits *limits, int registers);

#endif
