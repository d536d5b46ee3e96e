/* bench_median.c: see bench_median.h. */
#include "bench/bench_median.h"

#include <stdlib.h>

#include "base/ascending.h"

double mfft_bench_median(double *values /* [count] */, int64_t count) {
  qsort(values, (size_t)count, sizeof(double), mfft_ascending_double);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
