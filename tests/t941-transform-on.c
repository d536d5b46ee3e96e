// TEST ranks=2 labels=dist args=0.2
/* Transforms forward and backward for so many seconds, and compares every result: t940 runs it on several hosts while faults
 * are injected.  Arguments: seconds, and the name of a file that rank 0 makes once every rank has transformed. */
#include <time.h>

#include "check.h"
#include "mfft_mpi.h"

static double value(int64_t i) { return (double)(i * 2654435761u % 1000003) / 1e6; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  int rank, going = 1, rounds = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = 32;
  d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  options.effort = MFFT_ESTIMATE;
  options.backend = "fftw";
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  int64_t count[2]; /* [side] complex numbers */
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_count(plan, (mfft_side)side, &count[side]));
  double *x = malloc((size_t)count[MFFT_IN] * 2 * sizeof *x), *k = malloc((size_t)count[MFFT_OUT] * 2 * sizeof *k);
  for (int64_t i = 0; i < 2 * count[MFFT_IN]; i++) x[i] = value(i + rank);
  const double begin = MPI_Wtime();
  while (going) {
    CHECK_OK(mfft_execute(plan, MFFT_FORWARD, x, k));
    CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, k, x));
    double worst = 0;
    for (int64_t i = 0; i < 2 * count[MFFT_IN]; i++) worst = fmax(worst, fabs(x[i] - value(i + rank)));
    CHECK(worst < 1e-9, "round %d: %g", rounds, worst);
    rounds++;
    if (rounds == 1 && rank == 0 && argc > 2) {
      FILE *file = fopen(argv[2], "w");
      CHECK(file != NULL, "%s", argv[2]);
      if (file) fclose(file);
    }
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* so that several such jobs run on few cores */
    going = MPI_Wtime() - begin < seconds; /* by the clock of rank 0; the wait is under the watchdog, as those of plans */
    MPI_Request request;
    MPI_Ibcast(&going, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    CHECK_OK(mfft_wait(MPI_COMM_WORLD, &request, NULL, 1, "going on"));
  }
  free(x);
  free(k);
  mfft_plan_destroy(plan);
  MPI_Finalize();
  return test_end();
}
