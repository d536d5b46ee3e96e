/* assign.h: assigning buffers to the arrays of a direction, by the search of buffers.h. */
#ifndef MFFT_PLAN_ASSIGN_H
#define MFFT_PLAN_ASSIGN_H

#include "plan/emitter.h"

/* Cuts the exchanges, and describes the steps of the direction for the search but for what transforms store: from
 * areas_beside, and from the stops that narrow.  Where arrays are copied to peers, all ranks describe those of rank 0, since
 * each has to know where the others' arrays lie. */
mfft_status mfft_describe_steps(mfft_emitter *e);

/* Chooses where arrays lie between the steps; 0 where there is no way.  Whether there is one depends neither on what
 * transforms store nor, where arrays are copied to peers, on the rank.  may_lie_beside: there is memory for a second array
 * of workspace. */
int mfft_assign_buffers(mfft_emitter *e, int may_lie_beside);

#endif
