/* array.h: noise, sums, rows and functions of |k| on the device: entries of backend.h, which wait for the stream. */
#ifndef MFFT_CUDA_ARRAY_H
#define MFFT_CUDA_ARRAY_H

#include "local/backend.h"

mfft_status mfft_cuda_normal(mfft_precision precision, const mfft_normal_fill *fill, void *out, void *stream);
mfft_status mfft_cuda_sums(mfft_precision precision, const mfft_reals_sums *sums, const void *in, void *stream);
mfft_status mfft_cuda_rows(mfft_precision precision, const mfft_reals_rows *rows, void *array, void *stream);
mfft_status mfft_cuda_radial(mfft_precision precision, const mfft_radial_product *radial, const void *in, void *out,
                             void *stream);

#endif
