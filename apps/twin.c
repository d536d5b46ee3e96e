#include "twin.h"

#include <string.h>

#include "report.h"

static mfft_status no_room(mfft_status status, const char *what, size_t bytes, const char *where) {
  if (status != MFFT_ERR_MEMORY) return status;
  return mfft_app_fail(status,
                       "%s needs %zu bytes of %s memory on rank %d, which are not there; use more ranks or a smaller mesh",
                       what, bytes, where, mfft_app_rank());
}

mfft_status mfft_plan_array(mfft_plan plan, size_t bytes, const char *what, void **pointer) {
  const char *backend;
  mfft_memory memory;
  mfft_status status = mfft_plan_backend(plan, &backend);
  if (status == MFFT_SUCCESS) status = mfft_plan_memory(plan, &memory);
  if (status != MFFT_SUCCESS) return status;
  return no_room(mfft_memory_alloc(backend, bytes, pointer), what, bytes, memory == MFFT_MEMORY_DEVICE ? "device" : "host");
}

mfft_status mfft_twin_create(mfft_plan plan, size_t bytes, const char *what, mfft_twin *twin) {
  mfft_memory memory;
  memset(twin, 0, sizeof *twin);
  twin->bytes = bytes;
  mfft_status status = mfft_plan_memory(plan, &memory);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(plan, &twin->backend);
  if (status == MFFT_SUCCESS) status = mfft_plan_array(plan, bytes, what, &twin->plan);
  if (status != MFFT_SUCCESS) return status;
  twin->host = twin->plan;
  if (memory == MFFT_MEMORY_HOST) return MFFT_SUCCESS;
  twin->host = NULL;
  return no_room(mfft_memory_alloc_host(twin->backend, bytes, &twin->host), what, bytes, "page-locked host");
}

void mfft_twin_destroy(mfft_twin *twin) {
  if (twin->host != twin->plan) mfft_memory_free_host(twin->backend, twin->host);
  if (twin->plan) mfft_memory_free(twin->backend, twin->plan);
  memset(twin, 0, sizeof *twin);
}

mfft_status mfft_twin_upload(const mfft_twin *twin) {
  if (twin->host == twin->plan) return MFFT_SUCCESS;
  return mfft_memory_upload(twin->backend, twin->plan, twin->host, twin->bytes);
}

mfft_status mfft_twin_download(const mfft_twin *twin, mfft_plan plan) {
  if (twin->host == twin->plan) return MFFT_SUCCESS;
  mfft_status status = mfft_plan_synchronize(plan);
  return status == MFFT_SUCCESS ? mfft_memory_download(twin->backend, twin->host, twin->plan, twin->bytes) : status;
}
