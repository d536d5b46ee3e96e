/* watchdog.h: waiting for other ranks, with an end.
 *
 * Every wait of the library goes through mfft_wait (mfft_mpi.h) or one of these.  After MFFT_NOTICE_S seconds a process
 * warns, once: whether that rank is late, as where it reads a file, or will never come, nobody can know.  After
 * MFFT_WATCHDOG_S seconds without an answer it writes which rank waits for whom and aborts the job: the communicator cannot
 * be used again, and a job that hangs costs more than one that ends.  A wait that lasts also polls the interrupt of its
 * communicator (interrupt.h), and ends at once where that is an error: so waits of an execute end when a peer has failed. */
#ifndef MFFT_COMM_WATCHDOG_H
#define MFFT_COMM_WATCHDOG_H

#include <mpi.h>

#include "base/env.h"
#include "base/status.h"
#include "mfft_mpi.h"

/* What a wait answers that cannot tell whom it is for. */
enum { MFFT_SOME_RANK = 1 << 30 };

/* Asks `ready` until it names no rank as missing (-1), with MPI kept going meanwhile. */
typedef mfft_status (*mfft_ready)(void *subject, int *missing);
mfft_status mfft_wait_for(MPI_Comm comm, mfft_ready ready, void *subject, const char *what);

/* Likewise for what a job can do without: it goes on after so many seconds, with MFFT_ERR_TIMEOUT and the remedy in its
 * error message.  NULL: it cannot, as in mfft_wait_for. */
typedef struct mfft_limit {
  mfft_env seconds; /* the variable */
  const char *remedy;
} mfft_limit;
mfft_status mfft_try_for(MPI_Comm comm, const mfft_limit *limit, mfft_ready ready, void *subject, const char *what);

#endif
