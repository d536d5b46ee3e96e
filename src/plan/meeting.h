/* meeting.h: whether the first exchange backward may begin while the last one forward is under way (plan/convolve.h). */
#ifndef MFFT_PLAN_MEETING_H
#define MFFT_PLAN_MEETING_H

#include "plan/emitter.h"

/* Whether it may, for the emitters of both directions, whose stages are written.  It holds where every element returns to
 * the address from which the exchange forward has sent it: the rank that sends an element back has received it by then, and
 * nobody else reads it there.  The lines may then be transformed from the array in which they arrive to the one that the
 * exchange backward sends, without the spectrum. */
int mfft_directions_meet(const mfft_emitter e[2] /* [direction] */);

#endif
