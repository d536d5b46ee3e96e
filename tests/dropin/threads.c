/* A program that executes plans of one communicator in two threads, shares wisdom of which one rank has made a plan, and
 * limits the time of planning for one precision.  It prints a line where a result is not FFTW's. */
#include <fftw3-mpi.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 16, THREADS = 2, EXECUTES = 300, MOST = SIDE * SIDE * (SIDE + 2) };

typedef struct work {
  fftw_plan plan;
  fftw_complex *in, *out, *wanted; /* [count] */
  int count, wrong;
} work;

static void *execute(void *argument) {
  work *w = argument;
  for (int i = 0; i < EXECUTES; i++) {
    memset(w->out, 0, (size_t)w->count * sizeof *w->out);
    fftw_execute(w->plan);
    w->wrong += memcmp(w->out, w->wanted, (size_t)w->count * sizeof *w->out) != 0;
  }
  return NULL;
}

/* Plans of different shapes, so that they share workspace alone. */
static int execute_in_threads(void) {
  work works[THREADS];
  pthread_t thread[THREADS];
  int wrong = 0;
  for (int t = 0; t < THREADS; t++) {
    work *w = &works[t];
    *w = (work){.count = SIDE * SIDE * (SIDE + 2 * t)};
    w->in = fftw_alloc_complex(MOST), w->out = fftw_alloc_complex(MOST), w->wanted = fftw_alloc_complex(MOST);
    w->plan = fftw_mpi_plan_dft_3d(SIDE, SIDE, SIDE + 2 * t, w->in, w->out, MPI_COMM_SELF, FFTW_FORWARD,
                                   FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT);
    for (int i = 0; i < w->count; i++) w->in[i][0] = i * 7 % 11, w->in[i][1] = i * 5 % 13;
    fftw_execute(w->plan);
    memcpy(w->wanted, w->out, (size_t)w->count * sizeof *w->out);
  }
  for (int t = 0; t < THREADS; t++) pthread_create(&thread[t], NULL, execute, &works[t]);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL), wrong += works[t].wrong;
  for (int t = 0; t < THREADS; t++) {
    fftw_destroy_plan(works[t].plan);
    fftw_free(works[t].in), fftw_free(works[t].out), fftw_free(works[t].wanted);
  }
  return wrong;
}

/* Wisdom of a rank that has planned for itself, for ranks that have not; and what one run exports, the next one imports. */
static int share_wisdom(int rank) {
  fftw_complex *array = fftw_alloc_complex(64);
  fftw_plan plan = rank ? NULL : fftw_mpi_plan_dft_2d(8, 8, array, array, MPI_COMM_SELF, FFTW_FORWARD, FFTW_MEASURE);
  fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
  fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
  if (plan) fftw_destroy_plan(plan);
  fftw_free(array);
  return rank == 0 && !fftw_export_wisdom_to_filename("wisdom.txt");
}

int main(int argc, char **argv) {
  int provided, rank, failed = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fftw_mpi_init();
  if (argc > 1 && rank == 0) { /* the second run */
    failed = !fftw_import_wisdom_from_filename(argv[1]);
    if (failed) printf("wisdom of the first run was not imported\n");
  }
  const int wrong = execute_in_threads();
  if (wrong) printf("%d of %d executes in two threads were wrong\n", wrong, THREADS * EXECUTES);
  failed |= wrong || share_wisdom(rank);
  MPI_Finalize();
  return failed;
}
