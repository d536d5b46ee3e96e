/* exchange_step.h: writing the exchanges of a direction. */
#ifndef MFFT_PLAN_EXCHANGE_STEP_H
#define MFFT_PLAN_EXCHANGE_STEP_H

#include "plan/emitter.h"

/* The exchanges, with what is to be transformed before each and what can follow its chunks behind it. */
mfft_status mfft_emit_exchanges(mfft_emitter *e);

#endif
