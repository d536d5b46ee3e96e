/* untrusted.h: untrusted files, read through a copy.
 *
 * HDF5 parses a file in the process that reads it, and may crash, hang or take all memory over one that is damaged or was
 * made for that.  With --untrusted rank 0 starts this program once more (no fork: MPI does not bear one), as a child without
 * MPI and with limits, which copies the dataset into a file of ours; the ranks read that.  The end of the child, too long a
 * silence, or more memory than allowed become MFFT_ERR_CORRUPT.
 *
 *     return mfft_untrusted_run(&options, name, dataset, output, work, &context);
 *
 * A command reads one file; in `work` it keeps to the name that the user gave, in texts too, and asks here what to open. */
#ifndef MFFT_APPS_UNTRUSTED_H
#define MFFT_APPS_UNTRUSTED_H

#include "cli/cli.h"
#include "mfft_field.h"

typedef struct mfft_untrusted_options {
  int untrusted;
  double time, memory; /* seconds; GiB */
} mfft_untrusted_options;
extern const mfft_cli_option mfft_untrusted_options_table[];

/* Calls `work`, and before it makes a copy where the options say so, in a folder of its own beside the file `beside` that
 * the command will write, or in TMPDIR where that is NULL or no plain file; afterwards the copy is removed.  Returns the
 * exit code of `work`, or MFFT_EXIT_FAILED after saying why there is no copy.  Collective. */
int mfft_untrusted_run(const mfft_untrusted_options *options, const char *name, const char *dataset, const char *beside,
                       int (*work)(void *context), void *context);

/* The path to open in place of `name`: that of the copy, or `name` itself if there is none. */
const char *mfft_untrusted_path(const char *name);

/* mfft_field_query on all ranks, which tells of the file, not of the copy, whether it has checksums. */
mfft_status mfft_untrusted_query(const char *name, const char *dataset, mfft_field_info *info);

#endif
