/* memory.c: the public calls on the memory of a backend that the caller names. */
#include "base/status.h"
#include "local/backend.h"
#include "local/device.h"
#include "local/host/host.h"
#include "mfft_memory.h"

mfft_status mfft_memory_alloc(const char *backend, size_t bytes, void **pointer) {
  const mfft_backend *found = NULL;
  if (!pointer) return mfft_fail(MFFT_ERR_ARG, "pointer is NULL; pass the address of a variable for the result");
  MFFT_TRY(mfft_backend_find(backend, &found));
  return found->alloc(bytes, pointer);
}

mfft_status mfft_memory_free(const char *backend, void *pointer) {
  const mfft_backend *found = NULL;
  if (!pointer) return MFFT_SUCCESS;
  MFFT_TRY(mfft_backend_find(backend, &found));
  found->free(pointer);
  return MFFT_SUCCESS;
}

mfft_status mfft_memory_alloc_host(const char *backend, size_t bytes, void **pointer) {
  const mfft_backend *found = NULL;
  if (!pointer) return mfft_fail(MFFT_ERR_ARG, "pointer is NULL; pass the address of a variable for the result");
  MFFT_TRY(mfft_backend_find(backend, &found));
  return found->host_memory ? mfft_host_alloc(bytes, pointer) : found->device->pinned_alloc(bytes, pointer);
}

mfft_status mfft_memory_free_host(const char *backend, void *pointer) {
  const mfft_backend *found = NULL;
  if (!pointer) return MFFT_SUCCESS;
  MFFT_TRY(mfft_backend_find(backend, &found));
  (found->host_memory ? mfft_host_free : found->device->pinned_free)(pointer);
  return MFFT_SUCCESS;
}

mfft_status mfft_memory_locate(const char *backend, const void *pointer, mfft_memory *memory) {
  const mfft_backend *found = NULL;
  if (!pointer || !memory) return mfft_fail(MFFT_ERR_ARG, "%s is NULL", !pointer ? "pointer" : "memory");
  MFFT_TRY(mfft_backend_find(backend, &found));
  const int host = found->host_memory || (found->check && found->check(pointer, 1, 1, "pointer") != MFFT_SUCCESS);
  *memory = host ? MFFT_MEMORY_HOST : MFFT_MEMORY_DEVICE;
  return MFFT_SUCCESS;
}

static mfft_status check_ends(const void *to, const char *to_name, const void *from, const char *from_name, size_t bytes) {
  const char *missing = !to ? to_name : !from ? from_name : NULL;
  if (missing && bytes) return mfft_fail(MFFT_ERR_ARG, "%s is NULL; %zu bytes are to be copied", missing, bytes);
  return MFFT_SUCCESS;
}

mfft_status mfft_memory_upload(const char *backend, void *device, const void *host, size_t bytes) {
  const mfft_backend *found = NULL;
  MFFT_TRY(check_ends(device, "device", host, "host", bytes));
  MFFT_TRY(mfft_backend_find(backend, &found));
  return found->upload(device, host, bytes);
}

mfft_status mfft_memory_download(const char *backend, void *host, const void *device, size_t bytes) {
  const mfft_backend *found = NULL;
  MFFT_TRY(check_ends(host, "host", device, "device", bytes));
  MFFT_TRY(mfft_backend_find(backend, &found));
  return found->download(host, device, bytes);
}

mfft_status mfft_memory_copy(const char *backend, void *to, const void *from, size_t bytes) {
  const mfft_backend *found = NULL;
  MFFT_TRY(check_ends(to, "to", from, "from", bytes));
  MFFT_TRY(mfft_backend_find(backend, &found));
  return found->move(to, from, bytes);
}
