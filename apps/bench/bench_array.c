#include "bench/bench_array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "mfft_memory.h"

mfft_status mfft_bench_array_create(mfft_plan plan, size_t bytes, const char *what, mfft_bench_array *array) {
  mfft_bench_array made = {.bytes = bytes};
  void *data = NULL;
  mfft_status status = mfft_plan_backend(plan, &made.backend);
  if (status == MFFT_SUCCESS) status = mfft_plan_memory(plan, &made.memory);
  if (status == MFFT_SUCCESS) status = mfft_memory_alloc(made.backend, bytes, &data);
  if (status == MFFT_ERR_MEMORY)
    return mfft_app_fail(status, "%s needs %zu bytes of %s memory on rank %d, which are not there; use a smaller array",
                         what, bytes, made.memory == MFFT_MEMORY_DEVICE ? "device" : "host", mfft_app_rank());
  if (status != MFFT_SUCCESS) return status;
  made.data = data;
  if (made.memory == MFFT_MEMORY_HOST) memset(data, 0, bytes); /* touched before it is timed */
  *array = made;
  return MFFT_SUCCESS;
}

void mfft_bench_array_destroy(mfft_bench_array *array) {
  if (array->data) mfft_memory_free(array->backend, array->data);
  memset(array, 0, sizeof *array);
}

mfft_status mfft_bench_array_write(const mfft_bench_array *array, size_t offset, const void *from, size_t bytes) {
  return mfft_memory_upload(array->backend, array->data + offset, from, bytes);
}

mfft_status mfft_bench_array_clear(const mfft_bench_array *array) {
  enum { PIECE = 16 << 20 };
  mfft_status status = MFFT_SUCCESS;
  size_t piece = array->bytes < PIECE ? array->bytes : PIECE;
  char *zeros = calloc(piece + 1, 1);
  if (!zeros) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %zu zeros", piece);
  for (size_t at = 0; at < array->bytes && status == MFFT_SUCCESS; at += piece)
    status = mfft_bench_array_write(array, at, zeros, array->bytes - at < piece ? array->bytes - at : piece);
  free(zeros);
  return status;
}

mfft_status mfft_bench_array_view(const mfft_bench_array *array, size_t offset, size_t bytes, void *buffer,
                                  const void **view) {
  *view = array->memory == MFFT_MEMORY_HOST ? array->data + offset : buffer;
  if (array->memory == MFFT_MEMORY_HOST) return MFFT_SUCCESS;
  return mfft_memory_download(array->backend, buffer, array->data + offset, bytes);
}

/* The least time of a few copies, or of two if the time is up; on a device it includes the start of one. */
static mfft_status time_copy(const char *backend, char *to, const char *from, size_t bytes, double limit, double *seconds) {
  const double end = mfft_app_time() + limit;
  *seconds = INFINITY;
  for (int i = 0; i < 7 && (i < 2 || mfft_app_time() < end); i++) {
    double start = mfft_app_time();
    mfft_status status = mfft_memory_copy(backend, to, from, bytes);
    if (status != MFFT_SUCCESS) return status;
    *seconds = fmin(*seconds, mfft_app_time() - start);
  }
  return MFFT_SUCCESS;
}

double mfft_bench_copy_speed(mfft_plan plan, double seconds) {
  static const char *measured; /* backend */
  static double speed;
  const char *backend;
  mfft_memory memory;
  if (mfft_plan_backend(plan, &backend) != MFFT_SUCCESS || mfft_plan_memory(plan, &memory) != MFFT_SUCCESS) return NAN;
  if (measured == backend) return speed;
  /* Larger than caches, unless the user gives no time for it: the pages of such arrays take most of the time of small cases.
   * The time to start a copy cancels in the difference of two sizes. */
  const size_t host_size = (size_t)(seconds > 0 ? 64 : 4) << 20,
               size = memory == MFFT_MEMORY_HOST ? host_size : (size_t)1 << 30;
  void *from = NULL, *to = NULL;
  double once = 0, twice = 0;
  mfft_status status = mfft_memory_alloc(backend, 2 * size, &from);
  if (status == MFFT_SUCCESS) status = mfft_memory_alloc(backend, 2 * size, &to);
  if (status == MFFT_SUCCESS && memory == MFFT_MEMORY_HOST) memset(from, 1, 2 * size); /* untouched memory has no pages */
  if (status == MFFT_SUCCESS) status = time_copy(backend, to, from, size, seconds / 2, &once);
  if (status == MFFT_SUCCESS) status = time_copy(backend, to, from, 2 * size, seconds / 2, &twice);
  mfft_memory_free(backend, from);
  mfft_memory_free(backend, to);
  measured = backend;
  return speed = status == MFFT_SUCCESS ? 2 * (double)size / fmax(twice - once, once / 2) : NAN;
}
