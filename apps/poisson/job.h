/* job.h: one run of `mergefft poisson` over a field, from its file to the file of the results. */
#ifndef MFFT_APPS_POISSON_JOB_H
#define MFFT_APPS_POISSON_JOB_H

#include "poisson/run.h"

/* Solves for the field of `input`, counts it, and prints and describes the result, unless its commit goes on in the
 * background.  Returns 0, or 1 after an error that has been reported.  Collective. */
int mfft_poisson_job_run(mfft_poisson_job *job);

/* Waits until the results of the field before are on disk, and prints, describes and counts it.  Does nothing if there is
 * none.  Collective. */
void mfft_poisson_complete(mfft_poisson_job *job);

void mfft_poisson_job_destroy(mfft_poisson_job *job); /* accepts a zeroed object */

#endif
