/* messages.h: messages of any length between ranks, all at once and waited for under the watchdog. */
#ifndef MFFT_PARTICLES_MESSAGES_H
#define MFFT_PARTICLES_MESSAGES_H

#include <mpi.h>

#include "base/status.h"

typedef struct mfft_pm_message {
  int peer;
  void *data;
  int64_t bytes; /* 0: nothing is sent */
} mfft_pm_message;

/* Receives and sends, and returns when all is complete.  A message has the same length on both ends; there is at most one
 * from a rank to another.  No rank is its own peer.  `what` names the call. */
mfft_status mfft_pm_messages(MPI_Comm comm, const mfft_pm_message *recv, int receives, const mfft_pm_message *send,
                             int sends, const char *what);

#endif
