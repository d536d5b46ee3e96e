/* shape.h: what the shapes of register butterflies (shape.c) and of tensor-core merges (tensor_shape.c) share. */
#ifndef MFFT_CUDA_SHAPE_H
#define MFFT_CUDA_SHAPE_H

#include "local/cuda/planner/pass.h"

/* Blocks that must fit a multiprocessor, when a thread should have `registers`. */
void mfft_bound_blocks(mfft_kernel *k, const mfft_device_limits *limits, int registers);

/* Of two. */
static inline int is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/* What remains of n without its factors 2, 3, 5, 7, 11 and 13, of which butterflies are made. */
int64_t mfft_rest_of_length(int64_t n);

/* Whether each line is one butterfly of one thread, where lines go through shared memory. */
int mfft_has_whole_lines(const mfft_kernel *k);

/* The merges of tensor cores: 16 as often as it goes, and what is left; named ones must be these. */
mfft_status mfft_merge_by_sixteen(mfft_kernel *k);

/* As mfft_kernel_shape and mfft_kernel_longest, for 16-bit numbers on tensor cores. */
mfft_status mfft_tensor_shape(mfft_kernel *k, const mfft_device_limits *limits, int wanted_lines, int64_t lines);
int64_t mfft_tensor_longest(const mfft_device_limits *limits, int lines);

/* A butterfly kernel with the chain, lines and threads given; whether the device has room for it. */
int mfft_chain_fits(const mfft_kernel *k, const mfft_device_limits *limits, const mfft_chain *chain);
mfft_status mfft_kernel_by_chain(mfft_kernel *k, const mfft_device_limits *limits, const mfft_chain *chain);

/* What is known to be fastest for a kind of kernel. */
typedef struct mfft_measured {
  mfft_chain chain;
  int fetch;  /* asks the L2 cache for the lines of blocks so many a multiprocessor further on; 0: does not */
  int blocks; /* that may share a multiprocessor; 0: as many as fit */
} mfft_measured;

/* That of `lines` lines of such a kernel, of an axis of `whole` elements, from one array to another or in its place; NULL:
 * nothing is. */
const mfft_measured *mfft_measured_find(const mfft_kernel *k, const mfft_device_limits *limits, const mfft_fft_spec *spec,
                                        int64_t lines, int64_t whole, int moves);

/* A kernel so made. */
mfft_status mfft_measured_take(mfft_kernel *k, const mfft_device_limits *limits, const mfft_measured *measured);

/* Whether the blocks of a kernel that none was measured for should ask for the lines of the blocks after them. */
int mfft_fetches(const mfft_kernel *k, const mfft_device_limits *limits);

#endif
