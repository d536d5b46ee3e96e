/* axis.h: the passes of one axis.
 *
 * An axis that fits a block is one pass.  A longer one, n = n_0 n_1 ... n_(m-1), is m passes that together are one global
 * Stockham transform: pass p, with P the product of the lengths before it and R of those after, takes for each r < R and
 * k < P the n_p elements r P + k + j R P, transforms them over j, multiplies output i by W_(n_p R)^(i r), and writes it to
 * r n_p P + k + i P.  Order is natural at both ends, and the last pass reads and writes the same places, so it may work in
 * place. */
#ifndef MFFT_CUDA_AXIS_H
#define MFFT_CUDA_AXIS_H

#include "local/cuda/planner/builder.h"

/* An axis of n complex elements, from one place to another.  last: its last pass carries the scale. */
typedef struct mfft_axis {
  int axis;
  int64_t n;
  mfft_place_id src, dst;
  mfft_form load, store;
  int last;
} mfft_axis;

/* Whether a block can hold a line, or as many as fill a memory segment where lines are strided; general: by the family that
 * takes every line. */
int mfft_axis_fits_one_pass(const mfft_builder *b, const mfft_axis *axis, int general);

/* Whether the packing of an even real axis can be part of its passes. */
int mfft_axis_packs(const mfft_builder *b, const mfft_axis *axis);

/* All passes of an axis. */
mfft_status mfft_axis_add(mfft_builder *b, const mfft_axis *axis);

#endif
