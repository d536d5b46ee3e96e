// TEST ranks=1,2 labels=particles args=--n,32
/* Deposit and gather of particles that are uniformly random, one a cell, on a mesh of n^3 cells: particles a second.
 *
 *     mpirun -n 1 t896-particles-bench --n 256 --threads 2 --precision single --order 3
 *
 * Positions and results are of the precision of the mesh.  Times are the least of five rounds, of the slowest rank; CPU
 * times are those of all threads of rank 0.
 *
 * With --pylians LIBRARY rounds of Pylians' deposit alternate with ours, on one rank in single: a shared library of its
 * MAS_c.c, compiled as its setup.py does, gcc -O3 -ffast-math -march=native -fopenmp -shared -fPIC MAS_c.c -o LIBRARY.  Both
 * densities are compared.  Without the library the bench says so and goes on. */
#define _GNU_SOURCE /* getrusage */
#include <dlfcn.h>
#include <sys/resource.h>

#include "particle_set.h"

enum { ROUNDS = 5 };

static const char *option(int argc, char **argv, const char *name, const char *fallback) {
  for (int a = 1; a + 1 < argc; a++)
    if (strcmp(argv[a], name) == 0) return argv[a + 1];
  return fallback;
}

typedef struct bench {
  mfft_particle_mesh mesh;
  mfft_particles particles;
  mfft_particle_field field;
} bench;

/* Random positions in this rank's box. */
static void *scatter(bench *b, int64_t n, int single) {
  const mfft_box *own = &b->mesh->grid.own;
  const int64_t count = mfft_box_count(own);
  uint64_t state = 5 + (uint64_t)b->mesh->rank;
  void *position = NULL;
  CHECK_OK(mfft_alloc((size_t)count * 24 + 1, &position));
  for (int64_t i = 0; i < 3 * count; i++) {
    const int a = (int)(i % 3);
    const double extent = (double)mfft_box_extent(own, a) * 0.999999;
    const double x = ((double)own->lo[a] + extent * (test_random(&state) + 0.5)) / (double)n;
    if (single)
      ((float *)position)[i] = (float)x;
    else
      ((double *)position)[i] = x;
  }
  mfft_particles_init(&b->particles);
  b->particles.count = count;
  b->particles.type = single ? MFFT_POSITION_SINGLE : MFFT_POSITION_DOUBLE;
  b->particles.stride = 3;
  for (int a = 0; a < 3; a++) b->particles.position[a] = (char *)position + a * (single ? 4 : 8);
  return position;
}

/* Processor time of the threads of this process, in seconds. */
static double cpu_seconds(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) + 1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

typedef mfft_status call(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                         int fields);

static void measure(bench *b, call *does, const char *name, double particles) {
  double best = 1e30, least = 1e30;
  for (int round = 0; round < ROUNDS; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), cpu = cpu_seconds();
    CHECK_OK(does(b->mesh, &b->particles, &b->field, 1));
    double took = MPI_Wtime() - begin;
    cpu = cpu_seconds() - cpu;
    least = cpu < least ? cpu : least;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    best = took < best ? took : best;
  }
  if (!b->mesh->rank && !test_small() && particles > 1e6)
    printf("%-8s %8.4f s %8.2f million particles/s, CPU %8.4f s\n", name, best, particles / best * 1e-6, least);
}

/* ---- Pylians ---- */

typedef void pylians_deposit(float *position, float *mesh, float *weight, long particles, int cells, int axes, float side,
                             int threads);

static pylians_deposit *find_pylians(const char *library, int order) {
  static const char *const names[] = {"", "NGP", "CIC", "TSC", "PCS"};
  void *symbol = NULL, *opened = *library ? dlopen(library, RTLD_NOW) : NULL;
  pylians_deposit *found = NULL;
  if (opened) symbol = dlsym(opened, names[order]);
  memcpy(&found, &symbol, sizeof found);
  if (!found && *library) printf("Pylians is not measured: '%s' has no %s\n", library, names[order]);
  return found;
}

/* Both deposits in turn, and how far their densities differ, over the largest cell. */
static void compare(bench *b, pylians_deposit *pylians, int threads, int64_t n) {
  const size_t cells = (size_t)(n * n * n);
  float *theirs = calloc(cells, sizeof *theirs), *position = (float *)(uintptr_t)b->particles.position[0];
  double best[2] = {1e30, 1e30}, cpu[2] = {1e30, 1e30}, off = 0, most = 0;
  for (int round = 0; round < 2 * ROUNDS; round++) {
    const int who = round % 2;
    if (who) memset(theirs, 0, cells * sizeof *theirs);
    const double begin = MPI_Wtime(), used = cpu_seconds();
    if (who)
      pylians(position, theirs, NULL, (long)b->particles.count, (int)n, 3, 1, threads);
    else
      CHECK_OK(mfft_particles_deposit(b->mesh, &b->particles, &b->field, 1));
    best[who] = fmin(best[who], MPI_Wtime() - begin);
    cpu[who] = fmin(cpu[who], cpu_seconds() - used);
  }
  const float *ours = b->field.mesh;
  for (size_t i = 0; i < cells; i++) {
    off = fmax(off, fabs((double)ours[i] - (double)theirs[i]));
    most = fmax(most, fabs((double)ours[i]));
  }
  CHECK(off <= 1e-4 * most, "the densities differ by %.3g of %.3g", off, most);
  printf(
      "deposit  ours %8.4f s, CPU %8.4f s; Pylians %8.4f s, CPU %8.4f s; ratio %5.2f, of CPU times %5.2f; difference %.1e\n",
      best[0], cpu[0], best[1], cpu[1], best[1] / best[0], cpu[1] / cpu[0], off / most);
  free(theirs);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t n = atoi(option(argc, argv, "--n", "64"));
  const int single = !strcmp(option(argc, argv, "--precision", "single"), "single");
  bench b;
  mfft_particle_mesh_desc d;
  mfft_plan plan = pm_plan(MPI_COMM_WORLD, (const int64_t[3]){n, n, n}, single ? MFFT_SINGLE : MFFT_DOUBLE, 0);
  mfft_particle_mesh_desc_init(&d);
  d.assignment = (mfft_assignment)atoi(option(argc, argv, "--order", "3"));
  d.threads = atoi(option(argc, argv, "--threads", "1"));
  CHECK_OK(mfft_particle_mesh_create(plan, &d, &b.mesh));
  const char *kernels = option(argc, argv, "--kernels", "");
  for (int i = 0; mfft_pm_kernels_at(i); i++)
    if (!strcmp(mfft_pm_kernels_at(i)->name, kernels)) b.mesh->kernels = mfft_pm_kernels_at(i);
  void *array = pm_array(plan), *position = scatter(&b, n, single), *result = NULL;
  CHECK_OK(mfft_alloc((size_t)b.particles.count * 8 + 1, &result));
  mfft_particle_field_init(&b.field);
  b.field.mesh = array;
  b.field.precision = single ? MFFT_SINGLE : MFFT_DOUBLE;
  const double particles = (double)n * (double)n * (double)n;
  measure(&b, mfft_particles_deposit, "deposit", particles);
  pylians_deposit *pylians = find_pylians(option(argc, argv, "--pylians", ""), (int)d.assignment);
  if (pylians && single && b.mesh->ranks == 1) compare(&b, pylians, d.threads, n);
  b.field.value = result;
  measure(&b, mfft_particles_gather, "gather", particles);
  mfft_free(result);
  mfft_free(position);
  mfft_free(array);
  mfft_particle_mesh_destroy(b.mesh);
  mfft_plan_destroy(plan);
  MPI_Finalize();
  return test_end();
}
