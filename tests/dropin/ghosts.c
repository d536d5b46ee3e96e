/* ghosts.c: a program written for PFFT that exchanges and reduces ghost cells, as t955 runs it.
 *
 * Every own cell gets a number that its index alone decides.  After an exchange each cell of the array with ghost cells must
 * have the number of its index modulo the lengths.  After a reduction each own cell must have its number as often as ranks
 * have it, which is counted from the local sizes of all ranks.  Ghost cells of every axis, more than a rank has, around the
 * array, tuples, transposed and padded arrays, ranks without planes.  Compiled in each precision. */
#include <pfft.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SINGLE
#define PX(name) pfftf_##name
typedef float real;
#else
#define PX(name) pfft_##name
typedef double real;
#endif

enum { MOST_AXES = 4, GUARD = 32 };

typedef struct test_case {
  int rank, dims;
  ptrdiff_t n[MOST_AXES], howmany, below[MOST_AXES], above[MOST_AXES];
  int complex;         /* the array is one of complex numbers */
  unsigned size_flags; /* of local sizes */
  unsigned flags;      /* of the plan */
} test_case;

static const test_case cases[] = {
    {3, 2, {8, 9, 7}, 1, {1, 2, 3}, {2, 1, 0}, 0, 0, 0},
    {3, 2, {8, 9, 7}, 1, {1, 2, 3}, {2, 1, 4}, 1, 0, 0},
    {3, 2, {5, 4, 3}, 1, {7, 0, 4}, {6, 9, 0}, 0, 0, 0}, /* around the array */
    {3, 2, {2, 3, 6}, 2, {1, 1, 1}, {1, 1, 1}, 0, 0, 0}, /* ranks without planes */
    {3, 2, {6, 8, 10}, 1, {1, 1, 1}, {2, 2, 2}, 1, PFFT_TRANSPOSED_OUT, PFFT_GC_TRANSPOSED | PFFT_GC_R2C},
    {3, 2, {6, 8, 10}, 1, {1, 0, 1}, {0, 2, 2}, 1, 0, PFFT_GC_R2C},
    {3, 2, {6, 8, 9}, 1, {1, 2, 0}, {2, 1, 0}, 0, PFFT_PADDED_R2C, PFFT_GC_PADDED_R2C},
    {3, 1, {9, 5, 6}, 3, {2, 1, 0}, {0, 1, 2}, 1, PFFT_TRANSPOSED_OUT, PFFT_GC_TRANSPOSED},
    {2, 1, {10, 7}, 1, {3, 2}, {1, 0}, 0, 0, PFFT_GC_SENDRECV},
    {4, 2, {4, 5, 3, 6}, 1, {1, 1, 1, 1}, {1, 0, 2, 1}, 0, 0, 0},
    {3, 3, {9, 10, 12}, 1, {1, 2, 3}, {3, 2, 1}, 0, 0, PFFT_GC_RMA},
    {3, 3, {9, 10, 12}, 1, {1, 2, 1}, {3, 2, 1}, 1, PFFT_TRANSPOSED_OUT, PFFT_GC_TRANSPOSED},
};

static int rank, ranks, failures;

static void fail(const char *name, const char *words, double value) {
  printf("rank %d of %d: %s: %s %g\n", rank, ranks, name, words, value);
  failures++;
}

/* ---- The part of a rank ---------------------------------------------------------------------------------------------- */

typedef struct part {
  ptrdiff_t n[MOST_AXES], start[MOST_AXES]; /* in the order of the axes */
} part;

/* The part of the side that the ghost cells are of: the output if it is transposed or halved, otherwise the input. */
static part part_of(const test_case *c, MPI_Comm comm, int pid) {
  part in, out;
  const int halved = !!(c->flags & PFFT_GC_R2C);
  if (halved)
    PX(local_block_dft_r2c)(c->rank, c->n, comm, pid, c->size_flags, in.n, in.start, out.n, out.start);
  else if (c->complex)
    PX(local_block_dft)(c->rank, c->n, comm, pid, c->size_flags, in.n, in.start, out.n, out.start);
  else
    PX(local_block_r2r)(c->rank, c->n, comm, pid, c->size_flags, in.n, in.start, out.n, out.start);
  return c->complex ? out : in;
}

