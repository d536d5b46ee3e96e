// TEST ranks=3 labels=dist args=none
/* Rank 1 does not come: to an execute, to the creation of a plan, or is stopped in the middle.  Alone, with the argument
 * "none", all ranks come; t340 runs the other cases. */
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "mfft_mpi.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *how = argc > 1 ? argv[1] : "none";
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mfft_desc d;
  mfft_desc_init(&d);
  d.n[0] = d.n[1] = d.n[2] = 12;
  d.effort = MFFT_ESTIMATE;
  mfft_plan plan = NULL;
  int late = rank == 1;
  if (late && strcmp(how, "create") == 0) sleep(30);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &plan));
  double *in = calloc(12 * 12 * 12, 16), *out = calloc(12 * 12 * 12, 16);
  if (late && strcmp(how, "execute") == 0) sleep(30);
  if (late && strcmp(how, "stop") == 0) raise(SIGSTOP);
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  mfft_plan_destroy(plan);
  free(in);
  free(out);
  MPI_Finalize();
  return test_end();
}
