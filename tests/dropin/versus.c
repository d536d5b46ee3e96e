/* versus.c: every kind of three-dimensional plan of FFTW-MPI's interface by mergefft and by FFTW-MPI itself, with the same
 * flags on the same arrays, in one process: executes alternate.
 *
 *   dropin-versus-double [N [seconds [estimate|measure [FILTER [wall|cpu]]]]]      of every case; FILTER: a part of its name
 *
 * A line a case: the least and the median seconds of both, each of the slowest rank, and FFTW's over mergefft's.  On a busy
 * machine the least times count, and those of the processor (cpu), which leave out most of the waiting for other processes.
 * The last line has the least ratio of the cases in natural order, and of all.  Plans are made under MFFT_FFTW=off and under
 * its value in the environment, cpu if it has none. */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef SINGLE
#define F(name) fftwf_##name
typedef float real;
#define PRECISION "single"
#else
#define F(name)   fftw_##name
typedef double real;
#define PRECISION "double"
#endif

enum { FORWARD, BACKWARD, REAL_TO_COMPLEX, COMPLEX_TO_REAL, R2R /* and those behind it */, KINDS = R2R + 8 };
static const char *const kind_names[KINDS] = {"c2c forward", "c2c backward", "r2c",         "c2r",
                                              "r2r REDFT10", "r2r RODFT10",  "r2r REDFT01", "r2r RODFT01",
                                              "r2r REDFT00", "r2r RODFT00",  "r2r REDFT11", "r2r RODFT11"};
static const F(r2r_kind) r2r_kinds[] = {FFTW_REDFT10, FFTW_RODFT10, FFTW_REDFT01, FFTW_RODFT01,
                                        FFTW_REDFT00, FFTW_RODFT00, FFTW_REDFT11, FFTW_RODFT11};
enum { FFTW, OURS, PEERS, MOST = 1000, LEAST = 5 };

static int rank;
static ptrdiff_t n;

typedef struct test_case {
  int kind, transposed, in_place;
} test_case;

typedef struct timing {
  double least, median;
} timing;

static F(plan) plan(const test_case *c, real *in, real *out, unsigned flags) {
  const int backward = c->kind == BACKWARD || c->kind == COMPLEX_TO_REAL;
  const F(r2r_kind) r2r = c->kind < R2R ? FFTW_R2HC : r2r_kinds[c->kind - R2R];
  if (c->transposed) flags |= backward ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
  if (c->in_place) out = in;
  switch (c->kind) {
    case FORWARD:
    case BACKWARD:
      return F(mpi_plan_dft_3d)(n, n, n, (F(complex) *)in, (F(complex) *)out, MPI_COMM_WORLD,
                                backward ? FFTW_BACKWARD : FFTW_FORWARD, flags);
    case REAL_TO_COMPLEX:
      return F(mpi_plan_dft_r2c_3d)(n, n, n, in, (F(complex) *)out, MPI_COMM_WORLD, flags);
    case COMPLEX_TO_REAL:
      return F(mpi_plan_dft_c2r_3d)(n, n, n, (F(complex) *)in, out, MPI_COMM_WORLD, flags);
    default:
      return F(mpi_plan_r2r_3d)(n, n, n, in, out, MPI_COMM_WORLD, r2r, r2r, r2r, flags);
  }
}

static int by_processor; /* 1: seconds are those of the processor */

static double now(void) {
  struct timespec t;
  clock_gettime(by_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double execute(F(plan) p) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = now();
  F(execute)(p);
  double seconds = now() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) * 2 - 1; }

static timing sum_up(double *seconds /* [count] */, int count) {
  qsort(seconds, (size_t)count, sizeof *seconds, ascending);
  return (timing){seconds[0], seconds[count / 2]};
}

/* Alternating executes, whose first is by either in turn, for so many seconds.  In place numbers grow by N^3 an execute, so
 * the input is made again before each. */
