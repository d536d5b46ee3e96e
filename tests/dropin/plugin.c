/* plugin.c: a part of a program that is loaded at run time, with an FFTW of its own that precedes all others (host.c). */
#include <fftw3-mpi.h>
#include <math.h>

/* The largest error of a forward and a backward transform of a plane wave. */
__attribute__((visibility("default"))) double plugin_run(void);
double plugin_run(void) {
  ptrdiff_t planes, start;
  double worst = 0;
  fftw_mpi_init();
  const ptrdiff_t count = fftw_mpi_local_size_3d(8, 6, 5, MPI_COMM_WORLD, &planes, &start);
  fftw_complex *a = fftw_alloc_complex((size_t)count);
  fftw_plan forward = fftw_mpi_plan_dft_3d(8, 6, 5, a, a, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_plan backward = fftw_mpi_plan_dft_3d(8, 6, 5, a, a, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (ptrdiff_t i = 0; i < planes * 30; i++) a[i][0] = (double)(start * 30 + i), a[i][1] = 1;
  fftw_execute(forward);
  fftw_execute(backward);
  for (ptrdiff_t i = 0; i < planes * 30; i++)
    worst = fmax(worst, fmax(fabs(a[i][0] / 240 - (double)(start * 30 + i)), fabs(a[i][1] / 240 - 1)));
  fftw_destroy_plan(forward);
  fftw_destroy_plan(backward);
  fftw_free(a);
  return worst;
}
