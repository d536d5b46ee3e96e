/* half_width.h: half the width on the wire without a sweep.
 *
 * The last pass of the transform before an exchange stores complexes of half their width, the first pass of the transform
 * behind loads them, and the exchange between is one of such complexes.  WORK holds those that are sent and, behind them,
 * those that arrive.  Where there is no transform on one of the two sides a stage that narrows or widens takes its place;
 * where transforms cannot, stages that pack in half the width stand around the exchange (local/wire.h). */
#ifndef MFFT_PLAN_HALF_WIDTH_H
#define MFFT_PLAN_HALF_WIDTH_H

#include "plan/emitter.h"

/* Whether exchange i could carry half the width on this rank; before: where the exchange before it does. */
int mfft_can_narrow(mfft_emitter *e, int i, int before);

/* Makes exchange i one of half the width. */
void mfft_narrow(mfft_emitter *e, int i);

/* Makes all of them exchanges with stages that narrow and widen; 0 where there are none. */
int mfft_forget_narrow(mfft_emitter *e);

#endif
