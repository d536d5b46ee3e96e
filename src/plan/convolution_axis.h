/* convolution_axis.h: a convolution by the spectrum of a kernel as three transforms (slow_axis.h), for local plans. */
#ifndef MFFT_PLAN_CONVOLUTION_AXIS_H
#define MFFT_PLAN_CONVOLUTION_AXIS_H

#include "plan/plan.h"

typedef struct mfft_convolution_axis {
  mfft_fft *part[3]; /* the fast axes, the slowest one with the product, the fast ones back; NULL: there are none */
  void *work;        /* of these, in the plan's memory */
} mfft_convolution_axis;

/* Makes the three transforms of a plan for the spectrum of a kernel, or its conjugate, in the plan's device, which the
 * caller has entered; leaves a zeroed object empty where there are none, which is no failure. */
mfft_status mfft_convolution_axis_create(mfft_plan plan, int conjugate, mfft_convolution_axis *axis);

/* Runs the three transforms, with the plan's device entered likewise.  spectrum: an OUT array, in place that
 * of in and out; kernel: another one. */
mfft_status mfft_convolution_axis_run(mfft_plan plan, const mfft_convolution_axis *axis, const void *in, void *spectrum,
                                      const void *kernel, void *out);

/* Accepts empty objects. */
void mfft_convolution_axis_destroy(mfft_plan plan, mfft_convolution_axis *axis);

#endif
