/* device_guard.h: calls that run on the device of a plan, an exchange or a queue of copies, whichever thread makes them.
 *
 * The object keeps the device context in which it was made.  A call on it makes that context current for its own length, and
 * gives the thread back the one that it had. */
#ifndef MFFT_LOCAL_DEVICE_GUARD_H
#define MFFT_LOCAL_DEVICE_GUARD_H

#include "local/device.h"

typedef struct mfft_device_context {
  const mfft_device *device; /* NULL: not found yet, or a backend without contexts; a guard then does nothing */
  void *handle;
} mfft_device_context;

/* Finds the context that is current in the calling thread; device may be NULL. */
mfft_status mfft_device_context_find(const mfft_device *device, mfft_device_context *context);

typedef struct mfft_device_guard {
  const mfft_device_context *context; /* NULL: nothing was entered */
  void *before;                       /* what was current in the thread */
} mfft_device_guard;

/* Makes the context current, and restores what was current before.  leave is called also where enter failed. */
mfft_status mfft_device_guard_enter(const mfft_device_context *context, mfft_device_guard *guard);
void mfft_device_guard_leave(const mfft_device_guard *guard);

#endif
