/* checked.h: checks of the arrays that a caller passes to an execute.
 *
 * A kernel that reads an address which its device cannot access fails long after the call and destroys the CUDA context.
 * The driver is therefore asked about each array, which takes a microsecond.  Arrays that passed are remembered, and the
 * next execute on them costs a comparison.  An array that was freed and allocated again at the same address, but shorter,
 * is not noticed. */
#ifndef MFFT_LOCAL_CHECKED_H
#define MFFT_LOCAL_CHECKED_H

#include "local/backend.h"

enum { MFFT_CHECKED = 64 };
typedef struct mfft_checked {
  struct {
    const void *pointer;
    size_t bytes;
  } good[MFFT_CHECKED]; /* [MFFT_CHECKED] indexed by a hash of the pointer */
} mfft_checked;

/* MFFT_ERR_ARG, with the name of the array, if the driver knows that its allocation ends before `bytes` or that the
 * backend cannot access it.  The calling thread has entered the plan's device (device_guard.h).  0 bytes always pass. */
mfft_status mfft_check_array(const mfft_backend *backend, mfft_checked *checked, const void *array, size_t bytes,
                             const char *name);

#endif
