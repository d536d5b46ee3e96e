/* filter.h: functions that filter.c, radial.c and multiply.c share: the order of loops over an array, and products. */
#ifndef MFFT_LOCAL_HOST_FILTER_H
#define MFFT_LOCAL_HOST_FILTER_H

#include "local/filter_shape.h"
#include "mfft.h"

/* Fills axis with the axes of an array in descending order of strides. */
void mfft_host_sort_axes(const mfft_filter_shape *shape, int axis[3]);

/* Multiplies n complex numbers by real values, from in to out or in place. */
void mfft_host_multiply(mfft_precision precision, int64_t n, int64_t stride, const double *value /* [n] */, const void *in,
                        void *out);

#endif
