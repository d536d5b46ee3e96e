/* consumer_mpi.c: the distributed interface through an installed mergefft; a process alone is a communicator of one. */
#include <mfft_mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  mfft_desc desc;
  mfft_desc_init(&desc);
  desc.n[0] = 4, desc.n[1] = 6, desc.n[2] = 10;
  mfft_plan plan;
  mfft_box box;
  int failed = mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, NULL, &plan) || mfft_plan_box(plan, MFFT_IN, &box);
  if (failed) fprintf(stderr, "%s\n", mfft_last_error());
  if (!failed) mfft_plan_destroy(plan);
  MPI_Finalize();
  return failed;
}
