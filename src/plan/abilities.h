/* abilities.h: what the ranks of a plan can do alike in one direction.
 *
 * Kernels, devices and the boxes of a rank decide what it can do without a sweep or a copy; a plan does it where all ranks
 * can.  Each rank finds this out for itself, for every case that the answers of others may lead to; one reduction over the
 * ranks then makes these structs the same everywhere, and what follows from them is decided without another call of MPI. */
#ifndef MFFT_PLAN_ABILITIES_H
#define MFFT_PLAN_ABILITIES_H

#include "plan/emitter.h"

/* All are 0 or 1. */
typedef struct mfft_exchange_abilities {
  int stores;     /* the transform before it can store into the windows of all who get a share */
  int keeps;      /* the transform before it can store what stays on its rank where the exchange would copy it */
  int narrows[2]; /* it can carry half the width without a sweep; [whether the exchange before it does] */
} mfft_exchange_abilities;

typedef struct mfft_abilities {
  int fuses_filter; /* the transform next to the spectrum can multiply by the filter */
  int has_beside;   /* there is memory for a second array of workspace */
  struct {
    mfft_exchange_abilities exchange[MFFT_MAX_NODES]; /* [count - 1] by the stop before it */
    int assigns[2]; /* of messages: buffers can be assigned; [whether areas lie beside the arrays] */
  } with[2];        /* [whether the filter is fused] */
} mfft_abilities;

/* What this rank can do.  Local; leaves the direction described for areas beside the arrays where those may lie there. */
mfft_status mfft_find_abilities(mfft_emitter *e, mfft_abilities *mine);

/* Makes abilities[count] what all ranks can do.  Collective. */
mfft_status mfft_share_abilities(MPI_Comm comm, mfft_abilities *abilities, int count);

#endif
