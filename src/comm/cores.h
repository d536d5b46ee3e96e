/* cores.h: the number of cores of its node that a rank has for itself. */
#ifndef MFFT_COMM_CORES_H
#define MFFT_COMM_CORES_H

#include <mpi.h>

#include "base/status.h"

/* This rank's share of the cores of its node, at least 1.  Each core of the rank's affinity mask counts as one over the
 * number of ranks of the communicator, on the same node, whose masks have it too: ranks that are bound to cores of their own
 * get these, and ranks that are bound to nothing share the node evenly.  The sum is rounded down.  Collective. */
mfft_status mfft_cores_share(MPI_Comm comm, int *cores);

#endif
