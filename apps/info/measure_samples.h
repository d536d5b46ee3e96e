/* measure_samples.h: how long a call takes while all ranks make it. */
#ifndef MFFT_APPS_MEASURE_SAMPLES_H
#define MFFT_APPS_MEASURE_SAMPLES_H

#include "mfft.h"

/* Seconds of the fastest of several calls of `run` after one that is not counted; of each call those of the slowest rank
 * count. Whatever else runs on the machine only makes a call slower, so the fastest one is nearest to what the machine can
 * do.  The call that is not counted makes connections, and uses up what a limited link lets pass at once after it was idle.
 * No call begins after `limit_s` seconds.  Collective, also on ranks that have nothing to run (NULL). */
mfft_status mfft_measure_samples(mfft_status (*run)(void *context), void *context, double limit_s, double *seconds);

#endif
