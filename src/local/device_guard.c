/* device_guard.c: see device_guard.h. */
#include "local/device_guard.h"

#include "base/status.h"

mfft_status mfft_device_context_find(const mfft_device *device, mfft_device_context *context) {
  *context = (mfft_device_context){NULL, NULL};
  if (!device || !device->current) return MFFT_SUCCESS;
  MFFT_TRY(device->current(&context->handle));
  context->device = device;
  return MFFT_SUCCESS;
}

mfft_status mfft_device_guard_enter(const mfft_device_context *context, mfft_device_guard *guard) {
  *guard = (mfft_device_guard){NULL, NULL};
  if (!context->device) return MFFT_SUCCESS;
  MFFT_TRY(context->device->enter(context->handle, &guard->before));
  guard->context = context;
  return MFFT_SUCCESS;
}

void mfft_device_guard_leave(const mfft_device_guard *guard) {
  if (guard->context) guard->context->device->leave(guard->context->handle, guard->before);
}
