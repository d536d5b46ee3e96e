/* filter.h: filters on the device. */
#ifndef MFFT_CUDA_FILTER_H
#define MFFT_CUDA_FILTER_H

#include "local/backend.h"

/* The entry of backend.h. */
mfft_status mfft_cuda_filter(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                             void *out, void *stream);

#endif
