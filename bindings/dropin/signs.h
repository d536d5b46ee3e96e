/* signs.h: the parts of PFFT's plans besides the transform, which are passes over the arrays that change signs.
 *
 * A real transform with the other sign gives the complex conjugate of the spectrum.  Indices that begin at -n/2
 * (PFFT_SHIFTED) on one side are factors on the other: with j = p - n/2 at position p of the input, and k = q - n/2 at
 * position q of the output,
 * exp(-2 pi i j k/n) = (-1)^j (-1)^q exp(-2 pi i p q/n) if both are shifted, without the second factor if only the output
 * is, and without the first if only the input is.  All are their own inverse to the last bit, so that an input that must be
 * preserved is restored. */
#ifndef MFFT_DROPIN_SIGNS_H
#define MFFT_DROPIN_SIGNS_H

#include "request.h"

/* Passes over the input before a transform (MFFT_DROPIN_FROM), or over the output after it (MFFT_DROPIN_TO).  side: which of
 * the plan's arrays that is, of this rank. */
void mfft_dropin_apply_signs(const mfft_dropin_signs *signs, const mfft_dropin_shape *shape, mfft_dropin_end end,
                             mfft_side side, int rank, void *array);

#endif
