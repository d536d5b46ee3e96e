/* targets.c: see targets.h. */
#include "cli/targets.h"

#include <mpi.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "io/json.h"
#include "io/save.h"
#include "mfft_snapshot.h"
#include "plot/picture.h"

/* Whether a file will be written under its name: not a stream, and not a device. */
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

/* Whether a target is an input, or one of the files of an input that is a snapshot in several files. */
static int is_input(const char *target, const char *input) {
  int of_set = 0;
  if (same_file(target, input)) return 1;
#ifdef MFFT_HAVE_HDF5
  (void)mfft_snapshot_has_file(input, target, &of_set);
#endif
  return of_set;
}

/* The reason why this build cannot write such a file, or NULL. */
static const char *missing(const mfft_target *target) {
  if (target->kind == &mfft_json_kind) return mfft_json_missing();
  return mfft_picture_kind(target->path) == target->kind ? mfft_picture_missing() : NULL;
}

static mfft_status check_target(const mfft_target *target) {
  char why[MFFT_WHY_BYTES] = "only texts can go to stdout; name a file";
  if (!target->path) return MFFT_SUCCESS;
  if (missing(target)) return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "%s: %s", target->option, missing(target));
  const int is_stdout = !strcmp(target->path, "-");
  if (is_stdout ? target->kind->is_text : !mfft_file_check(target->path, target->kind, why)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_IO, "%s: cannot write '%s': %s", target->option, target->path, why);
}

/* Usage errors of target t: an ending that is unknown, an input file, or the file of a target before it. */
static int check_names(const mfft_command *command, const char *const *inputs, int input_count, const mfft_target *targets,
                       int t) {
  const mfft_target *target = &targets[t];
  if (target->path && !target->kind)
    return mfft_cli_usage(command, "%s %s: the name of a picture must end in " MFFT_PICTURE_ENDINGS, target->option,
                          target->path);
  for (int u = 0; u < t; u++)
    if (mfft_app_is_stdout(target->path) && mfft_app_is_stdout(targets[u].path))
      return mfft_cli_usage(command, "%s and %s are both stdout; give one of them a file", targets[u].option,
                            target->option);
  if (!is_file(target)) return MFFT_EXIT_OK;
  for (int i = 0; i < input_count; i++)
    if (inputs[i] && is_input(target->path, inputs[i]))
      return mfft_cli_usage(command, "%s %s is %s; name another", target->option, target->path,
                            same_file(target->path, inputs[i]) ? "the input file" : "a file of the input");
  for (int u = 0; u < t; u++)
    if (is_file(&targets[u]) && same_file(target->path, targets[u].path))
      return mfft_cli_usage(command, "%s %s is the file of %s; name another", target->option, target->path,
                            targets[u].option);
  return MFFT_EXIT_OK;
}

int mfft_targets_check(const mfft_command *command, const char *const *inputs, int input_count, const mfft_target *targets,
                       int target_count) {
  int code = MFFT_EXIT_OK;
  mfft_status status = MFFT_SUCCESS;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_OPEN);
  for (int t = 0; t < target_count && mfft_app_rank() == 0 && code == MFFT_EXIT_OK && status == MFFT_SUCCESS; t++) {
    code = check_names(command, inputs, input_count, targets, t);
    if (code == MFFT_EXIT_OK) status = check_target(&targets[t]);
  }
  mfft_app_broadcast(&code, sizeof code, 0, "looking at the files to write");
  if (code == MFFT_EXIT_OK && mfft_app_failed(status)) code = MFFT_EXIT_FAILED;
  mfft_phase_enter(before);
  return code;
}
