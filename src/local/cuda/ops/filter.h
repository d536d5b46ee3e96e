/* filter.h: multiplies arrays by filters, and spectra by those of kernels, on the device. */
#ifndef MFFT_CUDA_FILTER_H
#define MFFT_CUDA_FILTER_H

#include "local/cuda/kernels/args/spectrum_args.h"
#include "local/cuda/planner/pass.h"

enum { MFFT_FILTER_THREADS = 256 }; /* threads of a block, as in kernels/service/filter.cu */

/* Fills in the arguments of a launch over an array; returns the number of its thread blocks, 0 for an empty array. */
unsigned mfft_cuda_filter_args(const mfft_filter_shape *shape, const void *tables, const void *in, void *out,
                               mfft_filter_args *args);

/* The entry of backend.h. */
mfft_status mfft_cuda_filter(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                             void *out, void *stream);

/* The entry `multiply` (multiply.c): multiplies a spectrum by that of a convolution kernel. */
mfft_status mfft_cuda_multiply(mfft_precision precision, const mfft_filter_shape *shape, int conjugate, const void *kernel,
                               void *array, void *stream);

#endif
