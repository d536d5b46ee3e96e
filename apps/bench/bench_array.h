/* bench_array.h: an array of a plan in the memory of its backend. */
#ifndef MFFT_APPS_BENCH_ARRAY_H
#define MFFT_APPS_BENCH_ARRAY_H

#include "mfft.h"
#include "mfft_memory.h"

typedef struct mfft_bench_array {
  const char *backend; /* whose memory it is */
  mfft_memory memory;
  char *data;
  size_t bytes;
} mfft_bench_array;

mfft_status mfft_bench_array_create(mfft_plan plan, size_t bytes, const char *what, mfft_bench_array *array);
void mfft_bench_array_destroy(mfft_bench_array *array); /* accepts one that is all zeros */

mfft_status mfft_bench_array_write(const mfft_bench_array *array, size_t offset, const void *from, size_t bytes);
mfft_status mfft_bench_array_clear(const mfft_bench_array *array);

/* `bytes` from `offset` on in memory that the CPU can read: the array itself, or `buffer` with a copy. */
mfft_status mfft_bench_array_view(const mfft_bench_array *array, size_t offset, size_t bytes, void *buffer,
                                  const void **view);

/* Bytes a second that a copy within the memory of the plan reads and writes, measured once for each backend, within this
 * time limit in seconds, 0: of short copies, which caches hold; NAN if there is not enough memory. */
double mfft_bench_copy_speed(mfft_plan plan, double seconds);

#endif
