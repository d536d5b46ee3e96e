// TEST ranks=3 labels=dist args=none
// TEST ranks=3 labels=dist args=none,fftw,p2p
// TEST ranks=3 labels=dist+cuda args=none,cuda,p2p
// TEST ranks=3 labels=dist+emulated args=none,cuda,p2p
// TEST ranks=3 labels=dist+emulated args=none,cuda,alltoallv
/* Rank 1 does not take part in the creation of a plan, or in an execute of one that has run, because it is late (12 or 30
 * seconds), is stopped, or dies; the others are then in the middle of exchanges.  With the argument "none" all ranks take
 * part; t340 runs the other cases.  The other arguments are the backend and the transport. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "emulated_mpi.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *how = argc > 1 ? argv[1] : "none";
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = 12;
  options.chunks = 2;
  options.effort = MFFT_ESTIMATE;
  options.backend = argc > 2 ? argv[2] : "fftw";
  options.transport = argc > 3 ? argv[3] : "pairwise";
  char why[256] = "";
  if (!mfft_backend_usable(options.backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return 77;
  }
  mfft_plan plan = NULL;
  int late = rank == 1;
  if (late && strcmp(how, "create") == 0) sleep(30);
  const mfft_status made = mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan);
  if (made == MFFT_ERR_UNSUPPORTED && strcmp(options.backend, "cuda") == 0 && !is_emulated()) {
    if (rank == 0) printf("skipped: %s\n", mfft_last_error());
    MPI_Finalize();
    return 77;
  }
  CHECK_OK(made);
  void *in, *out;
  size_t bytes[2]; /* [side] */
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes[MFFT_IN]));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &bytes[MFFT_OUT]));
  CHECK_OK(mfft_memory_alloc(options.backend, bytes[MFFT_IN], &in));
  CHECK_OK(mfft_memory_alloc(options.backend, bytes[MFFT_OUT], &out));
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  CHECK_OK(mfft_plan_synchronize(plan));
  if (late && strcmp(how, "execute") == 0) sleep(30);
  if (late && strcmp(how, "late") == 0) sleep(12);
  if (late && strcmp(how, "stop") == 0) raise(SIGSTOP);
  if (late && strcmp(how, "die") == 0) raise(SIGKILL);
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  CHECK_OK(mfft_plan_synchronize(plan));
  mfft_plan_destroy(plan);
  CHECK_OK(mfft_memory_free(options.backend, in));
  CHECK_OK(mfft_memory_free(options.backend, out));
  MPI_Finalize();
  return test_end();
}
