/* targets.h: the files that a command will write, looked at before it does any work: hours of it are lost where the folder
 * turns out not to be there at the end, and an input that is written over is lost for good. */
#ifndef MFFT_APPS_TARGETS_H
#define MFFT_APPS_TARGETS_H

#include "base/whole_file.h"
#include "cli/cli.h"

/* A file that an option names; `path` NULL where the option was not given. */
typedef struct mfft_target {
  const char *option; /* its long name, with dashes */
  const char *path;
  const mfft_file_kind
      *kind; /* what will be written there; NULL: a picture whose name has none of the endings of pictures */
} mfft_target;

/* MFFT_EXIT_OK; MFFT_EXIT_USAGE where a target is one of the files that are read, two are the same, or the ending of a
 * picture's name is unknown; MFFT_EXIT_FAILED
 * where one cannot be written: it is a folder or a pipe, a file of another kind is there, its folder is not there or may not
 * be written in, or this build lacks the library that writes such files.  What is wrong has been said then.  /dev/null
 * passes, and for texts "-" and what the process has open.  Collective: rank 0 looks. */
int mfft_targets_check(const mfft_command *command, const char *const *inputs /* [input_count] */, int input_count,
                       const mfft_target *targets /* [target_count] */, int target_count);

#endif
