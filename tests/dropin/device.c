/* device.c: a program written for FFTW-MPI and PFFT that has some arrays in the memory of a GPU, as t957 runs it, linked
 * with mergefft's libraries: pairs of arrays on the host and on the GPU, each on either side, give the same results. */
#include <fftw3-mpi.h>
#include <math.h>
#include <mfft_memory.h>
#include <pfft.h>
#include <stdio.h>
#include <string.h>

enum { N0 = 12, N1 = 10, N2 = 6 };
static int rank, ranks, failures;

static void expect(int right, const char *words) {
  if (!right) printf("rank %d: %s\n", rank, words);
  failures += !right;
}

/* An array of the host, or a copy of it on the GPU, which is freed by drop. */
static fftw_complex *place(int device, fftw_complex *host, size_t bytes) {
  void *array = host;
  if (device && (mfft_memory_alloc("cuda", bytes, &array) || mfft_memory_upload("cuda", array, host, bytes))) return NULL;
  return array;
}

static void drop(int device, fftw_complex *host, fftw_complex *array, size_t bytes) {
  if (!device) return;
  expect(mfft_memory_download("cuda", host, array, bytes) == MFFT_SUCCESS, "no copy from the GPU");
  mfft_memory_free("cuda", array);
}

static void fill(fftw_complex *a, ptrdiff_t first, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) a[i][0] = sin(0.3 * (double)(first + i)), a[i][1] = cos(1.7 * (double)(first + i));
}

/* A transform and its inverse, with each array in either memory; in place if both are one. */
static void run(int in_device, int out_device, int in_place) {
  ptrdiff_t planes, start;
  const ptrdiff_t all = fftw_mpi_local_size_3d(N0, N1, N2, MPI_COMM_WORLD, &planes, &start), count = planes * N1 * N2;
  const size_t bytes = (size_t)all * sizeof(fftw_complex);
  fftw_complex *in = fftw_alloc_complex((size_t)all), *out = fftw_alloc_complex((size_t)all);
  fftw_complex *before = fftw_alloc_complex((size_t)all);
  fill(in, start * N1 * N2, count);
  memcpy(before, in, (size_t)count * sizeof *in);
  memset(out, 0, bytes);
  fftw_complex *a = place(in_device, in, bytes), *b = in_place ? a : place(out_device, out, bytes);
  fftw_plan p = fftw_mpi_plan_dft_3d(N0, N1, N2, a, b, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_plan q = fftw_mpi_plan_dft_3d(N0, N1, N2, b, a, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
  expect(p && q, "no plan");
  if (p && q) {
    fftw_execute(p);
    fftw_execute(q);
  }
  drop(in_device, in, a, bytes);
  if (!in_place) drop(out_device, out, b, bytes);
  double worst = 0;
  for (ptrdiff_t i = 0; i < count; i++)
    for (int part = 0; part < 2; part++) worst = fmax(worst, fabs(in[i][part] / (N0 * N1 * N2) - before[i][part]));
  expect(worst < 1e-14, "a transform and its inverse are not the identity");
  /* The sum of all numbers is element 0 of the spectrum. */
  double sum[2] = {0, 0};
  for (ptrdiff_t i = 0; i < count; i++) sum[0] += before[i][0], sum[1] += before[i][1];
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (!in_place && rank == 0)
    expect(fabs(out[0][0] - sum[0]) < 1e-11 && fabs(out[0][1] - sum[1]) < 1e-11, "a transform is not the sum at 0");
  fftw_destroy_plan(p);
  fftw_destroy_plan(q);
  fftw_free(in), fftw_free(out), fftw_free(before);
}

/* Memory of both libraries' functions is page-locked beyond 64 KiB, and each frees that of the other. */
static void check_memory(void) {
  enum { COUNT = 1 << 16 };
  double *a = fftw_alloc_real(COUNT);
  pfft_complex *b = pfft_alloc_complex(COUNT);
  expect(a && b, "no memory");
  memset(a, 1, COUNT * sizeof *a);
  memset(b, 1, COUNT * sizeof *b);
  pfft_free(a);
  fftw_free(b);
  fftw_free(NULL);
}

/* Transforms that only the host computes are refused for arrays of the GPU. */
static void check_refusal(void) {
  const ptrdiff_t n[3] = {N0, N1, N2};
  void *array = NULL;
  MPI_Comm mesh;
  if (pfft_create_procmesh_1d(MPI_COMM_WORLD, ranks, &mesh)) return;
  expect(mfft_memory_alloc("cuda", N0 * N1 * N2 * sizeof(fftw_complex), &array) == MFFT_SUCCESS, "no memory of the GPU");
  expect(!pfft_plan_dft_3d(n, array, array, mesh, PFFT_FORWARD, PFFT_ESTIMATE | PFFT_SHIFTED_IN | PFFT_SHIFTED_OUT),
         "shifted indices of an array of the GPU");
  mfft_memory_free("cuda", array);
  MPI_Comm_free(&mesh);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  fftw_mpi_init();
  pfft_init();
  check_memory();
  for (int in = 0; in < 2; in++) {
    for (int out = 0; out < 2; out++) run(in, out, 0);
    run(in, in, 1);
  }
  check_refusal();
  fftw_mpi_cleanup();
  MPI_Finalize();
  return failures ? 1 : 0;
}
