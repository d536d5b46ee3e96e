// TEST ranks=1,2,3 labels=dist
/* The trial of whether MPI transfers device memory, with a device of this file whose memory is host memory: its result if
 * MPI does, refuses, or delivers wrong data; and that a failure of the device on one rank fails all ranks, and none waits
 * for ever. */
#include "check.h"
#include "dist/mpi_device_memory.h"

static int rank, ranks, cuda_aware = 1;
static int copies, fails_at = -1, damages = -1; /* calls of copy_bytes so far; the one that fails, or copies wrongly */

/* The environment variables and functions of CUDA-aware builds of MPI. */
__attribute__((visibility("default"))) int MPIX_Query_cuda_support(void) { return cuda_aware; }

static mfft_status copy_bytes(void *to, const void *from, size_t bytes, void *stream) {
  const int call = copies++;
  if (call == fails_at) return mfft_fail(MFFT_ERR_CUDA, "copy %d does not work", call);
  mfft_status status = mfft_device_host.copy_bytes(to, from, bytes, stream);
  if (call == damages) ((unsigned char *)to)[bytes - 5]++;
  return status;
}

static mfft_status no_memory(size_t bytes, void **pointer) {
  (void)pointer;
  return mfft_fail(MFFT_ERR_MEMORY, "%zu bytes of pinned memory", bytes);
}

int main(int argc, char **argv) {
  setenv("MFFT_WATCHDOG_S", "20", 0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  mfft_device device = mfft_device_host;
  mfft_topology topology;
  char words[64];
  device.copy_bytes = copy_bytes;
  CHECK_OK(mfft_topology_make(MPI_COMM_WORLD, &topology));
  topology.device = &device;
  CHECK_OK(mfft_mpi_probe_memory(&topology));
  CHECK(copies == 2, "%d copies", copies);

  for (int last = 0; last < 2; last++)
    for (int call = 0; call < 2; call++) { /* to the device, and back */
      const int failing_rank = last ? ranks - 1 : 0;
      copies = 0;
      fails_at = rank == failing_rank ? call : -1;
      snprintf(words, sizeof words, "rank %d of %d: copy %d does not work", failing_rank, ranks, call);
      CHECK_FAILS(mfft_mpi_probe_memory(&topology), MFFT_ERR_CUDA, words);
      fails_at = -1;
    }
  copies = 0;
  damages = rank == 0 ? 1 : -1; /* in the copy back to the host, so that rank 0 itself notices */
  CHECK_FAILS(mfft_mpi_probe_memory(&topology), MFFT_ERR_UNSUPPORTED, "rank 0");
  CHECK(strstr(mfft_last_error(), "byte 65531 of a message was wrong"), "%s", mfft_last_error());
  damages = -1;

  device.pinned_alloc = rank == ranks - 1 ? no_memory : mfft_device_host.pinned_alloc;
  CHECK_FAILS(mfft_mpi_probe_memory(&topology), MFFT_ERR_MEMORY, "bytes of pinned memory");
  device.pinned_alloc = mfft_device_host.pinned_alloc;
  cuda_aware = rank != ranks - 1;
  CHECK_FAILS(mfft_mpi_probe_memory(&topology), MFFT_ERR_UNSUPPORTED, "cannot move device memory");
  cuda_aware = 1;
  CHECK_OK(mfft_mpi_probe_memory(&topology));
  topology.host_memory = 1;
  cuda_aware = 0;
  CHECK_OK(mfft_mpi_probe_memory(&topology));
  mfft_topology_free(&topology);
  MPI_Finalize();
  return test_end();
}
