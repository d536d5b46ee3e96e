/* trial.h: tests whether a mechanism moves device memory between ranks.  Its own claim is not trusted until a message has
 * arrived unchanged.
 *
 * Each rank sends one message to its right neighbour and compares the message from its left neighbour. */
#ifndef MFFT_DIST_TRIAL_H
#define MFFT_DIST_TRIAL_H

#include "dist/topology.h"

/* One message of the test in each direction, of the same length, from and to device memory. */
typedef struct mfft_trial_round {
  int right, left; /* ranks of topology->comm: receiver of this rank's message, sender of the other */
  const void *from;
  void *to;
  int bytes;
} mfft_trial_round;

/* Sends and receives; returns when both are done. */
typedef mfft_status mfft_trial_mover(void *subject, const mfft_topology *topology, const mfft_trial_round *round);

/* MFFT_ERR_UNSUPPORTED, with `remedy` in the error message, if a received message differs from what was sent.
 * Collective; all ranks fail together. */
mfft_status mfft_trial_run(const mfft_topology *topology, const char *mechanism, const char *remedy, mfft_trial_mover *move,
                           void *subject);

#endif
