/* array.h: noise, sums, rows and functions of |k| on the device.  These entries of backend.h wait for the stream. */
#ifndef MFFT_CUDA_ARRAY_H
#define MFFT_CUDA_ARRAY_H

#include "local/backend.h"
#include "local/cuda/kernels/args/sum_args.h"
#include "local/cuda/ops/service.h"

mfft_status mfft_cuda_normal(mfft_precision precision, const mfft_normal_fill *fill, void *out, void *stream);
mfft_status mfft_cuda_sums(mfft_precision precision, const mfft_reals_sums *sums, const void *in, void *stream);
mfft_status mfft_cuda_rows(mfft_precision precision, const mfft_reals_rows *rows, void *array, void *stream);
mfft_status mfft_cuda_modes(mfft_precision precision, const mfft_modes_fill *fill, void *out, void *stream);
mfft_status mfft_cuda_product(mfft_precision precision, const mfft_reals_product *what, const void *a, const void *b,
                              void *c, void *stream);
mfft_status mfft_cuda_radial(mfft_precision precision, const mfft_radial_product *radial, const void *in, void *out,
                             void *stream);

/* Adds the exact sum of a thread block to a sum. */
void mfft_cuda_block_sum_add(const mfft_block_sums *block, mfft_exact_sum *sum);

#endif
