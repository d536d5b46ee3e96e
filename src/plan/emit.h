/* emit.h: writing the two programs of a distributed plan. */
#ifndef MFFT_PLAN_EMIT_H
#define MFFT_PLAN_EMIT_H

#include "plan/plan.h"

/* Appends the stages of both directions to the programs of the plan and raises plan->work_bytes.  First the ranks find out
 * what all of them can do (abilities.h); all else is decided without MPI, alike on all ranks, but for the transfers that it
 * makes.  Collective; all ranks fail together. */
mfft_status mfft_emit(mfft_plan plan);

#endif
