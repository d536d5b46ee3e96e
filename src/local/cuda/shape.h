/* shape.h: what the shapes of register butterflies (shape.c) and of tensor-core merges (tensor_shape.c) share. */
#ifndef MFFT_CUDA_SHAPE_H
#define MFFT_CUDA_SHAPE_H

#include "local/cuda/pass.h"

/* Blocks that must fit a multiprocessor, when a thread should have `registers`. */
void mfft_bound_blocks(mfft_kernel *k, const mfft_device_limits *limits, int registers);

/* The merges of tensor cores: 16 as often as it goes, and what is left; named ones must be these. */
mfft_status mfft_merge_by_sixteen(mfft_kernel *k);

/* As mfft_kernel_shape and mfft_kernel_longest, for 16-bit numbers on tensor cores. */
mfft_status mfft_tensor_shape(mfft_kernel *k, const mfft_device_limits *limits, int wanted_lines, int64_t lines);
int64_t mfft_tensor_longest(const mfft_device_limits *limits, int lines);

/* A butterfly kernel with the chain, lines and threads given. */
mfft_status mfft_kernel_by_chain(mfft_kernel *k, const mfft_device_limits *limits, const mfft_chain *chain);

/* The chain, lines and threads that are known to be fastest for `lines` lines of such a kernel; NULL: none are. */
const mfft_chain *mfft_measured_chain(const mfft_kernel *k, const mfft_device_limits *limits, int64_t lines);

/* Whether its blocks should bring the lines of the blocks after them into the L2 cache. */
int mfft_fetches(const mfft_kernel *k, const mfft_device_limits *limits);

#endif
