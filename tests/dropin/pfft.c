/* pfft.c: a program written for PFFT, as t953 runs it.
 *
 * Makes plans of every kind on every mesh of as many processes as it has, transforms numbers that depend on the index alone,
 * and compares what each rank gets with FFTW's transform of the whole array, in double precision.  It also checks what a
 * caller relies on: blocks of PFFT's lengths, nothing written behind a rank's part, inputs preserved, estimates that touch
 * no array.  With an argument it prints each case.  Compiled in each precision; nothing in it is mergefft's. */
#include <math.h>
#include <pfft.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINGLE
#define PX(name) pfftf_##name
typedef float real;
static const double bound = 1e-7;
#else
#define PX(name) pfft_##name
typedef double real;
static const double bound = 1e-15;
#endif

#include "pfft_cases.h"

static const PX(r2r_kind) kinds[] = {PFFT_REDFT10, PFFT_RODFT01, PFFT_REDFT00, PFFT_RODFT11};

static int rank, ranks, failures, cases_run;

static void fail(const char *name, const char *words, double value) {
  printf("rank %d of %d: %s: %s %.3g\n", rank, ranks, name, words, value);
  failures++;
}

/* ---- The whole array ------------------------------------------------------------------------------------------------- */

static double noise(uint64_t i) {
  i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  i = (i ^ (i >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
  return (double)(real)((double)(i >> 40) / (1 << 24) - 0.5);
}

static ptrdiff_t points(const test_case *c) {
  ptrdiff_t count = 1;
  for (int a = 0; a < c->rank; a++) count *= c->n[a];
  return count;
}

/* The length of an array of the program as if the transform had it. */
static ptrdiff_t length(const test_case *c, int end, int axis) {
  return c->length[end][axis] ? c->length[end][axis] : c->n[axis];
}

static unsigned shifted(const test_case *c, int end) { return c->flags & (end ? PFFT_SHIFTED_OUT : PFFT_SHIFTED_IN); }

static int is_real(const test_case *c, int end) { return c->kind == R2R || c->kind == (end ? C2R : R2C); }

/* Whether an array of the program has the element of an index of the whole one; its spectra of reals have half of them. */
static int has(const test_case *c, int end, ptrdiff_t place) {
  int has = 1;
  for (int a = c->rank - 1; a >= 0; a--) {
    const int halved = a == c->rank - 1 && c->kind != C2C && !is_real(c, end);
    ptrdiff_t n = length(c, end, a), index = place % c->n[a];
    place /= c->n[a];
    const ptrdiff_t begin = shifted(c, end) ? n / 2
                            : halved        ? n / 2 - c->n[a] / 2
                                            : 0; /* halves are at the end, as PFFT's */
    if (halved) n = n / 2 + 1;
    has &= (index + begin + c->n[a]) % c->n[a] < n;
  }
  return has;
}

/* FFTW's transform of one process, of complex numbers. */
static void transform(const test_case *c, int sign, fftw_complex *data) {
  int n[MOST_AXES];
  const int h = (int)c->howmany;
  for (int a = 0; a < c->rank; a++) n[a] = (int)c->n[a];
  fftw_plan p = fftw_plan_many_dft(c->rank, n, h, data, NULL, h, 1, data, NULL, h, 1, sign, FFTW_ESTIMATE);
  fftw_execute(p);
  fftw_destroy_plan(p);
}

/* The reals of a spectrum of which some elements are zeros, so that no array of reals has it: what FFTW makes of half of
 * it. */
static void transform_half(const test_case *c, fftw_complex *in, fftw_complex *out) {
  const ptrdiff_t last = c->n[c->rank - 1], half = last / 2 + 1, rows = points(c) / last;
  const int begin = shifted(c, 0) ? (int)(last - last / 2) : 0; /* indices -n/2 .. 0 are the conjugates of 0 .. n/2 */
  fftw_complex *spectrum = fftw_alloc_complex((size_t)(rows * half));
  double *reals = fftw_alloc_real((size_t)points(c));
  int n[MOST_AXES];
  for (int a = 0; a < c->rank; a++) n[a] = (int)c->n[a];
  for (ptrdiff_t i = 0; i < points(c); i++)
    if (!has(c, 0, i)) in[i][0] = in[i][1] = 0;
  fftw_plan p = fftw_plan_dft_c2r(c->rank, n, spectrum, reals, FFTW_ESTIMATE);
  for (ptrdiff_t i = 0; i < rows * half; i++) {
    const ptrdiff_t from = i / half * last + (i % half + begin) % last;
    spectrum[i][0] = in[from][0], spectrum[i][1] = in[from][1];
  }
  fftw_execute(p);
  for (ptrdiff_t i = 0; i < points(c); i++) {
    out[i][0] = begin && i % last & 1 ? -reals[i] : reals[i];
    out[i][1] = 0;
  }
  fftw_destroy_plan(p);
  fftw_free(spectrum);
  fftw_free(reals);
}

/* Input and output as complex numbers, of spectra the whole. */
static void make_truth(const test_case *c, fftw_complex *in, fftw_complex *out) {
  const ptrdiff_t count = points(c) * c->howmany;
  for (ptrdiff_t i = 0; i < count; i++)
    in[i][0] = noise((uint64_t)(2 * i)), in[i][1] = c->kind == C2C ? noise((uint64_t)(2 * i + 1)) : 0;
  for (ptrdiff_t i = 0; i < count && c->kind != C2R; i++)
    if (!has(c, 0, i / c->howmany)) in[i][0] = in[i][1] = 0;
  memcpy(out, in, (size_t)count * sizeof *in);
  if (c->kind == R2R) {
    int n[MOST_AXES];
    fftw_r2r_kind k[MOST_AXES];
    for (int a = 0; a < c->rank; a++) n[a] = (int)c->n[a], k[a] = (fftw_r2r_kind)kinds[a];
    fftw_plan p = fftw_plan_many_r2r(c->rank, n, 1, &out[0][0], NULL, 2, 1, &out[0][0], NULL, 2, 1, k, FFTW_ESTIMATE);
    fftw_execute(p);
    fftw_destroy_plan(p);
  } else if (c->kind == C2R) { /* the input is the spectrum of the output */
    transform(c, -c->sign, in);
    for (ptrdiff_t i = 0; i < count; i++) /* as it is stored, so that rounding to it is no difference */
      in[i][0] = (real)(in[i][0] / (double)points(c)), in[i][1] = (real)(in[i][1] / (double)points(c));
    if (c->length[0][0]) transform_half(c, in, out);
  } else {
    transform(c, c->sign, out);
  }
}

/* ---- The part of a rank ---------------------------------------------------------------------------------------------- */

typedef struct side {
  ptrdiff_t n[MOST_AXES], start[MOST_AXES];
  int order[MOST_AXES]; /* axes in memory */
  ptrdiff_t count;      /* reals, padding included */
  int numbers;          /* reals of an element */
  real *data;
} side;

enum { GUARD = 64 };
static const real untouched = 12345;

static void arrange(const test_case *c, int end, side *s) {
  const int transposed = !!(c->flags & (end ? OUT : IN)), divided = c->dims == 3 && c->rank == 3 ? 2 : c->dims;
  s->numbers = is_real(c, end) ? 1 : 2;
  s->count = s->numbers * c->howmany;
  for (int a = 0; a < c->rank; a++) {
    s->order[a] = !transposed || a > divided ? a : a < divided ? a + 1 : 0;
    s->count *= s->n[a];
  }
}

/* Visits the elements of a part: the place of each in the array and in the whole; -1: padding. */
typedef struct visit {
  ptrdiff_t local, global;
} visit;

static visit locate(const test_case *c, int end, const side *s, ptrdiff_t element) {
  ptrdiff_t index[MOST_AXES], at = element / c->howmany, global = 0;
  for (int i = c->rank - 1; i >= 0; i--) {
    const int a = s->order[i];
    const int halved = a == c->rank - 1 && c->kind != C2C && s->numbers == 2 && !shifted(c, end);
    index[a] = at % s->n[a] + s->start[a] + (halved ? c->n[a] / 2 - length(c, end, a) / 2 : 0);
    at /= s->n[a];
  }
  const int last = c->rank - 1;
  const ptrdiff_t begin =
      shifted(c, end) ? -(length(c, end, last) / 2) : 0; /* rows of reals are whole, if they are padded */
  if (s->numbers == 1 && index[last] - begin >= length(c, end, last)) return (visit){element, -1};
  for (int a = 0; a < c->rank; a++) global = global * c->n[a] + (index[a] + 2 * c->n[a]) % c->n[a];
  return (visit){element, global * c->howmany + element % c->howmany};
}

static void fill(const test_case *c, int end, const side *s, const fftw_complex *whole, ptrdiff_t capacity) {
  for (ptrdiff_t i = 0; i < capacity + GUARD; i++) s->data[i] = untouched;
  for (ptrdiff_t e = 0; e < s->count / s->numbers; e++) {
    const visit v = locate(c, end, s, e);
    for (int part = 0; part < s->numbers && v.global >= 0; part++)
      s->data[s->numbers * v.local + part] = (real)whole[v.global][part];
  }
}

static void compare(const test_case *c, const char *name, int end, const side *s, const fftw_complex *whole) {
  double sum[3] = {0, 0, 0};
  for (ptrdiff_t e = 0; e < s->count / s->numbers; e++) {
    const visit v = locate(c, end, s, e);
    for (int part = 0; part < s->numbers && v.global >= 0; part++) {
      const double want = whole[v.global][part], difference = (double)s->data[s->numbers * v.local + part] - want;
      sum[0] += difference * difference;
      sum[1] += want * want;
    }
    sum[2] += v.global >= 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double error = sqrt(sum[0] / sum[1]);
  if (!(error <= bound * sqrt(log2((double)points(c))))) fail(name, "relative L2 difference", error);
  ptrdiff_t all = c->howmany;
  for (int a = 0; a < c->rank; a++) {
    const int halved = s->numbers == 2 && c->kind != C2C && a == c->rank - 1;
    all *= halved ? length(c, end, a) / 2 + 1 : length(c, end, a);
  }
  if (sum[2] != (double)all) fail(name, "the ranks do not hold every element once, but", sum[2]);
}

/* The blocks of a mesh, unless they are bricks: as many as the program says, or ceil(n/P). */
static void check_blocks(const test_case *c, const char *name, const side s[2], const int *np) {
  int at[3] = {rank, 0, 0}; /* coordinates of this rank */
  for (int d = c->dims - 1; d > 0; d--) at[d] = at[0] % np[d], at[0] /= np[d];
  if (c->dims == 3 && c->rank == 3) return;
  for (int end = 0; end < 2; end++) {
    const int first = c->flags & (end ? OUT : IN) ? 1 : 0;
    for (int d = 0; d < c->dims; d++) {
      const int a = first + d, halved = a == c->rank - 1 && !is_real(c, end) && c->kind != C2C;
      const ptrdiff_t n = halved ? length(c, end, a) / 2 + 1 : length(c, end, a);
      const ptrdiff_t block = d < 2 && c->block[end][d] ? c->block[end][d] : (n + np[d] - 1) / np[d];
      const ptrdiff_t begin = at[d] * block < n ? at[d] * block : n;
      const ptrdiff_t here = n - begin < block ? n - begin : block;
      const ptrdiff_t start = (here ? begin : 0) - (shifted(c, end) ? length(c, end, a) / 2 : 0);
      if (s[end].n[a] != here || s[end].start[a] != start) fail(name, "another block of axis", a);
    }
  }
}

/* ---- Plans and executes ---------------------------------------------------------------------------------------------- */

static ptrdiff_t local_sizes(const test_case *c, MPI_Comm comm, side s[2]) {
  const ptrdiff_t *n = c->n, *ln = c->length[0][0] ? c->length[0] : n, *lo = c->length[1][0] ? c->length[1] : n;
  const ptrdiff_t *ib = c->block[0][0] ? c->block[0] : NULL, *ob = c->block[1][0] ? c->block[1] : NULL;
  ptrdiff_t *ni = s[0].n, *is = s[0].start, *no = s[1].n, *os = s[1].start;
  const int simple = c->howmany == 1 && !ib && !ob && !c->length[0][0];
  if (c->kind == C2C && simple && c->rank == 3) return PX(local_size_dft_3d)(n, comm, c->flags, ni, is, no, os);
  if (c->kind == R2C && simple && c->rank == 3) return PX(local_size_dft_r2c_3d)(n, comm, c->flags, ni, is, no, os);
  if (c->kind == C2R && simple) return PX(local_size_dft_c2r)(c->rank, n, comm, c->flags, ni, is, no, os);
  if (c->kind == C2C) return PX(local_size_many_dft)(c->rank, n, ln, lo, c->howmany, ib, ob, comm, c->flags, ni, is, no, os);
  if (c->kind == R2C)
    return PX(local_size_many_dft_r2c)(c->rank, n, ln, lo, c->howmany, ib, ob, comm, c->flags, ni, is, no, os);
  if (c->kind == C2R)
    return PX(local_size_many_dft_c2r)(c->rank, n, ln, lo, c->howmany, ib, ob, comm, c->flags, ni, is, no, os);
  if (!simple) return PX(local_size_many_r2r)(c->rank, n, ln, lo, c->howmany, ib, ob, comm, c->flags, ni, is, no, os);
  return PX(local_size_r2r)(c->rank, n, comm, c->flags, ni, is, no, os);
}

static PX(plan) make(const test_case *c, MPI_Comm comm, void *in, void *out) {
  const ptrdiff_t *n = c->n, *ln = c->length[0][0] ? c->length[0] : n, *lo = c->length[1][0] ? c->length[1] : n;
  const ptrdiff_t *ib = c->block[0][0] ? c->block[0] : NULL, *ob = c->block[1][0] ? c->block[1] : NULL;
  const int simple = c->howmany == 1 && !ib && !ob && !c->length[0][0], r = c->rank;
  const unsigned f = c->flags;
  if (c->kind == C2C && simple && r == 3) return PX(plan_dft_3d)(n, in, out, comm, c->sign, f);
  if (c->kind == R2C && simple && r == 3) return PX(plan_dft_r2c_3d)(n, in, out, comm, c->sign, f);
  if (c->kind == C2R && simple) return PX(plan_dft_c2r)(r, n, in, out, comm, c->sign, f);
  if (c->kind == C2C) return PX(plan_many_dft)(r, n, ln, lo, c->howmany, ib, ob, in, out, comm, c->sign, f);
  if (c->kind == R2C) return PX(plan_many_dft_r2c)(r, n, ln, lo, c->howmany, ib, ob, in, out, comm, c->sign, f);
  if (c->kind == C2R) return PX(plan_many_dft_c2r)(r, n, ln, lo, c->howmany, ib, ob, in, out, comm, c->sign, f);
  if (!simple) return PX(plan_many_r2r)(r, n, ln, lo, c->howmany, ib, ob, in, out, comm, kinds, f);
  return PX(plan_r2r)(r, n, in, out, comm, kinds, f);
}

static void execute(const test_case *c, PX(plan) p, void *in, void *out, int with_arrays) {
  if (!with_arrays)
    PX(execute)(p);
  else if (c->kind == C2C)
    PX(execute_dft)(p, in, out);
  else if (c->kind == R2C)
    PX(execute_dft_r2c)(p, in, out);
  else if (c->kind == C2R)
    PX(execute_dft_c2r)(p, in, out);
  else
    PX(execute_r2r)(p, in, out);
}

static void check_guard(const char *name, const side *s, ptrdiff_t bounds, ptrdiff_t capacity) {
  for (ptrdiff_t i = bounds; i < capacity + GUARD; i++)
    if (s->data[i] != untouched) {
      fail(name, "wrote behind the rank's part, at", (double)(i - bounds));
      return;
    }
}

static void run(const test_case *c, int number, MPI_Comm comm, const int *np, const char *mesh) {
  char name[128];
  side s[2];
  snprintf(name, sizeof name, "case %d (kind %d, flags %#x) on %s", number, c->kind, c->flags, mesh);
  const ptrdiff_t all = local_sizes(c, comm, s), capacity = all * (c->kind == R2R ? 1 : 2);
  for (int end = 0; end < 2; end++) arrange(c, end, &s[end]);
  check_blocks(c, name, s, np);
  const ptrdiff_t larger = s[0].count > s[1].count ? s[0].count : s[1].count;
  if (capacity < larger) fail(name, "local_size is less than the arrays by", (double)(larger - capacity));
  fftw_complex *whole[2]; /* [end] */
  for (int end = 0; end < 2; end++) {
    whole[end] = malloc((size_t)(points(c) * c->howmany) * sizeof **whole);
    s[end].data = end && c->in_place ? s[0].data : PX(alloc_real)((size_t)(capacity + GUARD));
  }
  real *before = malloc((size_t)(capacity + GUARD) * sizeof *before);
  make_truth(c, whole[0], whole[1]);
  for (int again = 0; again < 2; again++) { /* of the same shape, which a library may keep */
    fill(c, 0, &s[0], whole[0], capacity);
    memcpy(before, s[0].data, (size_t)(capacity + GUARD) * sizeof *before);
    PX(plan) p = make(c, comm, s[0].data, s[1].data);
    if (!p) {
      fail(name, "no plan", 0);
      break;
    }
    if (c->flags & E && memcmp(before, s[0].data, (size_t)(capacity + GUARD) * sizeof *before))
      fail(name, "an estimate wrote to the array", 0);
    fill(c, 0, &s[0], whole[0], capacity);
    if (!c->in_place)
      for (ptrdiff_t i = 0; i < capacity + GUARD; i++) s[1].data[i] = untouched;
    execute(c, p, s[0].data, s[1].data, (number + again) % 2);
    const int preserved = !c->in_place && !(c->flags & DESTROY);
    if (preserved && memcmp(before, s[0].data, (size_t)(capacity + GUARD) * sizeof *before))
      fail(name, "the input changed", 0);
    compare(c, name, 1, &s[1], whole[1]);
    check_guard(name, &s[0], c->in_place ? larger : s[0].count, capacity);
    check_guard(name, &s[1], c->in_place ? larger : s[1].count, capacity);
    PX(destroy_plan)(p);
  }
  for (int end = 0; end < 2; end++) free(whole[end]);
  PX(free)(s[0].data);
  if (!c->in_place) PX(free)(s[1].data);
  free(before);
  cases_run++;
}

/* The blocks that PFFT 1.0.8-alpha gives ranks on meshes of three dimensions: r2c of 9 x 10 x 12, transposed out. */
static void check_bricks(void) {
  static const ptrdiff_t n[3] = {9, 10, 12};
  static const struct {
    int np[3], pid;
    ptrdiff_t part[4][3]; /* lengths and start of the input, lengths and start of the output */
  } known[] = {{{1, 1, 1}, 0, {{9, 10, 12}, {0, 0, 0}, {9, 10, 7}, {0, 0, 0}}},
               {{1, 1, 2}, 1, {{9, 10, 6}, {0, 0, 6}, {9, 10, 3}, {0, 0, 4}}},
               {{1, 1, 4}, 2, {{9, 10, 3}, {0, 0, 6}, {9, 5, 4}, {0, 5, 0}}},
               {{1, 2, 2}, 3, {{9, 4, 6}, {0, 6, 6}, {9, 10, 1}, {0, 0, 6}}},
               {{1, 1, 6}, 5, {{9, 10, 2}, {0, 0, 10}, {9, 2, 3}, {0, 8, 4}}},
               {{1, 2, 3}, 4, {{9, 4, 4}, {0, 6, 4}, {9, 10, 0}, {0, 0, 0}}},
               {{2, 3, 1}, 5, {{4, 2, 12}, {5, 8, 0}, {9, 5, 1}, {0, 5, 6}}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    MPI_Comm comm;
    ptrdiff_t part[4][3];
    if (PX(create_procmesh)(3, MPI_COMM_WORLD, known[i].np, &comm)) continue; /* a mesh of more or fewer ranks */
    PX(local_block_dft_r2c_3d)(n, comm, known[i].pid, OUT, part[0], part[1], part[2], part[3]);
    if (memcmp(part, known[i].part, sizeof part)) fail("bricks", "other than PFFT's, of rank", known[i].pid);
    MPI_Comm_free(&comm);
  }
}

/* Every case of a mesh.  A communicator without a mesh is one of one dimension. */
static void run_mesh(int dims, const int *np, int plain, int print) {
  char mesh[64];
  MPI_Comm comm = MPI_COMM_WORLD;
  snprintf(mesh, sizeof mesh, "%d x %d x %d%s", np[0], dims > 1 ? np[1] : 1, dims > 2 ? np[2] : 1, plain ? ", plain" : "");
  if (!plain && PX(create_procmesh)(dims, MPI_COMM_WORLD, np, &comm)) {
    fail(mesh, "no mesh", 0);
    return;
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const test_case *c = &cases[i];
    int covers = c->dims == dims; /* with blocks as the program has them */
    for (int d = 0; d < 2 && c->block[0][0]; d++) covers &= np[d] >= 2;
    if (covers && print && rank == 0) printf("case %zu on %s\n", i, mesh);
    if (covers && !(plain && i % 3)) run(c, (int)i, comm, np, mesh);
  }
  if (!plain) MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  PX(init)();
  PX(plan_with_nthreads)(1);
  for (int p = 1; p <= ranks; p++)
    for (int q = 1; q <= ranks / p; q++) {
      const int np[3] = {p, q, ranks / p / q};
      if (np[0] * np[1] * np[2] != ranks) continue;
      if (np[2] == 1 && (ranks <= 4 || (p > 1 && q > 1))) run_mesh(2, np, 0, argc > 1);
      if (p <= q && (ranks <= 2 || (p == 1) + (q == 1) + (np[2] == 1) < 2)) run_mesh(3, np, 0, argc > 1);
    }
  check_bricks();
  run_mesh(1, &ranks, 0, argc > 1);
  run_mesh(1, &ranks, 1, argc > 1);
  MPI_Comm comm;
  if (PX(create_procmesh_2d)(MPI_COMM_WORLD, ranks + 1, 1, &comm) == 0) fail("a mesh of too many processes", "was made", 0);
  if (cases_run < 50) fail("cases run:", "only", cases_run);
  PX(cleanup)();
  MPI_Finalize();
  return failures ? 1 : 0;
}
