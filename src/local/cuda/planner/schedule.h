/* schedule.h: from a transform to its passes.  Pure C: no device is needed to make or test a schedule. */
#ifndef MFFT_CUDA_SCHEDULE_H
#define MFFT_CUDA_SCHEDULE_H

#include "local/cuda/planner/pass.h"

/* Makes the passes of a transform, for a device with these limits.  MFFT_ERR_UNSUPPORTED for transforms that the engine does
 * not have, MFFT_ERR_ARG for radices that do not multiply to a length. */
mfft_status mfft_schedule_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_schedule *schedule);

/* Sets the cache hints of a schedule that runs on a part of the data at a time, which stays in the cache between its passes:
 * data that a pass loads or stores for the last time leaves the cache first. */
void mfft_schedule_in_parts(const mfft_tuned_parts *tuned, const mfft_fft_spec *spec, mfft_schedule *schedule);

#endif
