// TEST ranks=2,3 labels=dist+cuda+fault+alone timeout=120 args=cuda
// TEST ranks=2 labels=emulated timeout=120 args=cuda
/* One rank has no device memory left: the creation of a plan fails on all ranks, with the same message, within ten seconds,
 * and succeeds once there is memory again. */
#include <mpi.h>

#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

enum { MOST = 4096 };

/* Allocates all of the device's memory, in pieces of 256 MiB and then of less. */
static int fill(const char *backend, void *piece[MOST]) {
  int count = 0;
  for (size_t bytes = (size_t)256 << 20; bytes >= 1 << 20; bytes /= 2)
    while (count < MOST && mfft_memory_alloc(backend, bytes, &piece[count]) == MFFT_SUCCESS) count++;
  return count;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *backend = argc > 1 ? argv[1] : "cuda";
  char why[256] = "";
  if (!mfft_backend_usable(backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return 77;
  }
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static void *piece[MOST]; /* [count] */
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = test_small() ? 128 : 640;
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  mfft_plan plan = NULL;
  int count = rank == 1 ? fill(backend, piece) : 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan);
  double spent = MPI_Wtime() - begin;
  CHECK(status == MFFT_ERR_MEMORY, "rank %d: %s: %s", rank, mfft_strerror(status), mfft_last_error());
  CHECK(plan == NULL, "rank %d: a plan was made without memory", rank);
  CHECK(strstr(mfft_last_error(), "rank ") != NULL, "no rank is named: %s", mfft_last_error());
  CHECK(spent < 10, "it took %.1f s", spent);
  for (int i = 0; i < count; i++) CHECK_OK(mfft_memory_free(backend, piece[i]));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  mfft_plan_destroy(plan);
  MPI_Finalize();
  return test_end();
}
