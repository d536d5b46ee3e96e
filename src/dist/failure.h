/* failure.h: an execute that fails on one rank fails on all.
 *
 * Creation ends in mfft_agree.  An execute has no call in which all ranks meet, and one would take longer than a small
 * transform.  So the rank whose execute fails, because of an argument or later, announces it: to every rank by a
 * message with the status and the text, and to the ranks of its node by a flag in memory of the host that they share, which
 * kernels that wait for a peer poll, too.  Waits for peers (watchdog.h) look for the message, every execute begins by
 * reading it, and mfft_plan_synchronize ends by that.
 *
 * From then on the plan or exchange is unusable on every rank: no rank knows how many executes of the others match its own.
 * Arrays may be freed once it is destroyed; until then messages of peers may still come.
 *
 * There is one object for each plan and exchange.  It is the interrupt of their communicator
 * (comm/interrupt.h), which waits during an execute poll. */
#ifndef MFFT_DIST_FAILURE_H
#define MFFT_DIST_FAILURE_H

#include "dist/topology.h"

typedef struct mfft_failure mfft_failure;

/* Creates the object and attaches it to topology->comm; on a single rank *failure stays NULL, which every call accepts.
 * `what` names its owner ("plan") in messages.  Collective; all ranks fail together.  Closing is collective too, after
 * all waits have ended. */
mfft_status mfft_failure_open(const mfft_topology *topology, const char *what, mfft_failure **failure);
void mfft_failure_close(mfft_failure *failure);

/* begin and end enclose an execute, and both return its status.  begin: `mine` is the status of this rank's argument
 * checks; the result is MFFT_ERR_STATE if the object is unusable or MPI is finalized.  end: `mine` is the status of the
 * execute, begin included; a failure of this rank is announced to the other ranks. */
mfft_status mfft_failure_begin(mfft_failure *failure, mfft_status mine);
mfft_status mfft_failure_end(mfft_failure *failure, mfft_status mine);

/* Returns the failure that has been announced so far, by this rank or another.  Not collective. */
mfft_status mfft_failure_announced(mfft_failure *failure);

/* The flag of this rank at an address that kernels of its device can read; NULL: there is none. */
const uint64_t *mfft_failure_flag(MPI_Comm comm);

#endif
