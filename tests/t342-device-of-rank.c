// TEST ranks=2,3 labels=dist+cuda
// TEST ranks=2,3 labels=dist+cuda args=given
// TEST ranks=3 labels=dist+emulated
// TEST ranks=3 labels=dist+emulated args=given
// TEST ranks=3 labels=dist+emulated args=declared
/* The GPU that a rank uses: the one with its index on the node, which MPI gives if the launcher does not; or the one that
 * the caller has made current.  Ranks of nodes that are only declared by the environment share the GPUs of their host. */
#include <mpi.h>

#include "check.h"
#include "dist.h"
#include "local/cuda/runtime/context.h"

int main(int argc, char **argv) {
  const int given = argc > 1 && !strcmp(argv[1], "given");
  const mfft_cuda_driver *gpu;
  int rank, count = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsetenv("OMPI_COMM_WORLD_LOCAL_RANK");
  unsetenv("SLURM_LOCALID");
  if (argc > 1 && !strcmp(argv[1], "declared")) setenv("MFFT_NODE_RANKS", "1", 1);
  if (mfft_cuda_open(&gpu) != MFFT_SUCCESS || gpu->device_count(&count) != CUDA_SUCCESS || count < 2)
    return MPI_Finalize(), TEST_SKIPPED;

  const int place = given ? (rank + 1) % count : rank % count;
  CUdevice device = 0;
  CUcontext own = NULL, now = NULL;
  CHECK(gpu->device_get(&device, place) == CUDA_SUCCESS && gpu->primary_retain(&own, device) == CUDA_SUCCESS, "device %d",
        place);
  if (given) CHECK(gpu->context_set(own) == CUDA_SUCCESS, "device %d", place);

  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = 12, d.n[1] = 8, d.n[2] = 10;
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  dist_check(MPI_COMM_WORLD, &d, &options, given ? "on the device of the caller" : "on the device of the rank's index");
  CHECK(gpu->context_current(&now) == CUDA_SUCCESS && now == own, "rank %d of %d GPUs is not on device %d", rank, count,
        place);
  MPI_Finalize();
  return test_end();
}
