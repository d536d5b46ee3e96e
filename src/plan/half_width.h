/* half_width.h: exchanges at half the width without an extra pass.
 *
 * The last pass of the transform before an exchange stores complex numbers of half their width, the first pass of the
 * transform after it loads them, and the exchange moves the narrow numbers.  WORK holds the narrow array to send followed
 * by the received one.  On a side without a transform a RESIZE stage narrows or widens.  If the transforms cannot do it,
 * CONVERT stages pack and unpack the half-width format around the exchange (local/wire.h). */
#ifndef MFFT_PLAN_HALF_WIDTH_H
#define MFFT_PLAN_HALF_WIDTH_H

#include "plan/emitter.h"

/* Whether exchange i can be narrow on this rank; before: given that exchange i - 1 is narrow. */
int mfft_can_narrow(mfft_emitter *e, int i, int before);

/* Makes exchange i narrow. */
void mfft_narrow(mfft_emitter *e, int i);

/* Makes all narrow exchanges use CONVERT stages instead; returns 0 if there are none. */
int mfft_forget_narrow(mfft_emitter *e);

#endif
