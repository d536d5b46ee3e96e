/* phases.h: from a transform to its phases, in pure C: no device is needed to make or print them.
 *
 * A transform is one or two phases of passes.  A phase whose passes can be done for a part of the data at a time, while that
 * part is in the L2 cache, is run part by part, in turn on two streams so that the end of one part overlaps the next: memory
 * then sees little more than the first read and the last write. */
#ifndef MFFT_CUDA_PHASES_H
#define MFFT_CUDA_PHASES_H

#include "local/cuda/planner/phase.h"

mfft_status mfft_phases_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_phases *phases);

/* One line: the schedules, and what they should take. */
void mfft_phases_print(const mfft_phases *phases, char *text, size_t size);

#endif
