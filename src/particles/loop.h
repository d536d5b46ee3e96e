/* loop.h: loops over the threads of a mesh. */
#ifndef MFFT_PARTICLES_LOOP_H
#define MFFT_PARTICLES_LOOP_H

#include "base/workers.h"

/* mfft_workers_run; the error message of the iteration that failed becomes that of the calling thread. */
mfft_status mfft_pm_run(mfft_workers workers, int64_t count, mfft_workers_task *task, void *context);

#endif
