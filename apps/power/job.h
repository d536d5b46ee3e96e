/* job.h: one run of `mergefft power` over a field or a snapshot. */
#ifndef MFFT_APPS_POWER_JOB_H
#define MFFT_APPS_POWER_JOB_H

#include "power/result.h"

/* Measures the spectrum of `input` and writes its tables.  Returns an exit code; errors have been printed.  Collective. */
int mfft_power_job_run(mfft_power_job *job);

#endif
