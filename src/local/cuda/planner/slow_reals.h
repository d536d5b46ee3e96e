/* slow_reals.h: an R2C of a cube that ends in zeros, with its slow axis first.
 *
 * With the rows first, two of three passes move the rows of the given planes at full length, and the last pass reads them
 * again.  With the slow axis first, as lines of reals, the data between the passes is half a spectrum along that
 * axis, of the given rows and columns alone.  The planes of this half are then transformed as complexes, in parts that stay
 * in the L2 cache: first their columns, then their rows, each of which has the results of two rows of the output, (x, y)
 * and, conjugate, (-x, -y). For half of each axis 15/32 of the output's bytes are moved less (docs/lab/convolution.md). */
#ifndef MFFT_CUDA_SLOW_REALS_H
#define MFFT_CUDA_SLOW_REALS_H

#include "local/cuda/planner/phase.h"

/* Makes the phases of a large R2C out of place of three axes, in double, if this order moves fewer bytes: the slow
 * axis; the planes of elements 0 to n/2 - 1 of its half spectrum, in parts; and beside them that of element n/2.  Leaves
 * phases->count 0 for other transforms, and where an axis takes several passes. */
mfft_status mfft_slow_reals_try(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases);

#endif
