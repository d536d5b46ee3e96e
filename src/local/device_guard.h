/* device_guard.h: makes the device of a plan, an exchange or a queue of copies current for the length of a call, in any
 * thread.
 *
 * The object stores the device context in which it was created.  A call on it makes that context current, and restores
 * the thread's previous context when it returns. */
#ifndef MFFT_LOCAL_DEVICE_GUARD_H
#define MFFT_LOCAL_DEVICE_GUARD_H

#include "local/device.h"

typedef struct mfft_device_context {
  const mfft_device *device; /* NULL: not set, or a backend without contexts; a guard then does nothing */
  void *handle;
} mfft_device_context;

/* Finds the context that is current in the calling thread; device may be NULL. */
mfft_status mfft_device_context_find(const mfft_device *device, mfft_device_context *context);

typedef struct mfft_device_guard {
  const mfft_device_context *context; /* NULL: nothing was entered */
  void *before;                       /* context that was current in the thread */
} mfft_device_guard;

/* enter makes the context current; leave restores the previous one, and is called even if enter failed. */
mfft_status mfft_device_guard_enter(const mfft_device_context *context, mfft_device_guard *guard);
void mfft_device_guard_leave(const mfft_device_guard *guard);

#endif
