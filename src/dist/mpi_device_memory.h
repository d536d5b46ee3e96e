/* mpi_device_memory.h: the test whether MPI can send and receive device memory, which transports by MPI messages need. */
#ifndef MFFT_DIST_MPI_DEVICE_MEMORY_H
#define MFFT_DIST_MPI_DEVICE_MEMORY_H

#include "dist/topology.h"

/* The probe of a transport (dist/transport.h): MFFT_SUCCESS for host memory, and for device memory if a test message has
 * arrived unchanged.  Collective; all ranks fail together. */
mfft_status mfft_mpi_probe_memory(const mfft_topology *topology);

#endif
