/* checked.h: whether a caller's memory is what a backend can work on.
 *
 * A kernel that touches what its device cannot reach fails much later, and takes the device's context with it.  So the
 * driver is asked about an array, which takes a microsecond; arrays that were found good are remembered, so that those which
 * come again cost a comparison.  Memory that is freed and allocated anew at the same address, and shorter, is not seen. */
#ifndef MFFT_LOCAL_CHECKED_H
#define MFFT_LOCAL_CHECKED_H

#include "local/backend.h"

enum { MFFT_CHECKED = 64 };
typedef struct mfft_checked {
  struct {
    const void *pointer;
    size_t bytes;
  } good[MFFT_CHECKED]; /* [MFFT_CHECKED] by a hash of the pointer */
} mfft_checked;

/* MFFT_ERR_ARG, telling the array by name, where the driver knows that `bytes` from its beginning on are not there, or not
 * in the backend's reach.  By a thread that has the plan's device.  No bytes pass. */
mfft_status mfft_check_array(const mfft_backend *backend, mfft_checked *checked, const void *array, size_t bytes,
                             const char *name);

#endif
