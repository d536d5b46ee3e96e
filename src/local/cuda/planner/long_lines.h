/* long_lines.h: one long line after the other, each larger than the L2 cache: one pass over the whole array, and the other
 * passes over parts of it that stay in the cache (Bailey's four-step method, applied to the cache). */
#ifndef MFFT_CUDA_LONG_LINES_H
#define MFFT_CUDA_LONG_LINES_H

#include "local/cuda/planner/phase.h"

/* Makes two phases of a transform of one long axis, of which one runs in parts.  Leaves phases->count 0 if that cannot be
 * done or is not faster. */
mfft_status mfft_lines_try(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases);

#endif
