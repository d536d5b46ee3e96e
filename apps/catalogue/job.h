/* job.h: a command that makes one result from one snapshot. */
#ifndef MFFT_APPS_CATALOGUE_JOB_H
#define MFFT_APPS_CATALOGUE_JOB_H

#include "catalogue/catalogue.h"
#include "cli/timing.h"
#include "io/sweep.h"

typedef struct mfft_catalogue_job {
  const mfft_command *command;
  const char *input, *output; /* the snapshot; the HDF5 file to write */
  const mfft_cli_reals *boxsize;
  const mfft_catalogue_options *catalogue;
  const mfft_sweep_options *sweep;
  const mfft_timing_options *timing;
  mfft_status (*make)(const void *values, const mfft_catalogue *catalogue); /* collective */
  const void *values;                                                       /* of the command's options */
} mfft_catalogue_job;

/* Checks that the files can be written, opens the snapshot and makes the result.  Returns an exit code; errors have been
 * printed.  Collective. */
int mfft_catalogue_job_run(const mfft_catalogue_job *job);

#endif
