/* both.c: a program written for PFFT that calls FFTW-MPI too, as t954 runs it: linked with shared libraries of both.
 *
 *     both run       transforms by either library and compares what they give, on a mesh of P x 1
 *     both refuse    requests what mergefft refuses, and goes on as a program does that checks what it gets
 *     both ghosts    requests ghost cells that cannot be, and exchanges them though it got no plan */
#include <math.h>
#include <pfft.h>
#include <stdio.h>
#include <string.h>

static int rank, ranks, failures;
static const ptrdiff_t n[3] = {12, 10, 8};

static void expect(int right, const char *words) {
  if (!right) printf("rank %d of %d: %s\n", rank, ranks, words);
  failures += !right;
}

static void run(MPI_Comm mesh) {
  ptrdiff_t ni[3], is[3], no[3], os[3], planes, start;
  const ptrdiff_t all = pfft_local_size_dft_r2c_3d(n, mesh, PFFT_PADDED_R2C, ni, is, no, os);
  const ptrdiff_t theirs = fftw_mpi_local_size_3d(n[0], n[1], n[2] / 2 + 1, MPI_COMM_WORLD, &planes, &start);
  double *in = pfft_alloc_real((size_t)(2 * (all > theirs ? all : theirs)));
  pfft_complex *a = pfft_alloc_complex((size_t)all), *b = pfft_alloc_complex((size_t)theirs);
  pfft_plan p = pfft_plan_dft_r2c_3d(n, in, a, mesh, PFFT_FORWARD, PFFT_PADDED_R2C | PFFT_ESTIMATE);
  fftw_plan q = fftw_mpi_plan_dft_r2c_3d(n[0], n[1], n[2], in, b, MPI_COMM_WORLD, FFTW_ESTIMATE);
  expect(p && q, "a plan is missing");
  if (!p || !q) return;
  for (ptrdiff_t i = 0; i < 2 * all; i++) in[i] = sin(0.1 * (double)(i + is[0] * n[1] * 10));
  for (int again = 0; again < 3; again++) pfft_execute(p);
  fftw_execute(q);
  double sum = 0;
  for (ptrdiff_t i = 0; i < no[0] * no[1] * no[2]; i++) sum += hypot(a[i][0] - b[i][0], a[i][1] - b[i][1]);
  expect(sum < 1e-10, "PFFT's and FFTW's interfaces give different results");
  pfft_print_average_timer(p, mesh);
  pfft_timer timer = pfft_get_timer(p);
  expect(timer && timer->iter == 3 && timer->whole > 0, "the timer counts no executes");
  pfft_destroy_timer(timer);
  pfft_destroy_plan(p);
  fftw_destroy_plan(q);
  pfft_free(in), pfft_free(a), pfft_free(b);
}

static void refuse(MPI_Comm mesh) {
  const ptrdiff_t four[4] = {4, 4, 4, 4}, more[3] = {16, 10, 8}, small[2] = {1, 1}, odd[3] = {5, 6, 8};
  const int skip[3] = {0, 1, 0};
  const pfft_r2r_kind kinds[3] = {PFFT_R2HC, PFFT_REDFT10, PFFT_DHT};
  pfft_complex data[8];
  double *reals = &data[0][0];
  const unsigned e = PFFT_ESTIMATE;
  expect(!pfft_plan_many_dft(4, four, four, four, 1, NULL, NULL, data, data, mesh, -1,
                             e | PFFT_TRANSPOSED_OUT | PFFT_TRANSPOSED_IN),
         "four axes");
  expect(!pfft_plan_many_dft(4, four, four, four, 2, NULL, NULL, data, data, mesh, 1, e), "tuples");
  expect(!pfft_plan_many_dft(3, n, n, more, 1, NULL, NULL, data, data, mesh, -1, e), "a longer output");
  expect(ranks == 1 || !pfft_plan_many_dft(3, n, n, n, 1, small, NULL, data, data, mesh, -1, e),
         "blocks that are too small");
  expect(!pfft_plan_many_dft_skipped(3, n, n, n, 1, NULL, NULL, skip, data, data, mesh, -1, e), "an axis left out");
  expect(!pfft_plan_dft_r2c_3d(n, reals, data, mesh, -1, e | PFFT_TRANSPOSED_IN), "reals in transposed order");
  expect(!pfft_plan_dft_c2r_3d(n, data, reals, mesh, 1, e | PFFT_TRANSPOSED_OUT), "reals in transposed order");
  expect(!pfft_plan_dft_r2c_3d(odd, reals, data, mesh, -1, e | PFFT_SHIFTED_OUT), "an odd length, shifted");
  expect(!pfft_plan_r2r_3d(n, reals, reals, mesh, kinds, e), "a Hartley transform");
  pfft_execute(NULL);
  pfft_destroy_plan(NULL);
  pfft_execute((pfft_plan)data); /* no plan, and not read as one */
}

static void ghosts(MPI_Comm mesh) {
  const ptrdiff_t local[3] = {4, 5, 6}, start[3] = {0, 5, 6}, below[3] = {1, 0, 0}, above[3] = {2, 1, 0};
  const ptrdiff_t negative[3] = {-1, 0, 0};
  ptrdiff_t with[3], from[3];
  double data[1];
  expect(pfft_local_size_gc_3d(local, start, below, above, with, from) == 7 * 6 * 6 && from[0] == -1 && with[0] == 7,
         "the size with ghost cells");
  expect(!pfft_plan_rgc_3d(n, NULL, NULL, data, mesh, 0), "a plan of no ghost cells");
  pfft_exchange(NULL); /* nothing to exchange */
  expect(!pfft_plan_rgc_3d(n, negative, above, data, mesh, 0), "a plan of fewer than no ghost cells");
  printf("goes on\n");
  fflush(stdout);
  pfft_exchange(NULL);
  printf("not reached\n");
}

int main(int argc, char **argv) {
  MPI_Comm mesh;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pfft_init();
  if (pfft_create_procmesh_2d(MPI_COMM_WORLD, ranks, 1, &mesh)) return 1;
  if (argc > 1 && !strcmp(argv[1], "refuse"))
    refuse(mesh);
  else if (argc > 1 && !strcmp(argv[1], "ghosts"))
    ghosts(mesh);
  else
    run(mesh);
  MPI_Comm_free(&mesh);
  pfft_cleanup();
  MPI_Finalize();
  return failures ? 1 : 0;
}
