/* overhead.c: what an execute by FFTW's interface takes beyond mfft_execute of the same plan: both in one process, in pairs,
 * on the same arrays.
 *
 *   dropin-overhead [N [pairs]]      complex N^3, out of place, natural order
 *
 * One line: the median seconds of both, and the median of the ratios of the pairs, whose sequence alternates.  Exit status 1
 * if the results differ in a bit. */
#include <fftw3-mpi.h>
#include <mfft_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, WARM_UP = 3 };
static int rank;

static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) * 2 - 1; }

static double median(double *values /* [count] */, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return values[count / 2];
}

static void expect(mfft_status status) {
  if (status == MFFT_SUCCESS) return;
  fprintf(stderr, "rank %d: %s\n", rank, mfft_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The plan that the interface makes: FFTW's blocks on both sides. */
static mfft_plan own_plan(ptrdiff_t n, ptrdiff_t planes, ptrdiff_t first) {
  const mfft_box box = {{first, 0, 0}, {first + planes, n, n}, {0, 1, 2}};
  mfft_desc desc;
  mfft_options options;
  mfft_plan plan;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  for (int a = 0; a < 3; a++) desc.n[a] = n;
  desc.in_box = desc.out_box = &box;
  options.backend = "fftw";
  options.effort = MFFT_ESTIMATE;
  expect(mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, &options, &plan));
  return plan;
}

/* Seconds of one execute, of the slowest rank. */
static double time_one(fftw_plan theirs, mfft_plan ours, void *in, void *out) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (theirs)
    fftw_execute(theirs);
  else
    expect(mfft_execute(ours, MFFT_FORWARD, in, out));
  double seconds = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

int main(int argc, char **argv) {
  static double interface[MOST], native[MOST], ratio[MOST];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fftw_mpi_init();
  const ptrdiff_t n = argc > 1 ? atol(argv[1]) : 64;
  const int asked = argc > 2 ? atoi(argv[2]) : 200, pairs = asked < 1 ? 1 : asked > MOST ? MOST : asked;
  ptrdiff_t planes, first;
  const size_t count = (size_t)fftw_mpi_local_size_3d(n, n, n, MPI_COMM_WORLD, &planes, &first);
  const size_t bytes = (size_t)(planes * n * n) * sizeof(fftw_complex);
  fftw_complex *in = fftw_alloc_complex(count), *out = fftw_alloc_complex(count), *wanted = fftw_alloc_complex(count);
  for (size_t i = 0; i < (size_t)(planes * n * n); i++) in[i][0] = (double)(i % 17) - 8, in[i][1] = (double)(i % 5);
  fftw_plan theirs = fftw_mpi_plan_dft_3d(n, n, n, in, out, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  mfft_plan ours = own_plan(n, planes, first);
  time_one(NULL, ours, in, wanted);
  time_one(theirs, NULL, in, out);
  int differs = memcmp(out, wanted, bytes) != 0;
  MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = -WARM_UP; i < pairs; i++) {
    double seconds[2]; /* of the interface, of the plan */
    for (int k = 0; k < 2; k++) {
      const int which = (k + i) & 1;
      seconds[which] = time_one(which ? NULL : theirs, ours, in, out);
    }
    if (i < 0) continue;
    interface[i] = seconds[0], native[i] = seconds[1], ratio[i] = seconds[0] / seconds[1];
  }
  if (rank == 0)
    printf("c2c %ld^3: interface %.3f ms, plan %.3f ms, median ratio %.4f of %d pairs%s\n", (long)n,
           1e3 * median(interface, pairs), 1e3 * median(native, pairs), median(ratio, pairs), pairs,
           differs ? ", results DIFFER" : "");
  mfft_plan_destroy(ours);
  fftw_destroy_plan(theirs);
  fftw_free(in), fftw_free(out), fftw_free(wanted);
  MPI_Finalize();
  return differs;
}
