/* device_guard.c: see device_guard.h. */
#include "local/device_guard.h"

#include "base/status.h"

mfft_status mfft_home_find(const mfft_device *device, mfft_home *home) {
  *home = (mfft_home){NULL, NULL};
  if (!device || !device->here) return MFFT_SUCCESS;
  MFFT_TRY(device->here(&home->place));
  home->device = device;
  return MFFT_SUCCESS;
}

mfft_status mfft_home_enter(const mfft_home *home, mfft_visit *visit) {
  *visit = (mfft_visit){NULL, NULL};
  if (!home->device) return MFFT_SUCCESS;
  MFFT_TRY(home->device->enter(home->place, &visit->before));
  visit->home = home;
  return MFFT_SUCCESS;
}

void mfft_home_leave(const mfft_visit *visit) {
  if (visit->home) visit->home->device->leave(visit->home->place, visit->before);
}
