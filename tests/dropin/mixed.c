/* mixed.c: a program that uses plans of one process and plans for MPI together: the same calls execute, print and destroy
 * both.  It makes and destroys a plan for every transform, uses communicators of its own, executes plans in other threads at
 * the same time, calls FFTW's cleanup between transforms, and does not destroy all plans before MPI_Finalize. */
#include <fftw3-mpi.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N0 = 12, N1 = 10, N2 = 6, ALL = N0 * N1 * N2, PLANE = N1 * N2 };
static int rank, ranks, failures;

static void fail(const char *words, double value) {
  printf("rank %d of %d: %s %g\n", rank, ranks, words, value);
  failures++;
}

static double value_of(ptrdiff_t i) { return sin(0.37 * (double)i) + 0.01 * (double)(i % 17); }

static void fill(fftw_complex *a, ptrdiff_t first, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) a[i][0] = value_of(first + i), a[i][1] = value_of(3 * (first + i));
}

/* The spectrum of the whole array, by a plan of one process. */
static fftw_complex *truth(void) {
  fftw_complex *a = fftw_alloc_complex(ALL);
  fftw_plan p = fftw_plan_dft_3d(N0, N1, N2, a, a, FFTW_FORWARD, FFTW_ESTIMATE);
  fill(a, 0, ALL);
  fftw_execute(p);
  fftw_destroy_plan(p);
  return a;
}

static void compare(const fftw_complex *a, const fftw_complex *whole, ptrdiff_t first, ptrdiff_t count, const char *words) {
  double worst = 0;
  for (ptrdiff_t i = 0; i < count; i++)
    for (int part = 0; part < 2; part++) worst = fmax(worst, fabs(a[i][part] - whole[first + i][part]));
  if (!(worst < 1e-11)) fail(words, worst);
}

/* A transform with a plan of its own, on a communicator. */
static void transform(MPI_Comm comm, const fftw_complex *whole, const char *words) {
  ptrdiff_t planes, start;
  const ptrdiff_t count = fftw_mpi_local_size_3d(N0, N1, N2, comm, &planes, &start);
  fftw_complex *a = fftw_alloc_complex((size_t)count);
  fftw_plan p = fftw_mpi_plan_dft_3d(N0, N1, N2, a, a, comm, FFTW_FORWARD, FFTW_ESTIMATE);
  fill(a, start * PLANE, planes * PLANE);
  fftw_execute(p);
  compare(a, whole, start * PLANE, planes * PLANE, words);
  fftw_destroy_plan(p);
  fftw_free(a);
}

/* More shapes than the library caches, each twice. */
static void make_many(void) {
  for (int round = 0; round < 2; round++)
    for (ptrdiff_t n = 4; n < 28; n++) {
      fftw_complex *a = fftw_alloc_complex((size_t)(n * n * n + 64));
      fftw_plan p = fftw_mpi_plan_dft_3d(n, n, n, a, a, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
      if (!p) fail("no plan of length", (double)n);
      fftw_destroy_plan(p);
      fftw_free(a);
    }
}

/* The communicator is freed before the plan is destroyed. */
static void outlive_communicator(const fftw_complex *whole) {
  MPI_Comm comm;
  ptrdiff_t planes, start;
  MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &comm); /* the ranks backwards */
  const ptrdiff_t count = fftw_mpi_local_size_3d(N0, N1, N2, comm, &planes, &start);
  fftw_complex *a = fftw_alloc_complex((size_t)count);
  fftw_plan p = fftw_mpi_plan_dft_3d(N0, N1, N2, a, a, comm, FFTW_FORWARD, FFTW_ESTIMATE);
  transform(comm, whole, "ranks backwards: off by");
  MPI_Comm_free(&comm);
  fill(a, start * PLANE, planes * PLANE);
  fftw_execute(p);
  compare(a, whole, start * PLANE, planes * PLANE, "without its communicator: off by");
  fftw_destroy_plan(p);
  fftw_free(a);
}

/* Each half of the ranks on a communicator of its own. */
static void split(const fftw_complex *whole) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < 3 + 2 * (rank % 2); i++) transform(half, whole, "half of the ranks: off by");
  MPI_Comm_free(&half);
}

static void question(void) {
  double add[2], mul[2], fma[2];
  fftw_complex *a = fftw_alloc_complex(ALL + 64);
  fftw_plan serial = fftw_plan_dft_1d(64, a, a, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_plan mpi = fftw_mpi_plan_dft_3d(N0, N1, N2, a, a, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_plan const plans[2] = {serial, mpi};
  for (int i = 0; i < 2; i++) {
    char *text = fftw_sprint_plan(plans[i]);
    fftw_flops(plans[i], &add[i], &mul[i], &fma[i]);
    if (!text || !*text) fail("no text of plan", i);
    if (!(add[i] + mul[i] + fma[i] > 0)) fail("no operations of plan", i);
    if (!(fftw_estimate_cost(plans[i]) > 0) || !(fftw_cost(plans[i]) >= 0)) fail("no cost of plan", i);
    free(text);
  }
  fftw_destroy_plan(serial);
  fftw_destroy_plan(mpi);
  fftw_destroy_plan(NULL);
  fftw_free(a);
}

/* Executes a plan of one process repeatedly while others are made and destroyed in the main thread. */
static void *work(void *arg) {
  fftw_plan p = arg;
  fftw_complex *a = fftw_alloc_complex(64), *b = fftw_alloc_complex(64);
  for (int i = 0; i < 20000; i++) {
    for (int j = 0; j < 64; j++) a[j][0] = j == i % 64, a[j][1] = 0;
    fftw_execute_dft(p, a, b);
    if (!(fabs(b[0][0] - 1) < 1e-14)) {
      fail("a thread's transform gives", b[0][0]);
      break;
    }
  }
  fftw_free(a);
  fftw_free(b);
  return NULL;
}

static void thread(const fftw_complex *whole) {
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  fftw_complex *a = fftw_alloc_complex(64), *b = fftw_alloc_complex(64);
  fftw_plan p = fftw_plan_dft_1d(64, a, b, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, p);
  for (int i = 0; i < 20; i++) transform(MPI_COMM_WORLD, whole, "with other threads: off by");
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  fftw_destroy_plan(p);
  fftw_free(a);
  fftw_free(b);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  fftw_init_threads();
  fftw_mpi_init();
  fftw_make_planner_thread_safe();
  fftw_set_timelimit(3.5);
  fftw_complex *whole = truth();
  for (int i = 0; i < 50; i++) transform(MPI_COMM_WORLD, whole, "a plan a transform: off by");
  fftw_complex *array = fftw_alloc_complex(ALL + 64);
  fftw_plan not_destroyed = fftw_mpi_plan_dft_3d(N0, N1, N2, array, array, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  make_many();
  outlive_communicator(whole);
  split(whole);
  question();
  thread(whole);
  fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
  fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
  fftw_mpi_cleanup();
  fftw_mpi_init();
  transform(MPI_COMM_WORLD, whole, "after a cleanup: off by");
  fftw_cleanup();
  MPI_Finalize();
  if (getenv("MFFT_DESTROY_LATE")) fftw_destroy_plan(not_destroyed); /* which FFTW itself does not allow */
  fftw_free(array);
  fftw_free(whole);
  return failures ? 1 : 0;
}
