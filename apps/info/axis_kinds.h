/* axis_kinds.h: the words of `mergefft info --axis-kinds`. */
#ifndef MFFT_INFO_AXIS_KINDS_H
#define MFFT_INFO_AXIS_KINDS_H

#include "mfft.h"

/* One word (mfft_axis_kind_name) for all axes of a descriptor whose rank is set, or one for each, between commas.  Where no
 * axis is left to a DFT the kind of the plan becomes MFFT_R2R.  Returns 1 for other texts. */
int mfft_axis_kinds_parse(const char *text, mfft_desc *desc);

#endif
