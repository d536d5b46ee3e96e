/* host.c: aligned host memory. */
#define _POSIX_C_SOURCE 200809L
#include "local/host.h"

#include <stdlib.h>

mfft_status mfft_host_alloc(size_t bytes, void **pointer) {
  void *made = NULL;
  if (posix_memalign(&made, MFFT_HOST_ALIGNMENT, bytes ? bytes : 1) != 0)
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes; use smaller arrays or more processes", bytes);
  *pointer = made;
  return MFFT_SUCCESS;
}

void mfft_host_free(void *pointer) { free(pointer); }

mfft_status mfft_alloc(size_t bytes, void **pointer) {
  if (!pointer) return mfft_fail(MFFT_ERR_ARG, "pointer is NULL; pass the address of a variable for the result");
  return mfft_host_alloc(bytes, pointer);
}

void mfft_free(void *pointer) { mfft_host_free(pointer); }
