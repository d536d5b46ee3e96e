/* filter.h: filters on the device. */
#ifndef MFFT_CUDA_FILTER_H
#define MFFT_CUDA_FILTER_H

#include "local/cuda/planner/pass.h"

enum { MFFT_FILTER_THREADS = 256 }; /* of a block, as in kernels/service/filter.cu */

/* What a launch over an array takes; returns its blocks, 0 where there is nothing to do. */
unsigned mfft_cuda_filter_args(const mfft_filter_shape *shape, const void *tables, const void *in, void *out,
                               mfft_filter_args *args);

/* The entry of backend.h. */
mfft_status mfft_cuda_filter(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                             void *out, void *stream);

/* A spectrum times that of a kernel: the entry `multiply` (multiply.c). */
mfft_status mfft_cuda_multiply(mfft_precision precision, const mfft_filter_shape *shape, int conjugate, const void *kernel,
                               void *array, void *stream);

#endif
