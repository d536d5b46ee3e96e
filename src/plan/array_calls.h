/* array_calls.h: the beginning and end of calls on an array of a plan other than execute. */
#ifndef MFFT_PLAN_ARRAY_CALLS_H
#define MFFT_PLAN_ARRAY_CALLS_H

#include "plan/plan.h"

/* MFFT_ERR_ARG if the plan is NULL or the side is invalid. */
mfft_status mfft_plan_check_side(mfft_plan plan, mfft_side side);

/* MFFT_ERR_ARG, with the name of the field, for a number of threads outside of 0 to 4096. */
mfft_status mfft_check_threads(const char *field, int threads);

/* The OUT array of the plan; of a local plan in the caller's layout. */
mfft_filter_shape mfft_plan_out_shape(mfft_plan plan);

/* Between enter and leave no other thread runs the plan, and its device is current.  leave is not called if enter failed. */
mfft_status mfft_plan_enter(mfft_plan plan, mfft_device_guard *guard);
void mfft_plan_leave(mfft_plan plan, mfft_device_guard *guard);

#endif
