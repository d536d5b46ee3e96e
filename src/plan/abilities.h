/* abilities.h: what all ranks of a plan can do in one direction.
 *
 * Kernels, devices and the box of a rank decide what that rank can do without an extra pass or copy; the plan uses what
 * all ranks can do.  Each rank determines this for itself, for every case that the other ranks may lead to.  One
 * reduction over the ranks then makes the structs equal everywhere, and everything that follows from them is decided
 * without further MPI calls. */
#ifndef MFFT_PLAN_ABILITIES_H
#define MFFT_PLAN_ABILITIES_H

#include "plan/emitter.h"

/* The fields are 0 or 1. */
typedef struct mfft_exchange_abilities {
  int stores;     /* the transform before the exchange can store into the windows of all peers with a share */
  int stores_own; /* that transform can store the part of its own rank where the exchange would copy it */
  int narrows[2]; /* the exchange can carry half the width without an extra pass; [the one before it does] */
} mfft_exchange_abilities;

typedef struct mfft_abilities {
  int fuses_filter; /* the transform next to the spectrum can apply the filter */
  int has_beside;   /* there is memory for a second array of workspace */
  struct {
    mfft_exchange_abilities exchange[MFFT_MAX_STEPS]; /* [count - 1] indexed by the step before the exchange */
    int assigns[2];                                   /* messages: buffers can be assigned; [areas are beside the arrays] */
  } with[2];                                          /* [the filter is fused] */
} mfft_abilities;

/* Determines what this rank can do.  Local.  If areas can be beside the arrays, the steps of `e` stay described for that
 * case. */
mfft_status mfft_find_abilities(mfft_emitter *e, mfft_abilities *mine);

/* Reduces abilities[count] to what all ranks can do.  Collective. */
mfft_status mfft_share_abilities(MPI_Comm comm, mfft_abilities *abilities, int count);

#endif
