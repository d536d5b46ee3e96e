/* host_bench.c: a program written for FFTW-MPI, with arrays of FFTW's memory functions on the host: how long an execute
 * takes beside the copies of its arrays to and from a GPU, one after the other.
 *
 *   dropin-host-bench-single [N [repetitions [c2c] [measure]]]      real N^3, out of place, transposed; or complex
 *
 * Under MFFT_FFTW=gpu; each rank copies its own part, all of them at the same time.  One line: seconds of both copies, of an
 * execute (medians, of the slowest rank), and the share of the bound that the execute reaches.  Under MFFT_FFTW=cpu, off and
 * auto the execute alone is timed.  The plan is made with FFTW_ESTIMATE, or FFTW_MEASURE.  The spectrum is checked first: of
 * a plane wave it has one mode. */
#include <fftw3-mpi.h>
#include <math.h>
#include <mfft_memory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINGLE
#define F(name) fftwf_##name
typedef float real;
static const double accuracy = 1e-5;
#else
#define F(name) fftw_##name
typedef double real;
static const double accuracy = 1e-12;
#endif

enum { MOST = 64 };
static int rank;
static ptrdiff_t n, nx, x0, ny, y0, columns;

static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) * 2 - 1; }

/* The median of the slowest rank's seconds. */
static double median(double *seconds /* [count] */, int count) {
  MPI_Allreduce(MPI_IN_PLACE, seconds, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  qsort(seconds, (size_t)count, sizeof *seconds, ascending);
  return seconds[count / 2];
}

/* Seconds of copying both arrays, the input up and the output down. */
static double time_copies(const void *in, size_t in_bytes, void *out, size_t out_bytes, int count) {
  double seconds[MOST];
  void *device = NULL;
  if (mfft_memory_alloc("cuda", in_bytes > out_bytes ? in_bytes : out_bytes, &device)) {
    fprintf(stderr, "rank %d: %s\n", rank, mfft_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (int i = -1; i < count; i++) { /* the first is not counted */
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    if (mfft_memory_upload("cuda", device, in, in_bytes) || mfft_memory_download("cuda", out, device, out_bytes))
      MPI_Abort(MPI_COMM_WORLD, 1);
    if (i >= 0) seconds[i] = MPI_Wtime() - begin;
  }
  mfft_memory_free("cuda", device);
  return median(seconds, count);
}

static double time_executes(F(plan) plan, int count) {
  double seconds[MOST];
  for (int i = -1; i < count; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    F(execute)(plan);
    if (i >= 0) seconds[i] = MPI_Wtime() - begin;
  }
  return median(seconds, count);
}

/* The wave exp(i 2 pi (3x + 5y) / n), or its real part. */
static void fill(real *in, int complex_input) {
  for (ptrdiff_t x = 0; x < nx; x++)
    for (ptrdiff_t y = 0; y < n; y++) {
      const double angle = 6.283185307179586 * (double)((3 * (x + x0) + 5 * y) % n) / (double)n;
      const real cosine = (real)cos(angle), sine = (real)sin(angle);
      real *row = in + (x * n + y) * 2 * columns;
      for (ptrdiff_t z = 0; z < n; z++) {
        row[complex_input ? 2 * z : z] = cosine;
        if (complex_input) row[2 * z + 1] = sine;
      }
    }
}

/* The number of modes of a plane wave that differ from what they are. */
static long wrong_modes(F(complex) * out, int complex_input) {
  const double points = (double)n * (double)n * (double)n;
  long wrong = 0;
  for (ptrdiff_t y = 0; y < ny; y++)
    for (ptrdiff_t x = 0; x < n; x++)
      for (ptrdiff_t z = 0; z < columns; z++) {
        const int mode = z == 0 && x == 3 % n && y + y0 == 5 % n, mirror = z == 0 && x == n - 3 && y + y0 == n - 5;
        const double wanted = complex_input ? mode : 0.5 * (mode + mirror);
        const real *value = out[(y * n + x) * columns + z];
        wrong += !(hypot(value[0] / points - wanted, value[1] / points) < accuracy);
      }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return wrong;
}

/* Whether a word is among the arguments. */
static int has(int argc, char **argv, const char *word) {
  int found = 0;
  for (int i = 3; i < argc; i++) found |= !strcmp(argv[i], word);
  return found;
}

int main(int argc, char **argv) {
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  F(mpi_init)();
  n = argc > 1 ? atol(argv[1]) : 512;
  const int count = argc > 2 && atoi(argv[2]) > 0 && atoi(argv[2]) <= MOST ? atoi(argv[2]) : 9;
  const int complex_input = has(argc, argv, "c2c"), measure = has(argc, argv, "measure");
  const char *where = getenv("MFFT_FFTW");
  const int on_gpu = where && !strcmp(where, "gpu");
  if (n < 11) return fprintf(stderr, "N is %ld; the waves need 11 or more\n", (long)n), 1;
  columns = complex_input ? n : n / 2 + 1;
  const ptrdiff_t all = F(mpi_local_size_3d_transposed)(n, n, columns, MPI_COMM_WORLD, &nx, &x0, &ny, &y0);
  real *in = F(alloc_real)(2 * (size_t)all);
  F(complex) *out = F(alloc_complex)((size_t)all);
  const unsigned flags = (measure ? FFTW_MEASURE : FFTW_ESTIMATE) | FFTW_MPI_TRANSPOSED_OUT;
  F(plan)
  plan = complex_input ? F(mpi_plan_dft_3d)(n, n, n, (F(complex) *)in, out, MPI_COMM_WORLD, FFTW_FORWARD, flags)
                       : F(mpi_plan_dft_r2c_3d)(n, n, n, in, out, MPI_COMM_WORLD, flags);
  if (!plan) return fprintf(stderr, "no plan\n"), 1;
  fill(in, complex_input);
  memset(out, 0, (size_t)all * sizeof *out);
  F(execute)(plan);
  const long wrong = wrong_modes(out, complex_input);
  const size_t in_bytes = (size_t)(nx * n * columns) * sizeof *out, out_bytes = (size_t)(ny * n * columns) * sizeof *out;
  const double execute_s = time_executes(plan, count);
  const double copies_s = on_gpu ? time_copies(in, in_bytes, out, out_bytes, count) : 0;
  if (rank == 0) {
    printf("%s %ld^3, %d-byte reals, %d rank%s: execute %.3f ms", complex_input ? "c2c" : "r2c", (long)n, (int)sizeof(real),
           ranks, ranks == 1 ? "" : "s", 1e3 * execute_s);
    if (on_gpu)
      printf(", copies %.3f ms (%.1f GB/s of a rank), %.3f of the bound", 1e3 * copies_s,
             1e-9 * (double)(in_bytes + out_bytes) / copies_s, copies_s / execute_s);
    printf("%s\n", wrong ? ", WRONG" : "");
  }
  F(destroy_plan)(plan);
  F(free)(in);
  F(free)(out);
  MPI_Finalize();
  return wrong != 0;
}
