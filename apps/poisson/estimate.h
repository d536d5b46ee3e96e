/* estimate.h: what a solve will need and take, said before it begins. */
#ifndef MFFT_APPS_POISSON_ESTIMATE_H
#define MFFT_APPS_POISSON_ESTIMATE_H

#include "poisson/job.h"

/* Once the field has been looked at (info, mesh, coefficient of the job): prints for --dry-run the layout, the memory of
 * each rank, the space on disk that is needed and there, and the expected time of each part.  Makes a plan, and the array of
 * no field of this size.  Collective. */
mfft_status mfft_poisson_dry_run(const mfft_poisson_job *job);

/* --bound, behind a solve: the same bytes by plain reads and writes.  Collective. */
mfft_status mfft_poisson_bound(const mfft_poisson_job *job);

/* One line before a solve that is expected to take more than 10 s; nothing before others.  Collective. */
mfft_status mfft_poisson_foretell(const mfft_poisson_job *job);

#endif
