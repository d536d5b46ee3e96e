/* slow_axis.h: both directions of a plan with factors of the spectrum between them, as three transforms: all axes but the
 * slowest forward; the slowest one forward, times the factors, and back while a block holds its lines; the others back.
 * Along that axis memory moves 2 spectra instead of 4 with a filter; with an array of factors, itself one of them, 3 instead
 * of 7, of which the product between two directions takes 3. */
#ifndef MFFT_PLAN_SLOW_AXIS_H
#define MFFT_PLAN_SLOW_AXIS_H

#include "plan/plan.h"

/* Fills in the three specs: from IN to a spectrum with the layout of OUT, within it, and from it to IN.  factors: a
 * convolution by the filter of the backward direction, or by an array.  Returns 0 for plans with exchanges, of one axis or a
 * batch, in 16 bits or long double, with named radices, of cosines and sines, or whose filter or copy is a stage of its own;
 * the backend may still refuse the second spec (MFFT_ERR_UNSUPPORTED), whose lines must fit a pass. */
int mfft_slow_axis_specs(mfft_plan plan, mfft_convolved factors, mfft_fft_spec spec[3] /* [transform] */);

#endif
