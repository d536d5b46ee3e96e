/* trial.h: whether a mechanism moves device memory between ranks: its word is not believed until a message has come whole.
 *
 * Each rank sends one message to its right neighbour, and looks at what came from the left one. */
#ifndef MFFT_DIST_TRIAL_H
#define MFFT_DIST_TRIAL_H

#include "dist/topology.h"

/* The message of a trial: the same number of bytes from and to device memory. */
typedef struct mfft_trial_round {
  int right, left; /* ranks of topology->comm: who gets it, and from whom one comes */
  const void *from;
  void *to;
  int bytes;
} mfft_trial_round;

/* Sends and receives; returns when both are done. */
typedef mfft_status mfft_trial_mover(void *subject, const mfft_topology *topology, const mfft_trial_round *round);

/* MFFT_ERR_UNSUPPORTED, with `remedy` in the error message, where another message came than was sent.  Collective; all ranks
 * fail together. */
mfft_status mfft_trial_run(const mfft_topology *topology, const char *mechanism, const char *remedy, mfft_trial_mover *move,
                           void *subject);

#endif
