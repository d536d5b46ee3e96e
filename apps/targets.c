/* targets.c: see targets.h. */
#include "targets.h"

#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collective.h"
#include "report.h"

/* A file that will be written under its name: not a stream, and nothing that stands for a device. */
static int is_file(const mfft_target *target) {
  struct stat about;
  if (!target->path || !strcmp(target->path, "-")) return 0;
  return stat(target->path, &about) || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode);
}

static int same_file(const char *one, const char *other) {
  struct stat a, b;
  if (!strcmp(one, other)) return 1;
  return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Whether a file of this name can be made or replaced: 0, or errno. */
static int cannot_write(const char *path) {
  struct stat about;
  if (!stat(path, &about) && S_ISDIR(about.st_mode)) return EISDIR;
  const char *slash = strrchr(path, '/');
  char *folder = strdup(slash ? path : ".");
  if (!folder) return ENOMEM;
  if (slash) folder[slash == path ? 1 : slash - path] = 0;
  int reason = 0;
  if (stat(folder, &about))
    reason = errno;
  else if (!S_ISDIR(about.st_mode))
    reason = ENOTDIR;
  else if (access(folder, W_OK | X_OK))
    reason = errno;
  free(folder);
  return reason;
}

int mfft_targets_check(const mfft_command *command, const char *const *inputs, int input_count, const mfft_target *targets,
                       int target_count) {
  int code = MFFT_EXIT_OK;
  mfft_status status = MFFT_SUCCESS;
  for (int t = 0; t < target_count && mfft_app_rank() == 0 && code == MFFT_EXIT_OK && status == MFFT_SUCCESS; t++) {
    const mfft_target *target = &targets[t];
    if (!is_file(target)) continue;
    for (int i = 0; i < input_count && code == MFFT_EXIT_OK; i++)
      if (inputs[i] && same_file(target->path, inputs[i]))
        code = mfft_cli_usage(command, "%s %s is the input file; name another", target->option, target->path);
    for (int u = 0; u < t && code == MFFT_EXIT_OK; u++)
      if (is_file(&targets[u]) && same_file(target->path, targets[u].path))
        code = mfft_cli_usage(command, "%s %s is the file of %s; name another", target->option, target->path,
                              targets[u].option);
    const int reason = code == MFFT_EXIT_OK ? cannot_write(target->path) : 0;
    if (reason)
      status = mfft_app_fail(MFFT_ERR_IO, "%s: cannot write '%s': %s; check the spelling, the folder and its permissions",
                             target->option, target->path, strerror(reason));
  }
  mfft_app_share(&code, sizeof code, 0, "looking at the files to write");
  if (code != MFFT_EXIT_OK) return code;
  return mfft_app_failed(status) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
}
