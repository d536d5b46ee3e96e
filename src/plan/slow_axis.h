/* slow_axis.h: both directions of a plan with factors of the spectrum between them, as three transforms: all axes but the
 * slowest forward; the slowest one forward, times the factors, and back while a block holds its lines; the others back.
 * For that axis memory then moves the spectrum twice; by two directions it is four times, and with a product between them
 * seven, that of the array of factors included. */
#ifndef MFFT_PLAN_SLOW_AXIS_H
#define MFFT_PLAN_SLOW_AXIS_H

#include "plan/plan.h"

/* Fills in the three specs: from IN to a spectrum with the layout of OUT, within it, and from it to IN.  factors: a
 * convolution by the filter of the backward direction, or by an array.  Returns 0 if the plan has no such transforms, as
 * those with several ranks, one axis or a batch, in 16 bits, or of cosines and sines; the backend may still refuse the
 * second spec (MFFT_ERR_UNSUPPORTED), whose lines must fit a pass. */
int mfft_slow_axis_specs(mfft_plan plan, mfft_convolved factors, mfft_fft_spec spec[3]);

#endif
