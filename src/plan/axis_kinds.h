/* axis_kinds.h: the kinds of the axes of a descriptor: checks, and what follows from them for its arrays. */
#ifndef MFFT_PLAN_AXIS_KINDS_H
#define MFFT_PLAN_AXIS_KINDS_H

#include "local/backend.h"

/* Checks and completes the kinds of a descriptor whose rank, lengths, axes and choices are checked: axes that are not
 * transformed become MFFT_DFT.  MFFT_ERR_ARG, MFFT_ERR_UNSUPPORTED. */
mfft_status mfft_axis_kinds_check(mfft_desc *desc);

/* Bit a set: axis a is transformed by cosines or sines. */
unsigned mfft_desc_trigonometric_axes(const mfft_desc *desc);

/* Whether the array of a side holds real numbers. */
static inline int mfft_desc_real(const mfft_desc *desc, mfft_side side) {
  return desc->kind == MFFT_R2R || (desc->kind == MFFT_R2C && side == MFFT_IN);
}

/* The caller's axis that R2C halves, the highest transformed DFT axis; -1: none is halved. */
int mfft_desc_halved_axis(const mfft_desc *desc);

/* Whether zeros follow the data of an axis: IN then has fewer points than are transformed.  pads: any axis of the plan. */
static inline int mfft_desc_pads_axis(const mfft_desc *desc, int axis) { return desc->given[axis] < desc->n[axis]; }
static inline int mfft_desc_pads(const mfft_desc *desc) {
  return mfft_desc_pads_axis(desc, 0) || mfft_desc_pads_axis(desc, 1) || mfft_desc_pads_axis(desc, 2);
}

/* The scale factor of a direction, in double and in long double; and in a spec of the descriptor's precision. */
double mfft_desc_scale(const mfft_desc *desc, mfft_direction direction);
long double mfft_desc_long_scale(const mfft_desc *desc, mfft_direction direction);
void mfft_desc_set_scale(const mfft_desc *desc, mfft_direction direction, mfft_fft_spec *spec);

/* The kind of an axis as a direction computes it. */
mfft_axis_kind mfft_desc_axis_kind(const mfft_desc *desc, int axis, mfft_direction direction);

/* Finds the backend of a plan with `find`, one of the calls of backend.h.  Where no name is given, neither here nor in the
 * environment, a descriptor that the best backend cannot do, as long double on a device, gets "fftw"; never "ref", which
 * would take hours unasked.  MFFT_ERR_UNSUPPORTED: that backend, or the named one, cannot do it either. */
mfft_status mfft_desc_find_backend(const mfft_desc *desc, const char *name,
                                   mfft_status (*find)(const char *, const mfft_backend **), const mfft_backend **backend);

/* MFFT_ERR_UNSUPPORTED if a backend cannot do the precision or the kinds of a descriptor. */
mfft_status mfft_desc_suits(const mfft_desc *desc, const mfft_backend *backend);

/* MFFT_ERR_UNSUPPORTED, with `what` is asked of the plan, where an axis has cosines or sines. */
mfft_status mfft_desc_refuse_trigonometric(const mfft_desc *desc, const char *what);

#endif
