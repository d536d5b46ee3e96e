/* direct.c: transfers between files and arrays in the memory of a device (mfft_direct.h). */
#include <stdio.h>
#include <stdlib.h>

#include "base/direct.h"
#include "base/status.h"
#include "local/backend.h"
#include "local/device.h"
#include "local/device_guard.h"

typedef struct direct_array {
  struct mfft_direct_s base;
  const mfft_backend *backend;
  const mfft_device_files *files;
  mfft_device_context context; /* context of the array, which threads enter that transfer parts of it */
} direct_array;

static const direct_array *array_of(mfft_direct_array direct) { return (const direct_array *)(const void *)direct; }

static mfft_status open_file(mfft_direct_array direct, int fd, const char *path, void **file) {
  const direct_array *a = array_of(direct);
  mfft_device_guard guard;
  mfft_status status = mfft_device_guard_enter(&a->context, &guard);
  if (status == MFFT_SUCCESS) status = a->files->open(fd, path, file);
  mfft_device_guard_leave(&guard);
  return status;
}

static void close_file(mfft_direct_array direct, void *file) {
  const direct_array *a = array_of(direct);
  mfft_device_guard guard;
  (void)mfft_device_guard_enter(&a->context, &guard);
  a->files->close(file);
  mfft_device_guard_leave(&guard);
}

static mfft_status move(mfft_direct_array direct, void *file, const mfft_direct_range *range, const char *path) {
  const direct_array *a = array_of(direct);
  mfft_device_guard guard;
  mfft_status status = mfft_device_guard_enter(&a->context, &guard);
  if (status == MFFT_SUCCESS) status = a->files->move(file, direct->array, range, path);
  mfft_device_guard_leave(&guard);
  return status;
}

static mfft_status copy(mfft_direct_array direct, int64_t place, void *host, int64_t bytes, int to_host) {
  const direct_array *a = array_of(direct);
  mfft_device_guard guard;
  mfft_status status = mfft_device_guard_enter(&a->context, &guard);
  if (status == MFFT_SUCCESS)
    status = to_host ? a->backend->download(host, direct->array + place, (size_t)bytes)
                     : a->backend->upload(direct->array + place, host, (size_t)bytes);
  mfft_device_guard_leave(&guard);
  return status;
}

static const mfft_direct_calls calls = {open_file, close_file, move, copy};

/* Starts the driver for direct transfers of a backend's device, and returns its calls. */
static mfft_status start(const char *name, const mfft_backend **backend, const mfft_device_files **files) {
  MFFT_TRY(mfft_backend_find(name, backend));
  *files = (*backend)->host_memory || !(*backend)->device ? NULL : (*backend)->device->files;
  if (!*files) return mfft_fail(MFFT_ERR_UNSUPPORTED, "backend %s has no memory that files are read into", (*backend)->name);
  return (*files)->start();
}

mfft_status mfft_direct_create(const char *backend, void *array, size_t bytes, mfft_direct_array *direct) {
  if (!direct || !array) return mfft_fail(MFFT_ERR_ARG, "%s is NULL", direct ? "array" : "direct");
  direct_array made = {.base = {&calls, array, (int64_t)bytes}};
  MFFT_TRY(start(backend, &made.backend, &made.files));
  MFFT_TRY(mfft_device_context_find(made.backend->device, &made.context));
  direct_array *registered = malloc(sizeof *registered);
  if (!registered) return mfft_fail(MFFT_ERR_MEMORY, "no memory to register an array");
  const mfft_status status = made.files->attach(array, bytes);
  if (status != MFFT_SUCCESS) {
    free(registered);
    return status;
  }
  *registered = made;
  *direct = &registered->base;
  return MFFT_SUCCESS;
}

void mfft_direct_destroy(mfft_direct_array direct) {
  if (!direct) return;
  const direct_array *a = array_of(direct);
  mfft_device_guard guard;
  (void)mfft_device_guard_enter(&a->context, &guard);
  a->files->detach(direct->array);
  mfft_device_guard_leave(&guard);
  free(direct);
}

mfft_status mfft_direct_describe(const char *backend, char *text, size_t size) {
  const mfft_backend *found = NULL;
  const mfft_device_files *files = NULL;
  if (!text) return mfft_fail(MFFT_ERR_ARG, "text is NULL");
  const mfft_status status = start(backend, &found, &files);
  if (!found) return status;
  if (status == MFFT_SUCCESS)
    files->describe(text, size);
  else
    snprintf(text, size, "not used: %s", mfft_last_error());
  return MFFT_SUCCESS;
}
