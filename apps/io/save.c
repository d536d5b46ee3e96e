/* save.c: see save.h. */
#include "io/save.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "cli/report.h"

int mfft_app_is_stdout(const char *path) { return path && (!strcmp(path, "-") || !strcmp(path, "/dev/stdout")); }

mfft_status mfft_app_save(const char *path, const mfft_file_kind *kind, const void *bytes, size_t length) {
  char why[MFFT_WHY_BYTES];
  if (kind->is_text && mfft_app_is_stdout(path)) { /* in sequence with other output */
    if (fwrite(bytes, 1, length, stdout) == length && !fflush(stdout)) return MFFT_SUCCESS;
    return mfft_app_fail(MFFT_ERR_IO, "cannot write to stdout: %s", mfft_posix_reason(errno));
  }
  const int error = mfft_file_write(path, kind, bytes, length, why);
  if (!error) return MFFT_SUCCESS;
  return mfft_app_fail(error == ENOMEM ? MFFT_ERR_MEMORY : MFFT_ERR_IO, "cannot write '%s': %s", path, why);
}
