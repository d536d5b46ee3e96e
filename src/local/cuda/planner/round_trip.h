/* round_trip.h: lines that are transformed forward, multiplied by a filter and transformed back in one pass. */
#ifndef MFFT_CUDA_ROUND_TRIP_H
#define MFFT_CUDA_ROUND_TRIP_H

#include "local/cuda/planner/pass.h"

/* Fails unless the pass of a spec with MFFT_CONVOLVED_BY_FILTER has the merges of the two transforms alone, so that its
 * results have the same bits. */
mfft_status mfft_round_trip_check(const mfft_fft_spec *spec, const mfft_device_limits *limits, const mfft_schedule *both);

#endif
