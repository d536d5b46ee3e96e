/* real_axis.h: the real axis of a transform.  Even lengths are packed two reals in a complex; odd ones are one pass that
 * takes reals, or run with zero imaginary parts and have a pass that packs them. */
#ifndef MFFT_CUDA_REAL_AXIS_H
#define MFFT_CUDA_REAL_AXIS_H

#include "local/cuda/planner/axis.h"

/* Adds the passes from n reals in the input to half their spectrum in `dst`. */
mfft_status mfft_axis_real_to_half(mfft_builder *b, int axis, int64_t n, mfft_place_id dst);

/* Adds the passes from the half spectrum in `src` to n reals in the output. */
mfft_status mfft_axis_half_to_real(mfft_builder *b, int axis, int64_t n, mfft_place_id src);

#endif
