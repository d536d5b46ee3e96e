/* tensor_rules.h: how blocks of the kernels on tensor cores are shaped, as measured on an H200: of 16-bit numbers
 * (kernels/tensor/tensor.cu, docs/lab/tensor-half.md) and of single and double (kernels/split/split.cu,
 * docs/lab/tensor-single-double.md). */
#ifndef MFFT_CUDA_TENSOR_RULES_H
#define MFFT_CUDA_TENSOR_RULES_H

#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"

/* How a 16-bit pass accesses memory: contiguous lines in input and output, strided lines in both, or contiguous in one of
 * them. */
typedef enum mfft_tensor_access { MFFT_TENSOR_CONTIGUOUS, MFFT_TENSOR_STRIDED, MFFT_TENSOR_TRANSPOSED } mfft_tensor_access;
mfft_tensor_access mfft_tensor_access_of(const mfft_kernel *k);

/* Most columns of 16 rows of a block of a 16-bit pass.  A block has fewer if there are too few lines to fill the device. */
int mfft_tensor_columns(const mfft_kernel *k);

/* In how many rounds the threads of a 16-bit block process its `columns`: 1, 2 or 4.  blocks: blocks of the launch. */
enum { MFFT_TENSOR_MOST_ROUNDS = 4 };
int mfft_tensor_rounds(const mfft_kernel *k, const mfft_device_limits *limits, int columns, int64_t blocks);

/* Whether 16-bit blocks are persistent: each processes many tiles with its matrices in registers, and loads the next tile
 * during the merges of this one.  Otherwise several blocks share a multiprocessor, so that loads and stores overlap. */
int mfft_tensor_persistent(const mfft_kernel *k, const mfft_device_limits *limits, int rounds);

/* Whether a 16-bit pass is faster with segments of two cache lines. */
int mfft_tensor_wide(const mfft_kernel *k, const mfft_device_limits *limits);

/* Registers of a thread of a 16-bit kernel, once k->tile.persistent is set. */
int mfft_tensor_registers(const mfft_kernel *k, int rounds);

/* For a pass in single or double whose block has `tiles` tiles: tiles of a warp, 1, 2 or 4; and registers of a thread. */
int mfft_split_tiles_of_warp(int tiles);
int mfft_split_registers(const mfft_kernel *k, int tiles);

#endif