static void time_both(const F(plan) p[PEERS], real *in, size_t count, int in_place, double seconds, timing t[PEERS]) {
  static double samples[PEERS][MOST];
  int samples_count = 0, more = 1;
  const double begin = MPI_Wtime();
  for (int i = -1; more && i < MOST; i++) { /* the first is not counted */
    for (int k = 0; k < PEERS; k++) {
      const int which = (k + i) & 1;
      for (size_t j = 0; j < count && (in_place || i < 0); j++) in[j] = (real)(j % 17) - 8;
      const double took = execute(p[which]);
      if (i >= 0) samples[which][i] = took;
    }
    samples_count = i + 1;
    more = samples_count < LEAST || MPI_Wtime() - begin < seconds;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  for (int k = 0; k < PEERS; k++) t[k] = sum_up(samples[k], samples_count);
}

/* Whether FFTW itself made a plan: it prints an expression in parentheses, mergefft lines of text. */
static int is_by_fftw(const F(plan) p) {
  char *text = F(sprint_plan)(p);
  const int is = text && text[0] == '(';
  free(text);
  return is;
}

/* Whether each of both made its plan; then *least and *natural have the least ratios of least times so far. */
static int compare(const test_case *c, const char *ours, real *in, real *out, size_t count, unsigned flags, double seconds,
                   double *least, double *natural) {
  F(plan) p[PEERS];
  timing t[PEERS];
  for (int k = 0; k < PEERS; k++) {
    setenv("MFFT_FFTW", k == OURS ? ours : "off", 1);
    p[k] = plan(c, in, out, flags);
  }
  const int made = p[FFTW] && p[OURS] && is_by_fftw(p[FFTW]) && !is_by_fftw(p[OURS]);
  if (made) time_both(p, in, count, c->in_place, seconds, t);
  for (int k = 0; k < PEERS; k++)
    if (p[k]) F(destroy_plan)(p[k]);
  if (!made) return 0;
  const double ratio = t[FFTW].least / t[OURS].least;
  if (ratio < *least) *least = ratio;
  if (!c->transposed && ratio < *natural) *natural = ratio;
  if (rank == 0)
    printf(PRECISION " %-12s %-10s %-12s  FFTW %8.2f %8.2f  mergefft %8.2f %8.2f ms  ratio %.2f %.2f\n", kind_names[c->kind],
           c->transposed ? "transposed" : "natural", c->in_place ? "in place" : "out of place", 1e3 * t[FFTW].least,
           1e3 * t[FFTW].median, 1e3 * t[OURS].least, 1e3 * t[OURS].median, ratio, t[FFTW].median / t[OURS].median);
  fflush(stdout);
  return 1;
}

int main(int argc, char **argv) {
  const char *where = getenv("MFFT_FFTW"), *filter = argc > 4 ? argv[4] : "";
  char ours[8];
  double least = 1e9, natural = 1e9;
  int failed = 0, ranks;
  ptrdiff_t ignored[4];
  snprintf(ours, sizeof ours, "%s", where && *where ? where : "cpu");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  F(mpi_init)();
  n = argc > 1 ? atol(argv[1]) : 256;
  const double seconds = argc > 2 ? atof(argv[2]) : 2;
  by_processor = argc > 5 && !strcmp(argv[5], "cpu");
  const unsigned flags = argc > 3 && !strcmp(argv[3], "estimate") ? FFTW_ESTIMATE : FFTW_MEASURE;
  const size_t count = 2 * (size_t)F(mpi_local_size_3d_transposed)(n, n, n, MPI_COMM_WORLD, &ignored[0], &ignored[1],
                                                                   &ignored[2], &ignored[3]);
  real *in = F(alloc_real)(count), *out = F(alloc_real)(count);
  if (rank == 0) printf("%ld^3, %d ranks; least and median\n", (long)n, ranks);
  for (int kind = 0; kind < KINDS; kind++)
    for (int variant = 0; variant < 4; variant++) {
      const test_case c = {kind, variant & 1, variant >> 1};
      if (!strstr(kind_names[kind], filter)) continue;
      if (!compare(&c, ours, in, out, count, flags | FFTW_DESTROY_INPUT, seconds, &least, &natural)) failed = 1;
    }
  if (rank == 0) printf("least ratio: natural order %.2f, all %.2f%s\n", natural, least, failed ? "; PLANS FAILED" : "");
  F(free)(in);
  F(free)(out);
  MPI_Finalize();
  return failed;
}
