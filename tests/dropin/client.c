/* client.c: a program written for FFTW-MPI, as t950 and t951 run it: linked with FFTW, or with mergefft's library before
 * it.
 *
 *     client write FILE     makes every kind of plan and writes the results of the transforms on each rank
 *     client compare FILE   does the same and compares with the file of another run on as many ranks
 *     client ... FILE STEP  makes every STEP-th kind of plan
 *
 * With compare it also checks what a caller relies on: nothing after the planes of a rank is written, an estimate reads
 * and writes no array, and an input that need not be preserved is the only one that changes.  Compiled in each precision. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(LONG_DOUBLE)
#define FFTW(name) fftwl_##name
typedef long double real;
static const double bound = 1e-18;
#elif defined(SINGLE)
#define FFTW(name) fftwf_##name
typedef float real;
static const double bound = 1e-7;
#else
#define FFTW(name) fftw_##name
typedef double real;
static const double bound = 1e-15;
#endif
typedef FFTW(complex) complex_t;

enum { C2C, R2C, C2R, R2R, MOVE }; /* MOVE: a transposition */
enum { OUT = FFTW_MPI_TRANSPOSED_OUT, IN = FFTW_MPI_TRANSPOSED_IN };

typedef struct test_case {
  int kind, rank;
  ptrdiff_t n[4], howmany; /* [rank] */
  int in_place, sign;
  unsigned flags;
  ptrdiff_t block; /* of both sides; 0: the default */
} test_case;

#define F FFTW_FORWARD
#define B FFTW_BACKWARD
#define E FFTW_ESTIMATE
static const test_case cases[] = {
    {C2C, 3, {12, 10, 7}, 1, 0, F, E, 0},
    {C2C, 3, {12, 10, 7}, 1, 1, B, E, 0},
    {C2C, 3, {7, 6, 9}, 1, 1, F, E | OUT, 0},
    {C2C, 3, {7, 6, 9}, 1, 0, B, E | IN, 0},
    {C2C, 3, {5, 11, 4}, 1, 0, F, E | IN | OUT, 0},
    {C2C, 3, {8, 12, 8}, 1, 1, F, FFTW_MEASURE | OUT, 0},
    {C2C, 3, {2, 3, 5}, 1, 0, F, E | FFTW_DESTROY_INPUT, 0},
    {C2C, 3, {17, 2, 16}, 1, 0, F, E | OUT, 0},
    {C2C, 2, {15, 9}, 1, 1, F, E, 0},
    {C2C, 2, {15, 9}, 1, 0, B, E | OUT, 0},
    {C2C, 2, {8, 13}, 3, 1, F, E | OUT, 0},
    {C2C, 3, {9, 5, 4}, 2, 0, F, E | OUT, 0},
    {C2C, 3, {9, 5, 4}, 2, 1, B, E, 0},
    {C2C, 3, {9, 5, 4}, 2, 0, B, E | IN, 0},
    {C2C, 4, {6, 5, 4, 3}, 1, 0, F, E, 0},
    {C2C, 4, {6, 5, 4, 3}, 2, 0, F, E, 0},
    {C2C, 3, {16, 6, 5}, 1, 0, F, E, 4},
    {C2C, 1, {64}, 1, 0, F, E, 0},
    {R2C, 3, {12, 10, 8}, 1, 1, F, E, 0},
    {C2R, 3, {12, 10, 8}, 1, 1, B, E, 0},
    {R2C, 3, {12, 10, 7}, 1, 1, F, E | OUT, 0},
    {C2R, 3, {12, 10, 7}, 1, 1, B, E | IN, 0},
    {R2C, 3, {29, 27, 31}, 1, 0, F, E, 0},
    {C2R, 3, {29, 27, 31}, 1, 0, B, E, 0},
    {R2C, 3, {9, 8, 6}, 1, 0, F, E | OUT | FFTW_DESTROY_INPUT, 0},
    {C2R, 3, {9, 8, 6}, 1, 0, B, E | IN | FFTW_DESTROY_INPUT, 0},
    {R2C, 3, {12, 14, 12}, 1, 1, F, FFTW_MEASURE, 0},
    {R2C, 3, {3, 2, 5}, 1, 1, F, E | OUT, 0},
    {R2C, 2, {14, 9}, 1, 0, F, E, 0},
    {C2R, 2, {14, 9}, 1, 1, B, E, 0},
    {R2C, 2, {14, 9}, 1, 0, F, E | OUT, 0},
    {C2R, 2, {14, 9}, 1, 0, B, E | IN, 0},
    {R2C, 3, {10, 6, 5}, 3, 1, F, E, 0},
    {C2R, 3, {10, 6, 5}, 3, 0, B, E | IN, 0},
    {R2C, 4, {6, 5, 4, 7}, 1, 0, F, E | OUT, 0},
    {C2R, 4, {6, 5, 4, 7}, 1, 1, B, E, 0},
    {R2C, 3, {16, 6, 5}, 1, 0, F, E, 3},
    {R2R, 2, {8, 9}, 1, 0, F, E, 0},
    {R2R, 2, {8, 9}, 3, 1, F, E | OUT, 0},
    {R2R, 3, {12, 10, 7}, 1, 0, F, E, 0},
    {R2R, 3, {12, 10, 7}, 1, 1, F, E | OUT, 0},
    {R2R, 3, {7, 6, 9}, 1, 0, F, E | IN, 0},
    {R2R, 3, {7, 6, 9}, 1, 1, F, FFTW_MEASURE, 0},
    {R2R, 3, {9, 5, 4}, 2, 0, F, E | OUT, 0},
    {R2R, 4, {6, 5, 4, 3}, 1, 1, F, E, 0},
    {R2R, 3, {16, 6, 5}, 1, 0, F, E, 4},
    {R2R, 2, {8, 9}, 1, 0, B, E, 0}, /* halfcomplex */
    {MOVE, 2, {7, 12}, 2, 0, F, E, 0},
};

