/* mpi.c: a distributed transform: the convolution of two real fields on a 3D grid over all ranks.
 *
 * Build:  mpicc mpi.c -o mpi $(pkg-config --cflags --libs mergefft) -lm
 * Run:    mpirun -n 4 ./mpi
 *
 * Each rank holds a box of the array; the plan chooses the boxes.  The spectra stay in transposed order: a product of modes
 * can be computed on whichever rank has them, and this saves an exchange in each direction. */
#include <math.h>
#include <mfft_mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 32, FIRST = 3, SECOND = 7 };

/* Ends the job with the message of the call that failed.  It is the same on all ranks: if one fails, all do. */
static void must(mfft_status status) {
  if (status == MFFT_SUCCESS) return;
  fprintf(stderr, "%s\n", mfft_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A unit impulse at (at, at, at), in this rank's box of the array. */
static void fill_impulse(const mfft_box *box, int at, double *field) {
  const int64_t ny = box->hi[1] - box->lo[1], nz = box->hi[2] - box->lo[2];
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
        field[((x - box->lo[0]) * ny + y - box->lo[1]) * nz + z - box->lo[2]] = x == at && y == at && z == at;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  mfft_desc desc;
  mfft_desc_init(&desc);
  desc.n[0] = desc.n[1] = desc.n[2] = N; /* of the whole array */
  desc.kind = MFFT_R2C;
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  desc.order = MFFT_ORDER_TRANSPOSED;
  mfft_options options;
  mfft_options_init(&options);
  options.backend = "fftw";
  options.effort = MFFT_ESTIMATE; /* MFFT_TUNE_MEASURE times whole plans and stores the fastest as wisdom */

  mfft_plan plan;
  mfft_box box;
  size_t bytes[2]; /* [side] */
  int64_t modes;
  must(mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, &options, &plan));
  must(mfft_plan_box(plan, MFFT_IN, &box));
  for (int side = 0; side < 2; side++) must(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  must(mfft_plan_count(plan, MFFT_OUT, &modes));
  double *field = malloc(bytes[MFFT_IN] + 1), *a = malloc(bytes[MFFT_OUT] + 1), *b = malloc(bytes[MFFT_OUT] + 1);
  if (!field || !a || !b) MPI_Abort(MPI_COMM_WORLD, 1);

  fill_impulse(&box, FIRST, field);
  must(mfft_execute(plan, MFFT_FORWARD, field, a));
  fill_impulse(&box, SECOND, field);
  must(mfft_execute(plan, MFFT_FORWARD, field, b));
  for (int64_t i = 0; i < modes; i++) {
    const double re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    a[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    a[2 * i] = re;
  }
  must(mfft_execute(plan, MFFT_BACKWARD, a, field)); /* an impulse at the sum of the two positions */

  const int64_t cells = (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]) * (box.hi[2] - box.lo[2]);
  double *truth = malloc(bytes[MFFT_IN] + 1), worst = 0;
  if (!truth) MPI_Abort(MPI_COMM_WORLD, 1);
  fill_impulse(&box, FIRST + SECOND, truth);
  for (int64_t i = 0; i < cells; i++) worst = fmax(worst, fabs(field[i] - truth[i]));
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("impulses at %d and %d convolve to one at %d, within %.0e\n", FIRST, SECOND, FIRST + SECOND, worst);

  mfft_plan_destroy(plan); /* collective */
  free(field), free(a), free(b), free(truth);
  MPI_Finalize();
  return worst < 1e-14 ? 0 : 1;
}
