/* occupancy.h: how many blocks of a kernel a multiprocessor holds. */
#ifndef MFFT_CUDA_OCCUPANCY_H
#define MFFT_CUDA_OCCUPANCY_H

#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"

/* Sets tile.min_blocks, the second launch bound: the blocks that fit a multiprocessor if a thread has `registers` registers.
 */
void mfft_bound_blocks(mfft_kernel *k, const mfft_device_limits *limits, int registers);

/* Registers that a thread has if so many blocks fit a multiprocessor; 0 where other resources do not allow them. */
int mfft_registers_of(const mfft_kernel *k, const mfft_device_limits *limits, int blocks);

#endif
