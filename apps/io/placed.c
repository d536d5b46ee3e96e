/* placed.c: see placed.h. */
#include "io/placed.h"

#include <string.h>

#include "cli/report.h"

const char *mfft_placed_device(mfft_plan plan) {
  const char *backend = NULL;
  mfft_memory memory = MFFT_MEMORY_HOST;
  if (mfft_plan_memory(plan, &memory) != MFFT_SUCCESS || memory == MFFT_MEMORY_HOST) return NULL;
  return mfft_plan_backend(plan, &backend) == MFFT_SUCCESS ? backend : NULL;
}

mfft_status mfft_placed_create(const char *device, void *host, int64_t count, size_t element_bytes, const char *what,
                               mfft_placed *p) {
  *p = (mfft_placed){.data = host, .host = host, .device = host ? device : NULL};
  if (!p->device) return MFFT_SUCCESS;
  const size_t bytes = (count > 0 ? (size_t)count : 1) * element_bytes;
  p->data = NULL;
  const mfft_status status = mfft_memory_alloc(device, bytes, &p->data);
  if (status != MFFT_ERR_MEMORY) return status;
  return mfft_app_fail(status,
                       "%s need %zu bytes of device memory on rank %d, which are not there; use more GPUs, or "
                       "--backend fftw",
                       what, bytes, mfft_app_rank());
}

void mfft_placed_free(mfft_placed *p) {
  if (p->device) mfft_memory_free(p->device, p->data);
  memset(p, 0, sizeof *p);
}

mfft_status mfft_placed_put(const mfft_placed *p, size_t bytes) {
  return p->device && bytes ? mfft_memory_upload(p->device, p->data, p->host, bytes) : MFFT_SUCCESS;
}

mfft_status mfft_placed_fetch(const mfft_placed *p, size_t bytes) {
  return p->device && bytes ? mfft_memory_download(p->device, p->host, p->data, bytes) : MFFT_SUCCESS;
}
