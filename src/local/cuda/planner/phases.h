/* phases.h: from a transform to its phases, in pure C: no device is needed to make or print them.
 *
 * A transform is a list of phases, one or two of most.  A phase whose passes can be done for a part of the data at a time,
 * while that part is in the L2 cache, is run part by part, in turn on two streams so that the end of one part overlaps the
 * next: memory then sees little more than the first read and the last write. */
#ifndef MFFT_CUDA_PHASES_H
#define MFFT_CUDA_PHASES_H

#include "local/cuda/planner/phase.h"

/* Makes the phases of a transform, for a device with these limits.  Errors: those of mfft_schedule_make. */
mfft_status mfft_phases_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_phases *phases);

/* Whether some pass of a transform merges on tensor cores. */
int mfft_phases_on_tensor_cores(const mfft_phases *phases);

#endif
