/* device_guard.h: the device that a plan, an exchange or a queue of copies was made on.  A call on it, by whatever thread,
 * enters that device first and gives the thread back its own at the end. */
#ifndef MFFT_LOCAL_DEVICE_GUARD_H
#define MFFT_LOCAL_DEVICE_GUARD_H

#include "local/device.h"

typedef struct mfft_home {
  const mfft_device *device; /* NULL: not found yet, or nowhere in particular; entering is nothing then */
  void *place;
} mfft_home;

/* The device that is the calling thread's; device may be NULL. */
mfft_status mfft_home_find(const mfft_device *device, mfft_home *home);

/* leave also where enter failed. */
typedef struct mfft_visit {
  const mfft_home *home; /* NULL: nothing was entered */
  void *before;
} mfft_visit;
mfft_status mfft_home_enter(const mfft_home *home, mfft_visit *visit);
void mfft_home_leave(const mfft_visit *visit);

#endif
