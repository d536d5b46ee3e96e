/* fields.h: several input files in one call of a command, and the names of their results.
 *
 * In the name of a result "{}" is replaced by the name of the input file without its folder and its ending, and "{dir}" by
 * its folder: -o '{dir}/phi-{}.h5' makes runs/phi-a.h5 of runs/a.h5. */
#ifndef MFFT_APPS_FIELDS_H
#define MFFT_APPS_FIELDS_H

#include "cli/targets.h"

/* The largest number of input files of a command. */
enum { MFFT_FIELDS_MOST = 4096 };

/* The help of --stop-file. */
#define MFFT_FIELDS_STOP_HELP \
  "end before the next of several inputs once a file of this name exists; inputs that are left are no error"

/* How many operands there are. */
int mfft_fields_count(const char *const *input /* [MFFT_FIELDS_MOST], NULL after the last */);

/* Whether a name is one for each field. */
int mfft_fields_pattern(const char *name);

/* The name that a pattern gives, to be freed, or NULL without memory; a name that is no pattern is unchanged. */
char *mfft_fields_name(const char *pattern, const char *input);

/* mfft_targets_check for every field and `other`, a further file that is read (NULL: none), and a usage error where results
 * of several fields would get the same name; a target that is `shared` may be no pattern.  Collective. */
typedef struct mfft_fields_target {
  mfft_target target; /* its path may be a pattern */
  int shared;         /* 1: a name that is no pattern is one file for all fields */
} mfft_fields_target;
int mfft_fields_check(const mfft_command *command, const char *const *input, const char *other,
                      const mfft_fields_target *targets, int count);

/* Whether a file exists, by rank 0.  Collective. */
int mfft_fields_exists(const char *path);

/* The outcome of the fields of a call. */
typedef struct mfft_fields_counts {
  int fields, done, skipped, failed;
  int left;                               /* not begun, since a stop was requested */
  const char *failures[MFFT_FIELDS_MOST]; /* [failed] their inputs */
} mfft_fields_counts;
void mfft_fields_count_result(mfft_fields_counts *counts, const char *input, int failed);

/* Whether to end before field i, which is not the first: if a file of this name exists (NULL: no); the fields from i on
 * count as left.  Collective. */
int mfft_fields_stop(mfft_fields_counts *counts, const char *stop_file, int i);

/* Prints "mergefft COMMAND INPUT: " before messages from now on, if there are several fields. */
void mfft_fields_name_messages(const char *command, const char *input, int several);

/* For several fields, how many were `done` ("solved"), skipped, left and not done, and which: one line on stderr. */
void mfft_fields_report(const mfft_fields_counts *counts, const char *done);

#endif
