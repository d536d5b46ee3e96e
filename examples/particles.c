/* particles.c: the gravitational acceleration of particles in a periodic box, over all ranks.
 *
 * Build:  mpicc particles.c -o particles $(pkg-config --cflags --libs mergefft) -lm
 * Run:    mpirun -n 4 ./particles
 *
 * Each rank begins with particles anywhere in the box, as after reading a snapshot.  Particles are sent to the ranks that
 * own their cells, one call computes the accelerations there, and these are sent back to the ranks where the particles were.
 */
#include <math.h>
#include <mfft_mpi.h>
#include <mfft_particles.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 32, COUNT = 4000 };            /* cells of an axis; particles of each rank at the beginning */
static const double length = 100, G = 43; /* Mpc/h; (km/s)^2 Mpc/h per 10^10 solar masses/h, rounded */

/* Ends the job with the message of the call that failed. */
static void must(mfft_status status) {
  if (status == MFFT_SUCCESS) return;
  fprintf(stderr, "%s\n", mfft_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *array(int64_t bytes) {
  void *memory = calloc((size_t)bytes + 1, 1);
  if (!memory) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

/* A plan in single precision, and a particle mesh on its box. */
static mfft_particle_mesh make_mesh(mfft_plan *plan) {
  mfft_desc desc;
  mfft_particle_mesh_desc geometry;
  mfft_particle_mesh mesh;
  mfft_desc_init(&desc);
  desc.n[0] = desc.n[1] = desc.n[2] = N;
  desc.kind = MFFT_R2C;
  desc.precision = MFFT_SINGLE;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.filtered = 1u << MFFT_BACKWARD; /* for the Green's function */
  must(mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, NULL, plan));
  mfft_particle_mesh_desc_init(&geometry); /* TSC; mesh point i at i*h */
  for (int axis = 0; axis < 3; axis++) geometry.length[axis] = length;
  must(mfft_particle_mesh_create(*plan, &geometry, &mesh));
  return mesh;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mfft_plan plan;
  mfft_particle_mesh mesh = make_mesh(&plan);

  float *position = array(COUNT * 12); /* [COUNT][3] */
  srand((unsigned)rank + 1);
  for (int i = 0; i < 3 * COUNT; i++) position[i] = (float)(length * rand() / RAND_MAX);
  mfft_particles particles;
  mfft_particles_init(&particles);
  particles.count = COUNT;
  particles.type = MFFT_POSITION_SINGLE;
  particles.stride = 3;
  for (int axis = 0; axis < 3; axis++) particles.position[axis] = position + axis;

  int64_t here; /* number of particles in this rank's cells */
  mfft_particle_exchange exchange;
  must(mfft_particle_exchange_create(mesh, &particles, &exchange));
  must(mfft_particle_exchange_count(exchange, &here, NULL));
  float *moved = array(here * 12), *found = array(here * 12), *acceleration = array(COUNT * 12);
  must(mfft_particle_exchange_send(exchange, &(mfft_particle_column){12, position, moved}, 1));

  particles.count = here;
  mfft_force_desc force;
  mfft_force_desc_init(&force); /* mass 1 each; TSC, four-point gradient, no deconvolution */
  force.coefficient = 4 * 3.141592653589793 * G;
  force.precision = MFFT_SINGLE;
  force.stride = 3;
  for (int axis = 0; axis < 3; axis++) {
    particles.position[axis] = moved + axis;
    force.force[axis] = found + axis;
  }
  must(mfft_particles_force(mesh, &particles, &force));
  must(mfft_particle_exchange_return(exchange, &(mfft_particle_column){12, found, acceleration}, 1));

  double sum[2] = {0, 0}; /* of forces along x, and of their magnitudes */
  for (int i = 0; i < COUNT; i++) sum[0] += acceleration[3 * i], sum[1] += fabs(acceleration[3 * i]);
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("sum of forces over the sum of their magnitudes: %.1e\n", sum[0] / sum[1]);

  mfft_particle_exchange_destroy(exchange);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
  free(position), free(moved), free(found), free(acceleration);
  MPI_Finalize();
  return sum[1] > 0 && fabs(sum[0]) < 1e-6 * sum[1] ? 0 : 1;
}
