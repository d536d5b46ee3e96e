/* butterfly.h: register butterflies, and the functions that other engines with register butterflies share. */
#ifndef MFFT_CUDA_BUTTERFLY_H
#define MFFT_CUDA_BUTTERFLY_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_butterfly;

/* How many complex numbers the shared memory of a block has space for. */
int64_t mfft_butterfly_room(mfft_precision precision, const mfft_device_limits *limits);

/* The longest line that one block transforms, `lines` at a time. */
int64_t mfft_butterfly_longest(mfft_precision precision, const mfft_device_limits *limits, int lines);

/* Chooses merges, threads and lines by the cost of instructions (chain.h).  wanted_lines: how many neighbouring lines fill a
 * memory segment; 1 if each line is contiguous itself. */
mfft_status mfft_butterfly_shape_by_cost(mfft_kernel *k, const mfft_device_limits *limits, int wanted_lines, int64_t lines);

/* Sets the fields that follow from lines, threads and radices: shared memory, and blocks of a multiprocessor. */
mfft_status mfft_butterfly_fit(mfft_kernel *k, const mfft_device_limits *limits);

/* Gives the kernel a measured chain, and sets these fields for it. */
mfft_status mfft_butterfly_take(mfft_kernel *k, const mfft_device_limits *limits, const mfft_bounded_chain *measured);

/* Bounds the registers of the kernel for more blocks of a multiprocessor, four at most, while `enough` remain. */
void mfft_butterfly_fit_more(mfft_kernel *k, const mfft_device_limits *limits, int enough);

#endif
