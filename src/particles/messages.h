/* messages.h: messages of any length between ranks, all started at once and waited for under the watchdog. */
#ifndef MFFT_PARTICLES_MESSAGES_H
#define MFFT_PARTICLES_MESSAGES_H

#include <mpi.h>

#include "dist/dynamic.h"

typedef mfft_dynamic_message mfft_pm_message; /* of 0 bytes: nothing is sent */

/* Receives and sends, and returns when all messages are complete.  A message has the same length on both ranks; a rank sends
 * at most one message to another rank, and none to itself.  what: name of the exchange, for error messages. */
mfft_status mfft_pm_messages(MPI_Comm comm, const mfft_pm_message *recv, int receives, const mfft_pm_message *send,
                             int sends, const char *what);

#endif
