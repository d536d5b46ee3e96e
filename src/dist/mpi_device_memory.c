/* mpi_device_memory.c: tests whether MPI moves device memory.  An MPI library without CUDA would access a device pointer
 * as host memory and crash; Open MPI is therefore asked first, and a positive answer is confirmed by a message. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "dist/mpi_device_memory.h"

#include <dlfcn.h>
#include <string.h>

#include "comm/agree.h"
#include "comm/mpi_status.h"
#include "comm/watchdog.h"
#include "dist/trial.h"

static int mpi_denies(void) {
  int (*query)(void) = NULL;
  void *symbol = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
  memcpy(&query, &symbol, sizeof query);
  return !query || !query();
}

static mfft_status move(void *subject, const mfft_topology *topology, const mfft_trial_round *round) {
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  const int peer[2] = {round->left, round->right}; /* {left, right} */
  (void)subject;
  MFFT_MPI_TRY(MPI_Irecv(round->to, round->bytes, MPI_BYTE, round->left, 0, topology->comm, &request[0]));
  MFFT_MPI_TRY(MPI_Isend(round->from, round->bytes, MPI_BYTE, round->right, 0, topology->comm, &request[1]));
  return mfft_wait(topology->comm, request, peer, 2, "trying whether MPI moves device memory");
}

mfft_status mfft_mpi_probe_memory(const mfft_topology *topology) {
  static const char remedy[] = "use transport \"p2p\", \"nccl\" or \"staged\", or run under a CUDA-aware MPI";
  mfft_status status = MFFT_SUCCESS;
  if (topology->host_memory) return status;
  if (mpi_denies()) status = mfft_fail(MFFT_ERR_UNSUPPORTED, "this MPI library cannot move device memory; %s", remedy);
  MFFT_TRY(mfft_agree(topology->comm, status));
  return mfft_trial_run(topology, "MPI", remedy, move, NULL);
}
