/* checked.c: see checked.h. */
#include "local/checked.h"

#include "base/status.h"

mfft_status mfft_check_array(const mfft_backend *backend, mfft_checked *checked, const void *array, size_t bytes,
                             const char *name) {
  const uintptr_t spread = (uintptr_t)array * 0x9e3779b97f4a7c15u;
  const size_t at = spread >> (8 * sizeof spread - 6) & (MFFT_CHECKED - 1);
  if (!bytes || !backend->check) return MFFT_SUCCESS;
  if (checked->good[at].pointer == array && checked->good[at].bytes >= bytes) return MFFT_SUCCESS;
  MFFT_TRY(backend->check(array, bytes, 0, name));
  checked->good[at].pointer = array;
  checked->good[at].bytes = bytes;
  return MFFT_SUCCESS;
}
