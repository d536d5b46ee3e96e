/* bench_median.h: the median of samples. */
#ifndef MFFT_APPS_BENCH_MEDIAN_H
#define MFFT_APPS_BENCH_MEDIAN_H

#include <stdint.h>

/* The median of the values, which it sorts; count > 0. */
double mfft_bench_median(double *values /* [count] */, int64_t count);

#endif
