/* mpi_device_memory.h: whether MPI moves device memory, as transports of messages need. */
#ifndef MFFT_DIST_MPI_DEVICE_MEMORY_H
#define MFFT_DIST_MPI_DEVICE_MEMORY_H

#include "dist/topology.h"

/* The probe of a transport (dist/transport.h): MFFT_SUCCESS for host memory, and where a message of device memory has
 * arrived whole.  Collective; all ranks fail together. */
mfft_status mfft_mpi_probe_memory(const mfft_topology *topology);

#endif
