/* estimate.h: memory, disk space and time of a solve, estimated before it begins. */
#ifndef MFFT_APPS_POISSON_ESTIMATE_H
#define MFFT_APPS_POISSON_ESTIMATE_H

#include "poisson/run.h"

/* --dry-run, after the field has been opened (info, mesh, coefficient of the job): prints the layout, the memory of each
 * rank, the disk space that is needed and available, and the expected time of each part.  Makes a plan but allocates no
 * array of the size of the field.  Collective. */
mfft_status mfft_poisson_dry_run(const mfft_poisson_job *job);

/* --bound, after a solve: times plain reads and writes of the same number of bytes.  Collective. */
mfft_status mfft_poisson_bound(const mfft_poisson_job *job);

/* Prints the expected time of a solve in one line if it is more than 10 s.  Collective. */
mfft_status mfft_poisson_estimate(const mfft_poisson_job *job);

#endif
