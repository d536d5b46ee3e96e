/* mpi_reach.c: whether MPI moves device memory.  A library without CUDA would read a device pointer as a host one and die,
 * so Open MPI is asked first; its yes is not believed until a message has arrived whole. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "dist/agree.h"
#include "dist/transport.h"

enum { TRIAL_BYTES = 1 << 16 };

static int mpi_denies(void) {
  int (*query)(void) = NULL;
  void *symbol = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
  memcpy(&query, &symbol, sizeof query);
  return !query || !query();
}

/* One round to the right neighbour: what rank r sends is r + i in byte i. */
static mfft_status trial(const mfft_reach *reach, unsigned char *host, unsigned char *device) {
  int right = (reach->rank + 1) % reach->ranks, left = (reach->rank + reach->ranks - 1) % reach->ranks;
  for (int i = 0; i < TRIAL_BYTES; i++) host[i] = (unsigned char)(reach->rank + i);
  MFFT_TRY(reach->device->copy_bytes(device, host, TRIAL_BYTES, NULL));
  MFFT_TRY(reach->device->stream_synchronize(NULL));
  MFFT_MPI_TRY(MPI_Sendrecv(device, TRIAL_BYTES, MPI_BYTE, right, 0, device + TRIAL_BYTES, TRIAL_BYTES, MPI_BYTE, left, 0,
                            reach->comm, MPI_STATUS_IGNORE));
  MFFT_TRY(reach->device->copy_bytes(host, device + TRIAL_BYTES, TRIAL_BYTES, NULL));
  MFFT_TRY(reach->device->stream_synchronize(NULL));
  for (int i = 0; i < TRIAL_BYTES; i++)
    if (host[i] != (unsigned char)(left + i))
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "MPI says that it moves device memory, but byte %d of a message was wrong", i);
  return MFFT_SUCCESS;
}

mfft_status mfft_mpi_reaches(const mfft_reach *reach) {
  if (reach->host_memory) return MFFT_SUCCESS;
  mfft_status status = MFFT_SUCCESS;
  void *host = NULL, *device = NULL;
  mfft_handle unused;
  if (mpi_denies())
    status = mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "this MPI library cannot move device memory; use transport \"p2p\" or \"staged\", or run under a "
                       "CUDA-aware MPI");
  if (status == MFFT_SUCCESS) status = reach->device->pinned_alloc(TRIAL_BYTES, &host);
  if (status == MFFT_SUCCESS) status = reach->device->shared_alloc(2 * TRIAL_BYTES, &device, &unused);
  status = mfft_agree(reach->comm, status);
  if (status == MFFT_SUCCESS) status = mfft_agree(reach->comm, trial(reach, host, device));
  reach->device->pinned_free(host);
  reach->device->shared_free(device);
  return status;
}
