/* convolution_axis.h: a convolution of which the slowest axis is transformed, multiplied and transformed back while a block
 * holds its lines: the array then moves three times less than by transforms of all axes and a product between them.  For
 * local plans of one array out of place, of two axes and more, by a backend that convolves. */
#ifndef MFFT_PLAN_CONVOLUTION_AXIS_H
#define MFFT_PLAN_CONVOLUTION_AXIS_H

#include "plan/convolution.h"

/* Makes the three transforms for the kernel's spectrum, in the plan's device; leaves c->part as it is, empty, where there
 * are none.  Fails for want of memory alone. */
mfft_status mfft_convolution_axis_create(mfft_convolution c);

/* Runs them; the caller has entered the plan's device. */
mfft_status mfft_convolution_axis_run(mfft_convolution c, const void *in, void *out);

void mfft_convolution_axis_destroy(mfft_convolution c);

#endif
