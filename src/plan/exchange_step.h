/* exchange_step.h: writes the exchanges of a direction. */
#ifndef MFFT_PLAN_EXCHANGE_STEP_H
#define MFFT_PLAN_EXCHANGE_STEP_H

#include "plan/emitter.h"

/* Writes all exchanges, with the transforms before them and those after them that follow their chunks. */
mfft_status mfft_emit_exchanges(mfft_emitter *e);

#endif
