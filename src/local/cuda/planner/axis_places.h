/* axis_places.h: an axis, and the arrays that have its data between its passes. */
#ifndef MFFT_CUDA_AXIS_PLACES_H
#define MFFT_CUDA_AXIS_PLACES_H

#include "local/cuda/planner/builder.h"

/* An axis of n complex elements that is transformed from one place to another.  last: its last pass multiplies by the scale.
 */
typedef struct mfft_axis {
  int axis;
  int64_t n;
  mfft_place_id src, dst;
  mfft_form load, store;
  int last;
} mfft_axis;

/* Sets at[parts + 1]: the place of the data before the first of `parts` passes of an axis, between them and after the last.
 * The destination can hold the data between passes if it is complex; the last pass may then be in place.  A half spectrum
 * has space for it too, but its rows are not aligned. */
void mfft_axis_places(const mfft_builder *b, const mfft_axis *axis, int parts, mfft_place_id at[]);

#endif
