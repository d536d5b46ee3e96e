/* targets.h: the files that a command will write, checked before it does any work: hours of work would be lost if the folder
 * did not exist at the end, and an input that is overwritten is lost. */
#ifndef MFFT_APPS_TARGETS_H
#define MFFT_APPS_TARGETS_H

#include "base/whole_file.h"
#include "cli/cli.h"

/* A file that an option names; `path` NULL if the option was not given. */
typedef struct mfft_target {
  const char *option; /* its long name, with dashes */
  const char *path;
  const mfft_file_kind *
      kind; /* the kind of file that will be written there; NULL: a picture whose name has none of the endings of pictures */
} mfft_target;

/* MFFT_EXIT_OK; MFFT_EXIT_USAGE if a target is one of the files that are read, two are the same, or the ending of a
 * picture's name is unknown; MFFT_EXIT_FAILED if one cannot be written: it is a folder or a pipe, a file of another kind
 * exists, its folder does not exist or is not writable, or this build lacks the library that writes such files.  The message
 * has been printed then.  /dev/null is accepted, and for texts "-" and open descriptors of the process.  Collective: rank 0
 * checks. */
int mfft_targets_check(const mfft_command *command, const char *const *inputs /* [input_count] */, int input_count,
                       const mfft_target *targets /* [target_count] */, int target_count);

#endif
