/* assign.h: assigns buffers to the arrays of a direction, by the search of buffers.h. */
#ifndef MFFT_PLAN_ASSIGN_H
#define MFFT_PLAN_ASSIGN_H

#include "plan/emitter.h"

/* Divides the exchanges into chunks, and fills e->needs for the search, except for what transforms can store.  Depends on
 * areas_beside and on the steps that narrow.  If peers copy between arrays, every rank uses the boxes of rank 0, since
 * each rank must know where the arrays of the others are. */
mfft_status mfft_describe_steps(mfft_emitter *e);

/* Assigns the buffers; returns 0 if that is impossible.  Whether it is possible does not depend on what transforms store
 * nor, if peers copy between arrays, on the rank.  may_lie_beside: there is memory for a second array of workspace. */
int mfft_assign_buffers(mfft_emitter *e, int may_lie_beside);

#endif
