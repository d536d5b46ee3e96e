/* poisson.c: solves laplacian(phi) = rho in a periodic box over all ranks, and computes the force -d(phi)/dx, in k-space.
 *
 * Build:  mpicc poisson.c -o poisson $(pkg-config --cflags --libs mergefft) -lm
 * Run:    mpirun -n 4 ./poisson
 *
 * The plan itself multiplies the spectrum by the Green function, as part of the backward transform, and leaves the spectrum
 * as it was: one forward transform serves the potential and the force.  Memory of the backend is allocated, filled and read
 * by the same calls on CPUs and GPUs, so this program runs on either: set MFFT_BACKEND to fftw or cuda. */
#include <math.h>
#include <mfft_memory.h>
#include <mfft_mpi.h>
#include <mfft_spectrum.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 32, MODE = 3 };
static const double two_pi = 6.283185307179586, length = 100; /* sides of the box */

/* Ends the job with the message of the call that failed. */
static void must(mfft_status status) {
  if (status == MFFT_SUCCESS) return;
  fprintf(stderr, "%s\n", mfft_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Fills this rank's box, in C order, with a function of x: the fields of this example vary along x alone. */
static void fill(const mfft_box *box, double (*f)(double x), double *field) {
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t i = 0; i < (box->hi[1] - box->lo[1]) * (box->hi[2] - box->lo[2]); i++) *field++ = f(length * (double)x / N);
}
static double wave_number(void) { return two_pi * MODE / length; }
static double density(double x) { return cos(wave_number() * x); }
static double potential(double x) { return -cos(wave_number() * x) / (wave_number() * wave_number()); }
static double force(double x) { return -sin(wave_number() * x) / wave_number(); }

/* One backward transform with a filter; returns the largest error on any rank. */
static double solve(mfft_plan plan, const mfft_filter *filter, const void *spectrum, void *out, double (*exact)(double x)) {
  mfft_box box;
  size_t bytes;
  const char *backend;
  double worst = 0;
  must(mfft_plan_box(plan, MFFT_IN, &box));
  must(mfft_plan_bytes(plan, MFFT_IN, &bytes));
  must(mfft_plan_backend(plan, &backend));
  must(mfft_plan_set_filter(plan, MFFT_BACKWARD, filter));
  must(mfft_execute(plan, MFFT_BACKWARD, spectrum, out));
  must(mfft_plan_synchronize(plan));
  double *got = malloc(bytes + 1), *truth = malloc(bytes + 1);
  if (!got || !truth) MPI_Abort(MPI_COMM_WORLD, 1);
  must(mfft_memory_download(backend, got, out, bytes));
  fill(&box, exact, truth);
  const int64_t cells = (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]) * (box.hi[2] - box.lo[2]);
  for (int64_t i = 0; i < cells; i++) worst = fmax(worst, fabs(got[i] - truth[i]));
  free(got), free(truth);
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mfft_desc desc;
  mfft_desc_init(&desc);
  desc.n[0] = desc.n[1] = desc.n[2] = N;
  desc.kind = MFFT_R2C;
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  desc.order = MFFT_ORDER_TRANSPOSED; /* the filter knows which modes a rank has */
  desc.filtered = 1u << MFFT_BACKWARD;
  mfft_plan plan;
  must(mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, NULL, &plan));

  mfft_box box;
  size_t bytes[2]; /* [side] */
  const char *backend;
  void *field, *spectrum; /* in memory of the backend */
  must(mfft_plan_box(plan, MFFT_IN, &box));
  for (int side = 0; side < 2; side++) must(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  must(mfft_plan_backend(plan, &backend));
  must(mfft_memory_alloc(backend, bytes[MFFT_IN], &field));
  must(mfft_memory_alloc(backend, bytes[MFFT_OUT], &spectrum));
  double *rho = malloc(bytes[MFFT_IN] + 1);
  if (!rho) MPI_Abort(MPI_COMM_WORLD, 1);
  fill(&box, density, rho);
  must(mfft_memory_upload(backend, field, rho, bytes[MFFT_IN]));
  must(mfft_execute(plan, MFFT_FORWARD, field, spectrum));

  /* phi_k = -rho_k / k^2, and 0 for k = 0; the force is -i k_x phi_k. */
  double k[N], k2[N];
  for (int i = 0; i < N; i++) {
    const double m = i <= N / 2 ? i : i - N; /* signed wave number */
    k[i] = 2 * i == N ? 0 : two_pi * m / length;
    k2[i] = pow(two_pi * m / length, 2);
  }
  mfft_filter green;
  mfft_filter_init(&green);
  for (int axis = 0; axis < 3; axis++) green.divisor[axis] = k2;
  green.scale = -1;
  const double phi_error = solve(plan, &green, spectrum, field, potential);
  green.factor[0] = k;
  green.scale = 1;
  green.quarter_turns = 1; /* times i */
  const double force_error = solve(plan, &green, spectrum, field, force);
  if (rank == 0) printf("on %s: errors of phi %.0e, of the force %.0e\n", backend, phi_error, force_error);

  mfft_plan_destroy(plan);
  must(mfft_memory_free(backend, field));
  must(mfft_memory_free(backend, spectrum));
  free(rho);
  MPI_Finalize();
  return phi_error < 1e-11 && force_error < 1e-12 ? 0 : 1;
}
