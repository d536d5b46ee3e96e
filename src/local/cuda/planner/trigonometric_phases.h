/* trigonometric_phases.h: a transform whose axes are all of cosines or sines, and one pass each, as phases: it then runs
 * part by part on two streams, and as a CUDA graph, as DFTs do.  Other transforms with such axes are trigonometric_steps.h.
 */
#ifndef MFFT_CUDA_TRIGONOMETRIC_PHASES_H
#define MFFT_CUDA_TRIGONOMETRIC_PHASES_H

#include "local/cuda/planner/phase.h"

/* Whether a spec with kinds is such a transform. */
int mfft_trigonometric_in_phases(const mfft_fft_spec *spec, const mfft_device_limits *limits);

/* Makes the phases of such a transform; MFFT_ERR_UNSUPPORTED for others. */
mfft_status mfft_trigonometric_phases(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_phases *phases);

#endif
