<<<<<<< Updated upstream
/* save.c: see save.h. */
#include "save.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

int mfft_app_is_stdout(const char *path) { return path && (!strcmp(path, "-") || !strcmp(path, "/dev/stdout")); }

mfft_status mfft_app_save(const char *path, const mfft_file_kind *kind, const void *bytes, size_t length) {
  char why[MFFT_WHY_BYTES];
  if (kind->is_text && mfft_app_is_stdout(path)) { /* in its turn among what else goes there */
    if (fwrite(bytes, 1, length, stdout) == length && !fflush(stdout)) return MFFT_SUCCESS;
    return mfft_app_fail(MFFT_ERR_IO, "cannot write to stdout: %s", strerror(errno));
  }
  if (!mfft_file_write(path, kind, bytes, length, why)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_IO, "cannot write '%s': %s", path, why);
=======
/* textfile.c: see textfile.h. */
#include "textfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

/* What is no regular file, such as /dev/null or a pipe, is written as it is: renaming would replace it. */
static int is_special(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

mfft_status mfft_file_save(const char *path, int (*write)(void *context, void *stream), void *context) {
  int special = is_special(path);
  size_t size = strlen(path) + 32;
  char *temporary = malloc(size);
  if (!temporary) return mfft_app_fail(MFFT_ERR_MEMORY, "memory ran out while writing '%s'", path);
  if (special)
    snprintf(temporary, size, "%s", path);
  else
    snprintf(temporary, size, "%s.tmp.%ld", path, (long)getpid());
  errno = 0;
  FILE *stream = fopen(temporary, "w");
  int failed = !stream || write(context, stream) || fflush(stream) || (!special && fsync(fileno(stream)));
  int reason = errno;
  if (stream && fclose(stream) && !failed) {
    failed = 1;
    reason = errno;
  }
  if (!failed && !special && rename(temporary, path)) {
    failed = 1;
    reason = errno;
  }
  mfft_status status = MFFT_SUCCESS;
  if (failed) {
    status = mfft_app_fail(MFFT_ERR_IO, "cannot write '%s': %s; check the folder, its permissions and the space left", path,
                           reason ? strerror(reason) : "write error");
    if (!special && stream) unlink(temporary);
  }
  free(temporary);
  return status;
}

typedef struct bytes {
  const char *bytes; /* [length] */
  size_t length;
} bytes;

static int write_text(void *context, void *stream) {
  const bytes *t = context;
  return fwrite(t->bytes, 1, t->length, stream) == t->length ? 0 : -1;
}

mfft_status mfft_text_save(const char *path, const char *text, size_t length) {
  bytes t = {text, length};
  if (strcmp(path, "-")) return mfft_file_save(path, write_text, &t);
  if (write_text(&t, stdout) || fflush(stdout))
    return mfft_app_fail(MFFT_ERR_IO, "cannot write to stdout: %s", strerror(errno));
  return MFFT_SUCCESS;
>>>>>>> Stashed changes
}
