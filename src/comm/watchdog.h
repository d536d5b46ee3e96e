/* watchdog.h: waits for other ranks, with a time limit.
 *
 * Every wait of the library goes through mfft_wait (mfft_mpi.h) or one of these.  After MFFT_NOTICE_S seconds in which
 * nothing arrived a process warns, once, since a rank that is late (it may be reading a file) looks like one that will never
 * come.  After MFFT_WATCHDOG_S seconds in which nothing arrived it writes which rank of which host waits for whom, and on
 * which host that one is, and aborts the job.  The count begins anew when a message arrives, and when the wait is for
 * another rank: many messages over a slow link do not mean that a rank is lost.  A collective call shows no progress before
 * its end.  Time for which the waiting process itself was stopped does not count.  An aborted job is over: the communicator
 * cannot be used again, and a job that hangs costs more than one that ends.  A wait that lasts also polls the interrupt of
 * its communicator (interrupt.h), and ends at once where that is an error: so waits of an execute end when a peer has
 * failed. */
#ifndef MFFT_COMM_WATCHDOG_H
#define MFFT_COMM_WATCHDOG_H

#include <mpi.h>

#include "base/env.h"
#include "base/status.h"
#include "mfft_mpi.h"

/* The value of `missing` if the rank waited for is not known. */
enum { MFFT_SOME_RANK = 1 << 30 };

/* Calls `ready` until it reports no missing rank (-1), and lets MPI make progress meanwhile.  `what` names the wait in
 * messages. */
typedef mfft_status (*mfft_ready)(void *subject, int *missing);
mfft_status mfft_wait_for(MPI_Comm comm, mfft_ready ready, void *subject, const char *what);

/* The same for a step that the job can do without: after a time limit of its own it returns MFFT_ERR_TIMEOUT with the
 * remedy in its error message.  limit = NULL: as mfft_wait_for. */
typedef struct mfft_limit {
  mfft_env seconds; /* environment variable that holds the limit */
  const char *remedy;
} mfft_limit;
mfft_status mfft_try_for(MPI_Comm comm, const mfft_limit *limit, mfft_ready ready, void *subject, const char *what);

#endif
