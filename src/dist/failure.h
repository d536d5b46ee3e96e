/* failure.h: an execute that fails on one rank fails on all.
 *
 * Creation ends in mfft_agree.  An execute has no call in which all ranks meet, and one would take longer than a small
 * transform.  So the rank whose execute fails, be it for an argument or in the middle, announces it: to every rank by a
 * message with the status and the text, and to the ranks of its node by a flag in memory of the host that they share, which
 * kernels that wait for a peer poll, too.  Waits for peers (watchdog.h) look for the message, an execute begins with a look,
 * and mfft_plan_synchronize ends with one.
 *
 * From then on the plan or exchange is dead on every rank: no rank knows how many executes of the others match its own.
 * Arrays may be freed once it is destroyed; until then messages of peers may still come.
 *
 * There is one object for each plan and exchange.  It is the interrupt of their communicator
 * (comm/interrupt.h), which waits during an execute poll. */
#ifndef MFFT_DIST_FAILURE_H
#define MFFT_DIST_FAILURE_H

#include "dist/topology.h"

typedef struct mfft_failure mfft_failure;

/* Attaches one to topology->comm; it stays NULL on a single rank, and every call accepts NULL.  `what` names the object
 * ("plan"). Collective; all ranks fail together.  close is collective too, and comes when nothing waits any more. */
mfft_status mfft_failure_open(const mfft_topology *topology, const char *what, mfft_failure **failure);
void mfft_failure_close(mfft_failure *failure);

/* Around an execute.  begin: `mine` says whether this rank's arguments are good; it answers MFFT_ERR_STATE where the object
 * is dead, or MPI finalized.  end: `mine` is what came of it, begin included; it tells the others where that is a failure of
 * this rank.  Both return the status of the execute. */
mfft_status mfft_failure_begin(mfft_failure *failure, mfft_status mine);
mfft_status mfft_failure_end(mfft_failure *failure, mfft_status mine);

/* What has failed so far, here or elsewhere.  Not collective. */
mfft_status mfft_failure_look(mfft_failure *failure);

/* The flag of this rank, as kernels of its device address it; NULL where there is none. */
const uint64_t *mfft_failure_flag(MPI_Comm comm);

#endif
