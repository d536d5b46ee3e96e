/* long_lines.h: long lines, of which no two passes can be done in the cache, in two phases. */
#ifndef MFFT_CUDA_LONG_LINES_H
#define MFFT_CUDA_LONG_LINES_H

#include "local/cuda/planner/phase.h"

/* Two phases of a transform of one long axis, of which one is in parts; leaves phases->count 0 where that does not suit. */
mfft_status mfft_lines_try(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases);

#endif
