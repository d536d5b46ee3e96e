/* memory.c: aligned host memory. */
#define _DEFAULT_SOURCE /* madvise */
#include "local/host/host.h"
#include "mfft_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Large arrays request huge pages, since strided transforms touch another page for each line, and messages between ranks of
 * a node are mapped page by page.  Linux gives huge pages only on request by default. */
enum { HUGE_PAGE = 2 << 20 };

mfft_status mfft_host_alloc(size_t bytes, void **pointer) {
  void *made = NULL;
  const int huge = bytes >= 2 * HUGE_PAGE;
  if (posix_memalign(&made, huge ? HUGE_PAGE : MFFT_HOST_ALIGNMENT, bytes ? bytes : 1) != 0)
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes; use smaller arrays or more processes", bytes);
#ifdef MADV_HUGEPAGE
  if (huge) (void)madvise(made, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* only a hint: ordinary pages work too */
#endif
  *pointer = made;
  return MFFT_SUCCESS;
}

void mfft_host_free(void *pointer) { free(pointer); }

mfft_status mfft_host_move(void *to, const void *from, size_t bytes) {
  if (bytes) memcpy(to, from, bytes);
  return MFFT_SUCCESS;
}

mfft_status mfft_host_synchronize(void *stream) {
  (void)stream; /* calls on the host are blocking, so there is nothing to wait for */
  return MFFT_SUCCESS;
}

mfft_status mfft_host_check(const char *backend, const mfft_fft_spec *spec) {
  if (spec->compute == MFFT_COMPUTE_TENSOR)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "compute is MFFT_COMPUTE_TENSOR and the backend \"%s\" has no tensor cores; use the backend \"cuda\", "
                     "or MFFT_COMPUTE_AUTO",
                     backend);
  for (int a = 0; a < spec->naxes; a++)
    if (spec->radices[a])
      return mfft_fail(
          MFFT_ERR_UNSUPPORTED,
          "radices are \"%s\" and the backend \"%s\" chooses its own; use the backend \"cuda\", or give no radices",
          spec->radices[a], backend);
  return MFFT_SUCCESS;
}

mfft_status mfft_alloc(size_t bytes, void **pointer) {
  if (!pointer) return mfft_fail(MFFT_ERR_ARG, "pointer is NULL; pass the address of a variable for the result");
  return mfft_host_alloc(bytes, pointer);
}

void mfft_free(void *pointer) { mfft_host_free(pointer); }
