/* emit.h: writing the program of one direction of a distributed plan. */
#ifndef MFFT_PLAN_EMIT_H
#define MFFT_PLAN_EMIT_H

#include "plan/plan.h"

/* Appends the stages of `direction` to plan->program and raises plan->work_bytes.  Collective; all ranks fail together. */
mfft_status mfft_emit(mfft_plan plan, mfft_direction direction);

#endif
