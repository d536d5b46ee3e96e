/* learn_host_names.h: the collective call by which ranks get the names of host_names.h. */
#ifndef MFFT_COMM_LEARN_HOST_NAMES_H
#define MFFT_COMM_LEARN_HOST_NAMES_H

#include "base/status.h"
#include "comm/host_names.h"

/* Learns the names of the hosts of all ranks of the communicator; one reduction where they are known already.  Collective;
 * all ranks fail together. */
mfft_status mfft_host_names_learn(MPI_Comm comm);

#endif