/* Lengths of the whole array, which is periodic. */
static void lengths(const test_case *c, ptrdiff_t *n) {
  for (int a = 0; a < c->rank; a++) n[a] = c->n[a];
  if (c->flags & PFFT_GC_PADDED)
    n[c->rank - 1] = 2 * (c->n[c->rank - 1] / 2 + 1);
  else if (c->flags & PFFT_GC_R2C)
    n[c->rank - 1] = c->n[c->rank - 1] / 2 + 1;
}

static int axis_in_memory(const test_case *c, int i) {
  const int divided = c->dims == 3 && c->rank == 3 ? 2 : c->dims, transposed = !!(c->flags & PFFT_GC_TRANSPOSED);
  return !transposed || i > divided ? i : i < divided ? i + 1 : 0;
}

static ptrdiff_t product(const test_case *c, const ptrdiff_t *n) {
  ptrdiff_t count = 1;
  for (int a = 0; a < c->rank; a++) count *= n[a];
  return count;
}

/* The index of a cell of an array of lengths n from start, by its place in memory, modulo the whole lengths. */
static void index_of(const test_case *c, const part *p, ptrdiff_t place, ptrdiff_t *index) {
  ptrdiff_t whole[MOST_AXES];
  lengths(c, whole);
  for (int i = c->rank - 1; i >= 0; i--) {
    const int a = axis_in_memory(c, i);
    index[a] = ((p->start[a] + place % p->n[a]) % whole[a] + whole[a]) % whole[a];
    place /= p->n[a];
  }
}

/* The number of a cell: small integers, which sums keep exact. */
static real number_of(const test_case *c, const ptrdiff_t *index, ptrdiff_t tuple) {
  ptrdiff_t sum = tuple + 1;
  for (int a = 0; a < c->rank; a++) sum = (sum * 31 + index[a]) % 997;
  return (real)sum;
}

/* How many cells of all ranks, ghost cells and own, have an index. */
static ptrdiff_t multiplicity(const test_case *c, const part *all, const ptrdiff_t *index) {
  ptrdiff_t whole[MOST_AXES], sum = 0;
  lengths(c, whole);
  for (int r = 0; r < ranks; r++) {
    ptrdiff_t count = 1;
    for (int a = 0; a < c->rank; a++) {
      ptrdiff_t times = 0;
      for (ptrdiff_t i = all[r].start[a] - c->below[a]; i < all[r].start[a] + all[r].n[a] + c->above[a]; i++)
        times += ((i - index[a]) % whole[a]) == 0;
      count *= times;
    }
    sum += count;
  }
  return sum;
}

/* ---- A case ---------------------------------------------------------------------------------------------------------- */

static PX(gcplan) make(const test_case *c, real *data, MPI_Comm comm) {
  const ptrdiff_t *n = c->n, *b = c->below, *a = c->above;
  PX(complex) *numbers = (PX(complex) *)data;
  if (c->howmany > 1 && c->complex) return PX(plan_many_cgc)(c->rank, n, c->howmany, NULL, b, a, numbers, comm, c->flags);
  if (c->howmany > 1) return PX(plan_many_rgc)(c->rank, n, c->howmany, NULL, b, a, data, comm, c->flags);
  if (c->rank == 3)
    return c->complex ? PX(plan_cgc_3d)(n, b, a, numbers, comm, c->flags) : PX(plan_rgc_3d)(n, b, a, data, comm, c->flags);
  return c->complex ? PX(plan_cgc)(c->rank, n, b, a, numbers, comm, c->flags)
                    : PX(plan_rgc)(c->rank, n, b, a, data, comm, c->flags);
}