static int rank, ranks, failures;
static FILE *file;
static int comparing;

static void fail(const char *name, const char *words, double value) {
  printf("rank %d of %d: %s: %s %.3g\n", rank, ranks, name, words, value);
  failures++;
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------------- */

typedef struct side {
  ptrdiff_t planes, start, count; /* planes of this rank; reals that it holds, padding included */
  ptrdiff_t row, used;            /* length of a row in reals, and the part of it that is data */
  real *data;                     /* [alloc + guard] */
} side;

enum { GUARD = 64 };
static const real untouched = 12345;

static double noise(uint64_t i) {
  i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  i = (i ^ (i >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
  return (double)(i >> 40) / (1 << 24) - 0.5;
}

static ptrdiff_t inner(const test_case *c, int transposed) {
  ptrdiff_t count = c->howmany;
  for (int a = 0; a < c->rank; a++) {
    const int halved = (c->kind == R2C || c->kind == C2R) && a == c->rank - 1;
    if (a != transposed) count *= halved ? c->n[a] / 2 + 1 : c->n[a];
  }
  return count;
}

/* Asks FFTW for the local sizes.  Returns the reals to allocate for either array. */
static ptrdiff_t lay_out(const test_case *c, side s[2]) {
  const int real_kind = c->kind == R2R || c->kind == MOVE, halved = c->kind == R2C || c->kind == C2R;
  const int transposed[2] = {c->kind != MOVE && c->flags & IN, c->kind == MOVE || c->flags & OUT};
  ptrdiff_t n[4], total, planes[2], start[2]; /* [axis] */
  memcpy(n, c->n, sizeof n);
  if (halved) n[c->rank - 1] = n[c->rank - 1] / 2 + 1;
  if (c->rank == 1) {
    total = FFTW(mpi_local_size_1d)(n[0], MPI_COMM_WORLD, c->sign, c->flags, &s[0].planes, &s[0].start, &s[1].planes,
                                    &s[1].start);
  } else {
    total = FFTW(mpi_local_size_many_transposed)(c->rank, n, c->howmany, c->block, c->block, MPI_COMM_WORLD, &planes[0],
                                                 &start[0], &planes[1], &start[1]);
    for (int i = 0; i < 2; i++) s[i].planes = planes[!!transposed[i]], s[i].start = start[!!transposed[i]];
  }
  for (int i = 0; i < 2; i++) {
    const int last_cut = halved && c->rank == 2 && transposed[i];
    s[i].count = s[i].planes * inner(c, !!transposed[i]) * (real_kind ? 1 : 2);
    s[i].row = s[i].used = last_cut ? 1 : 2 * n[c->rank - 1] * c->howmany;
    if ((c->kind == R2C && i == 0) || (c->kind == C2R && i == 1)) s[i].used = c->n[c->rank - 1] * c->howmany;
  }
  return total * 2;
}

static void fill(const side *s, ptrdiff_t all, uint64_t seed) {
  for (ptrdiff_t i = 0; i < all + GUARD; i++) s->data[i] = untouched;
  for (ptrdiff_t i = 0; i < s->count; i++)
    if (i % s->row < s->used) s->data[i] = (real)noise(seed + (uint64_t)(s->start * 7919 + i));
}

/* ---- Plans ----------------------------------------------------------------------------------------------------------- */

/* The results that others are compared with do not depend on FFTW's search for the fastest algorithm, which takes long. */
static FFTW(plan) make(const test_case *c, void *in, void *out) {
  const ptrdiff_t *n = c->n;
  const MPI_Comm comm = MPI_COMM_WORLD;
  const unsigned flags = comparing ? c->flags : c->flags | E;
  static const FFTW(r2r_kind) trigonometric[4] = {FFTW_REDFT10, FFTW_RODFT01, FFTW_REDFT00, FFTW_RODFT11};
  static const FFTW(r2r_kind) half[2] = {FFTW_R2HC, FFTW_REDFT10};
  const FFTW(r2r_kind) *kinds = c->sign == F ? trigonometric : half;
  const int simple = c->howmany == 1 && !c->block;
  if (c->kind == MOVE)
    return FFTW(mpi_plan_many_transpose)(n[0], n[1], c->howmany, c->block, c->block, in, out, comm, flags);
  if (c->kind == R2R && simple && c->rank == 3)
    return FFTW(mpi_plan_r2r_3d)(n[0], n[1], n[2], in, out, comm, kinds[0], kinds[1], kinds[2], flags);
  if (c->kind == R2R && simple) return FFTW(mpi_plan_r2r)(c->rank, n, in, out, comm, kinds, flags);
  if (c->kind == R2R)
    return FFTW(mpi_plan_many_r2r)(c->rank, n, c->howmany, c->block, c->block, in, out, comm, kinds, flags);
  if (c->kind == C2C && simple && c->rank == 3)
    return FFTW(mpi_plan_dft_3d)(n[0], n[1], n[2], in, out, comm, c->sign, flags);
  if (c->kind == R2C && simple && c->rank == 3) return FFTW(mpi_plan_dft_r2c_3d)(n[0], n[1], n[2], in, out, comm, flags);
  if (c->kind == C2R && simple && c->rank == 3) return FFTW(mpi_plan_dft_c2r_3d)(n[0], n[1], n[2], in, out, comm, flags);
  if (c->kind == C2C)
    return FFTW(mpi_plan_many_dft)(c->rank, n, c->howmany, c->block, c->block, in, out, comm, c->sign, flags);
  return (c->kind == R2C ? (FFTW(plan)(*)(int, const ptrdiff_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, void *, void *, MPI_Comm,
                                          unsigned))FFTW(mpi_plan_many_dft_r2c)
                         : (FFTW(plan)(*)(int, const ptrdiff_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, void *, void *, MPI_Comm,
                                          unsigned))FFTW(mpi_plan_many_dft_c2r))(c->rank, n, c->howmany, c->block, c->block,
                                                                                 in, out, comm, flags);
}

/* Executes by one of the calls that programs use: of the plan, with new arrays, and of plans of one process. */
static void execute(const test_case *c, FFTW(plan) p, void *in, void *out, int name) {
  if (name == 0 || c->kind == MOVE)
    FFTW(execute)(p);
  else if (c->kind == R2R)
    (name == 1 || !c->in_place ? FFTW(mpi_execute_r2r) : FFTW(execute_r2r))(p, in, out);
  else if (c->kind == C2C)
    FFTW(mpi_execute_dft)(p, in, out);
  else if (c->kind == R2C)
    (name == 1 || !c->in_place ? FFTW(mpi_execute_dft_r2c) : FFTW(execute_dft_r2c))(p, in, out);
  else
    (name == 1 || !c->in_place ? FFTW(mpi_execute_dft_c2r) : FFTW(execute_dft_c2r))(p, in, out);
}

/* ---- Results --------------------------------------------------------------------------------------------------------- */

static void check_guard(const char *name, const side *s, ptrdiff_t bounds, ptrdiff_t all) {
  for (ptrdiff_t i = bounds; comparing && i < all + GUARD; i++)
    if (s->data[i] != untouched) {
      fail(name, "wrote after the rank's planes, at", (double)(i - bounds));
      return;
    }
}

/* Writes the results of this rank, or compares them with the file. */
static void settle(const test_case *c, const char *name, const side *s) {
  double sum[2] = {0, 0}, points = 1;
  real *then = malloc((size_t)(s->count + 1) * sizeof *then);
  if (!comparing) {
    fwrite(s->data, sizeof(real), (size_t)s->count, file);
  } else if (fread(then, sizeof(real), (size_t)s->count, file) != (size_t)s->count) {
    fail(name, "no results to compare with:", (double)s->count);
  } else {
    for (ptrdiff_t i = 0; i < s->count; i++) {
      if (i % s->row >= s->used) continue;
      const double off = (double)((long double)s->data[i] - then[i]);
      sum[0] += off * off;
      sum[1] += (double)then[i] * (double)then[i];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int a = 0; a < c->rank; a++) points *= (double)c->n[a];
  if (comparing && !(sqrt(sum[0] / sum[1]) <= bound * sqrt(fmax(1, log2(points)))))
    fail(name, "relative L2 difference", sqrt(sum[0] / sum[1]));
  free(then);
}

static void run(const test_case *c, int number) {
  char name[96];
  side s[2] = {{0}, {0}}; /* what the plan reads and writes */
  snprintf(name, sizeof name, "case %d (kind %d, %td x %td, flags %#x)", number, c->kind, c->n[0], c->n[1], c->flags);
  const ptrdiff_t all = lay_out(c, s), larger = s[0].count > s[1].count ? s[0].count : s[1].count;
  for (int i = 0; i < 2; i++) s[i].data = i && c->in_place ? s[0].data : FFTW(alloc_real)((size_t)(all + GUARD));
  real *before = malloc((size_t)(all + GUARD) * sizeof *before);
  fill(&s[0], all, (uint64_t)number);
  if (!c->in_place)
    for (ptrdiff_t i = 0; i < all + GUARD; i++) s[1].data[i] = untouched;
  memcpy(before, s[0].data, (size_t)(all + GUARD) * sizeof *before);
  const int without = c->in_place && number % 4 == 2 && c->flags & E; /* arrays come with the execute */
  FFTW(plan) p = make(c, without ? NULL : s[0].data, without ? NULL : s[1].data);
  if (!p) {
    fail(name, "no plan", 0);
    return;
  }
  if (c->flags & E && memcmp(before, s[0].data, (size_t)(all + GUARD) * sizeof *before))
    fail(name, "an estimate wrote to the array", 0);
  fill(&s[0], all, (uint64_t)number);
  execute(c, p, s[0].data, s[1].data, without ? 1 + number % 3 / 2 : number % 3);
  const int preserved =
      !c->in_place && !(c->flags & FFTW_DESTROY_INPUT) && c->kind != C2R && !(c->kind == R2R && !comparing);
  if (preserved && memcmp(before, s[0].data, (size_t)(all + GUARD) * sizeof *before)) fail(name, "the input changed", 0);
  settle(c, name, &s[1]);
  const int half = c->kind == R2R && c->sign == B;
  const int mine = c->kind <= R2R && !half && c->rank > 1; /* FFTW itself uses as much as local_size returns */
  if (mine && !(c->rank == 4 && c->howmany > 1)) {
    check_guard(name, &s[0], c->in_place ? larger : s[0].count, all);
    check_guard(name, &s[1], c->in_place ? larger : s[1].count, all);
  }
  FFTW(destroy_plan)(p);
  free(before);
  FFTW(free)(s[0].data);
  if (!c->in_place) FFTW(free)(s[1].data);
}

int main(int argc, char **argv) {
  char path[4096];
  int provided;
  if (argc < 3) return 2;
  const size_t step = argc > 3 ? (size_t)atoi(argv[3]) : 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  FFTW(init_threads)();
  FFTW(mpi_init)();
  comparing = !strcmp(argv[1], "compare");
  snprintf(path, sizeof path, "%s.%d", argv[2], rank);
  file = fopen(path, comparing ? "rb" : "wb");
  if (!file) return perror(path), 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i += step)
    if (!cases[i].block || cases[i].block * ranks >= cases[i].n[0]) run(&cases[i], (int)i);
  FFTW(plan_with_nthreads)(2);
  for (size_t i = 0; step == 1 && i < sizeof cases / sizeof *cases; i += 5)
    if (!cases[i].block || cases[i].block * ranks >= cases[i].n[0]) run(&cases[i], (int)i);
  fclose(file);
  FFTW(mpi_cleanup)();
  MPI_Finalize();
  return failures ? 1 : 0;
}
