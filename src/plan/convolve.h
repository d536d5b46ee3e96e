/* convolve.h: a forward transform, factors of the spectrum and the backward transform as one program.
 *
 * Lines of one axis are transformed forward, multiplied and transformed back in one pass (mfft_fft_spec.convolved), for
 * which memory moves the spectrum twice instead of four times.  In a plan without exchanges it is the slowest axis
 * (slow_axis.h).  In a distributed plan the last exchange forward brings the lines of the last axes to this rank, and the
 * first one backward takes them back.  Where both directions use direct transfers, the program has the stages of both,
 * without those that transform these lines: in place of them a slice of the exchange back is transformed so, and sent back,
 * as soon as its lines are complete; the links carry slices back while others arrive.  Results differ from those of the two
 * directions alone by rounding. */
#ifndef MFFT_PLAN_CONVOLVE_H
#define MFFT_PLAN_CONVOLVE_H

#include "plan/plan.h"

/* Makes the program for factors of a kind if there is one for the stages of this plan; else mfft_plan_convolve (plan.h) runs
 * one direction after the other.  Among several ranks there is none by an array for a batch.  Further calls do nothing.  Not
 * collective: ranks with and without the program work together, since both start the same transfers in the same sequence.
 * The calling thread has entered the plan's device, and no other thread runs the plan.  Allocates memory of the device, so
 * not while a stream is captured.  Errors: MFFT_ERR_MEMORY and those of the device; a transform that the backend refuses is
 * none. */
mfft_status mfft_plan_convolve_make(mfft_plan plan, mfft_convolved by);

/* Whether there is one. */
int mfft_plan_convolves_at_once(mfft_plan plan, mfft_convolved by);

#endif