/* Compares the cells of a part, each as often as it is wanted. */
static void compare(const test_case *c, const char *name, const part *p, const real *data, const part *all) {
  const ptrdiff_t count = product(c, p->n), tuple = c->howmany * (c->complex ? 2 : 1);
  for (ptrdiff_t i = 0; i < count; i++) {
    ptrdiff_t index[MOST_AXES];
    index_of(c, p, i, index);
    const real times = all ? (real)multiplicity(c, all, index) : 1;
    for (ptrdiff_t t = 0; t < tuple; t++)
      if (data[i * tuple + t] != times * number_of(c, index, t)) {
        fail(name, all ? "after a reduction, a wrong cell at" : "after an exchange, a wrong cell at", (double)i);
        return;
      }
  }
}

static void run(const test_case *c, int number, MPI_Comm comm, const char *mesh) {
  char name[96];
  part own = part_of(c, comm, rank), whole, *all = calloc((size_t)ranks, sizeof *all);
  const ptrdiff_t tuple = c->howmany * (c->complex ? 2 : 1);
  snprintf(name, sizeof name, "case %d on %s", number, mesh);
  for (int r = 0; r < ranks; r++) all[r] = part_of(c, comm, r);
  const ptrdiff_t cells = PX(local_size_many_gc)(c->rank, own.n, own.start, tuple, c->below, c->above, whole.n, whole.start);
  real *data = calloc((size_t)(cells + GUARD), sizeof *data);
  for (ptrdiff_t i = cells; i < cells + GUARD; i++) data[i] = -1;
  PX(gcplan) plan = make(c, data, comm);
  if (!plan) fail(name, "no plan", 0);
  for (int again = 0; again < 2 && plan; again++) {
    const ptrdiff_t count = product(c, own.n);
    for (ptrdiff_t i = 0; i < count; i++) {
      ptrdiff_t index[MOST_AXES];
      index_of(c, &own, i, index);
      for (ptrdiff_t t = 0; t < tuple; t++) data[i * tuple + t] = number_of(c, index, t);
    }
    PX(exchange)(plan);
    compare(c, name, &whole, data, NULL);
    PX(reduce)(plan);
    compare(c, name, &own, data, all);
    for (ptrdiff_t i = count * tuple; i < cells; i++)
      if (data[i] != 0) {
        fail(name, "a reduction leaves numbers behind the own cells, at", (double)i);
        break;
      }
  }
  for (ptrdiff_t i = cells; i < cells + GUARD; i++)
    if (data[i] != -1) fail(name, "wrote behind the array, at", (double)(i - cells));
  PX(destroy_gcplan)(plan);
  free(data);
  free(all);
}

static int run_mesh(int dims, const int *np) {
  char mesh[64];
  int cases_run = 0;
  MPI_Comm comm;
  snprintf(mesh, sizeof mesh, "%d x %d x %d", np[0], dims > 1 ? np[1] : 1, dims > 2 ? np[2] : 1);
  if (PX(create_procmesh)(dims, MPI_COMM_WORLD, np, &comm)) {
    fail(mesh, "no mesh", 0);
    return 0;
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (cases[i].dims == dims) run(&cases[i], (int)i, comm, mesh), cases_run++;
  MPI_Comm_free(&comm);
  return cases_run;
}

int main(int argc, char **argv) {
  int cases_run = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  PX(init)();
  for (int p = 1; p <= ranks; p++)
    for (int q = 1; q <= ranks / p; q++) {
      const int np[3] = {p, q, ranks / p / q};
      if (np[0] * np[1] * np[2] != ranks) continue;
      if (np[2] == 1) cases_run += run_mesh(2, np);
      cases_run += run_mesh(3, np);
    }
  cases_run += run_mesh(1, &ranks);
  if (cases_run < 12) fail("cases run:", "only", cases_run);
  PX(cleanup)();
  MPI_Finalize();
  return failures ? 1 : 0;
}
