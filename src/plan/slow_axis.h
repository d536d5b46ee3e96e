/* slow_axis.h: both directions of a plan with factors of the spectrum between them, as three transforms: all axes but the
 * slowest forward; the slowest one forward, times the factors, and back while a block holds its lines; the others back.
 * Passes along that axis read or write the spectrum 2 times instead of 4 with a filter.  With an array of factors they
 * access 3 arrays of that size, two of them the spectrum, instead of 7, of which a product by itself takes 3. */
#ifndef MFFT_PLAN_SLOW_AXIS_H
#define MFFT_PLAN_SLOW_AXIS_H

#include "plan/plan.h"

/* Fills in the three specs: from IN to a spectrum with the layout of OUT, within it, and from it to IN.  factors: a
 * convolution by the filter of the backward direction, or by an array.  Returns 0 for plans with exchanges, of one axis or a
 * batch, in 16 bits or long double, with named radices, of cosines and sines, whose filter or copy is a stage of its own, or
 * by an array for plans with desc.filtered; the backend may still refuse the second spec (MFFT_ERR_UNSUPPORTED), whose lines
 * must fit a pass. */
int mfft_slow_axis_specs(mfft_plan plan, mfft_convolved factors, mfft_fft_spec spec[3] /* [transform] */);

#endif
