/* twin.h: an array on the host, where commands read, fill and look at it, and where the plan wants it: the same memory, or
 * that of a device with page-locked memory on the host, between which copies run at full speed. */
#ifndef MFFT_APPS_TWIN_H
#define MFFT_APPS_TWIN_H

#include "mfft.h"

typedef struct mfft_twin {
  const char *backend;
  void *host, *plan; /* [bytes] equal where plans take host memory */
  size_t bytes;
} mfft_twin;

/* Fails with a story of how many bytes of `what` there was no room for.  destroy accepts zeroed and half-built objects. */
mfft_status mfft_twin_create(mfft_plan plan, size_t bytes, const char *what, mfft_twin *twin);
void mfft_twin_destroy(mfft_twin *twin);

/* Where the two are one there is nothing to do.  Downloading waits for the plan, which wrote the array, first. */
mfft_status mfft_twin_upload(const mfft_twin *twin);
mfft_status mfft_twin_download(const mfft_twin *twin, mfft_plan plan);

/* Memory of the plan alone, with the same story; free it with mfft_memory_free. */
mfft_status mfft_plan_array(mfft_plan plan, size_t bytes, const char *what, void **pointer);

#endif
