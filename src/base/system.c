/* system.c: see system.h. */
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *mfft_posix_reason(int error) {
  static const struct {
    int error;
    const char *remedy;
  } known[] = {
      {ENOSPC, "free some space or choose another folder"},
      {EDQUOT, "the quota is used up: free some space or choose another folder"},
      {EFBIG, "the file size limit (ulimit -f) or the file system's is too small: raise it or choose another folder"},
      {EACCES, "check the rights of the file and of every folder above it"},
      {EROFS, "choose a folder that can be written"},
      {ENOENT, "check the spelling, and that the folder exists and is seen by every node"},
      {EMFILE, "raise the limit of open files (ulimit -n)"},
  };
  static _Thread_local char text[256];
  size_t used = (size_t)snprintf(text, sizeof text, "%s", strerror(error));
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].error == error && used < sizeof text) snprintf(text + used, sizeof text - used, "; %s", known[i].remedy);
  return text;
}

void mfft_posix_quiet(mfft_posix_signals *old) {
  sigset_t limit, waiting;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  old->pending = sigpending(&waiting) == 0 && sigismember(&waiting, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &limit, &old->before);
}

void mfft_posix_restore(const mfft_posix_signals *old) {
  const struct timespec at_once = {0, 0};
  sigset_t limit;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  if (!old->pending) /* SIGXFSZ goes to the writing thread: one that is pending now is from a write of this thread */
    while (sigtimedwait(&limit, NULL, &at_once) < 0 && errno == EINTR) {
    }
  pthread_sigmask(SIG_SETMASK, &old->before, NULL);
}

char *mfft_system_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

int mfft_system_sync_folder(const char *path) {
  char *folder = mfft_system_folder(path);
  if (!folder) return ENOMEM;
  int error = 0, fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  /* Some file systems cannot sync a folder and report EINVAL.  A folder that may be written but not read cannot be
   * opened. */
  if (fd >= 0 && fsync(fd) != 0 && errno != EINVAL && errno != EBADF && errno != EROFS) error = errno;
  if (fd >= 0) close(fd);
  free(folder);
  return error;
}
