/* emit.h: writes the two programs of a distributed plan. */
#ifndef MFFT_PLAN_EMIT_H
#define MFFT_PLAN_EMIT_H

#include "plan/plan.h"

/* Appends the stages of both directions to the programs of the plan and raises plan->work_bytes.  The ranks first
 * determine what all of them can do (abilities.h); every other decision needs no MPI and is the same on all ranks.  Only
 * the creation of transfers calls MPI again.  Collective; all ranks fail together. */
mfft_status mfft_emit(mfft_plan plan);

#endif
