/* names.c: every function of FFTW-MPI that makes a plan or answers for a size, by its C and its Fortran 2003 name, and every
 * effort and flag: the plan is made twice in one process, by FFTW under MFFT_FFTW=off and by mergefft, and the results of
 * both, executed by all names that take such a plan, are compared.  The program is run with mergefft's library before
 * FFTW; rank 0 prints one line a name. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINGLE
#define F(name)      fftwf_##name
#define F77(name)    sfftw_##name
#define PREFIX       "fftwf_"
#define LIBRARY_NAME "libfftw3f_mpi.so.3"
typedef float R;
static const double bound = 1e-7;
#else
#define F(name)      fftw_##name
#define F77(name)    dfftw_##name
#define PREFIX       "fftw_"
#define LIBRARY_NAME "libfftw3_mpi.so.3"
typedef double R;
static const double bound = 1e-15;
#endif
#include <dlfcn.h>
typedef F(complex) C;
typedef F(plan) plan_t;
typedef F(r2r_kind) kind_t;
typedef ptrdiff_t L;
typedef const ptrdiff_t *N;

enum { MOST = 1 << 14 };       /* reals of an array */
#define BLOCK (12 / ranks + 1) /* planes of a rank where a call says how many */
enum { TO_OUT = FFTW_MPI_TRANSPOSED_OUT, TO_IN = FFTW_MPI_TRANSPOSED_IN };
enum { C2C, R2C, C2R, R2R, MOVE };
static int rank, ranks, failures;

static const L n3[] = {12, 10, 8};
static const kind_t kinds[] = {FFTW_REDFT10, FFTW_RODFT01, FFTW_REDFT00};

/* X(name, type, axes, numbers a point, whether mergefft makes it, parameters, arguments).  COMM, a type, and comm: an MPI
 * communicator in C, its handle in Fortran. */
#define COMMON R *in, R *out, unsigned flags
#define PLANS(X)                                                                                                        \
  X(plan_many_dft, C2C, 3, 2, 1, (int, N, L, L, L, C *, C *, COMM, int, unsigned),                                      \
    (3, n3, 2, BLOCK, BLOCK, (C *)in, (C *)out, comm, FFTW_FORWARD, flags))                                             \
  X(plan_dft, C2C, 3, 1, 1, (int, N, C *, C *, COMM, int, unsigned),                                                    \
    (3, n3, (C *)in, (C *)out, comm, FFTW_BACKWARD, flags))                                                             \
  X(plan_dft_1d, C2C, 1, 1, 0, (L, C *, C *, COMM, int, unsigned), (144, (C *)in, (C *)out, comm, FFTW_FORWARD, flags)) \
  X(plan_dft_2d, C2C, 2, 1, 1, (L, L, C *, C *, COMM, int, unsigned),                                                   \
    (12, 10, (C *)in, (C *)out, comm, FFTW_FORWARD, flags))                                                             \
  X(plan_dft_3d, C2C, 3, 1, 1, (L, L, L, C *, C *, COMM, int, unsigned),                                                \
    (12, 10, 8, (C *)in, (C *)out, comm, FFTW_FORWARD, flags))                                                          \
  X(plan_many_dft_r2c, R2C, 3, 2, 1, (int, N, L, L, L, R *, C *, COMM, unsigned),                                       \
    (3, n3, 2, BLOCK, BLOCK, in, (C *)out, comm, flags))                                                                \
  X(plan_dft_r2c, R2C, 3, 1, 1, (int, N, R *, C *, COMM, unsigned), (3, n3, in, (C *)out, comm, flags))                 \
  X(plan_dft_r2c_2d, R2C, 2, 1, 1, (L, L, R *, C *, COMM, unsigned), (12, 10, in, (C *)out, comm, flags))               \
  X(plan_dft_r2c_3d, R2C, 3, 1, 1, (L, L, L, R *, C *, COMM, unsigned), (12, 10, 8, in, (C *)out, comm, flags))         \
  X(plan_many_dft_c2r, C2R, 3, 2, 1, (int, N, L, L, L, C *, R *, COMM, unsigned),                                       \
    (3, n3, 2, BLOCK, BLOCK, (C *)in, out, comm, flags))                                                                \
  X(plan_dft_c2r, C2R, 3, 1, 1, (int, N, C *, R *, COMM, unsigned), (3, n3, (C *)in, out, comm, flags))                 \
  X(plan_dft_c2r_2d, C2R, 2, 1, 1, (L, L, C *, R *, COMM, unsigned), (12, 10, (C *)in, out, comm, flags))               \
  X(plan_dft_c2r_3d, C2R, 3, 1, 1, (L, L, L, C *, R *, COMM, unsigned), (12, 10, 8, (C *)in, out, comm, flags))         \
  X(plan_many_r2r, R2R, 3, 2, 1, (int, N, L, L, L, R *, R *, COMM, const kind_t *, unsigned),                           \
    (3, n3, 2, BLOCK, BLOCK, in, out, comm, kinds, flags))                                                              \
  X(plan_r2r, R2R, 3, 1, 1, (int, N, R *, R *, COMM, const kind_t *, unsigned), (3, n3, in, out, comm, kinds, flags))   \
  X(plan_r2r_2d, R2R, 2, 1, 1, (L, L, R *, R *, COMM, kind_t, kind_t, unsigned),                                        \
    (12, 10, in, out, comm, kinds[0], kinds[1], flags))                                                                 \
  X(plan_r2r_3d, R2R, 3, 1, 1, (L, L, L, R *, R *, COMM, kind_t, kind_t, kind_t, unsigned),                             \
    (12, 10, 8, in, out, comm, kinds[0], kinds[1], kinds[2], flags))                                                    \
  X(plan_many_transpose, MOVE, 2, 2, 0, (L, L, L, L, L, R *, R *, COMM, unsigned),                                      \
    (12, 10, 2, BLOCK, BLOCK, in, out, comm, flags))                                                                    \
  X(plan_transpose, MOVE, 2, 1, 0, (L, L, R *, R *, COMM, unsigned), (12, 10, in, out, comm, flags))

/* X(name, parameters, arguments): local sizes; a[0] to a[3] are the planes and the first one, of both axes. */
#define SIZES(X)                                                                                                       \
  X(local_size_many_transposed, (int, N, L, L, L, COMM, L *, L *, L *, L *),                                           \
    (3, n3, 2, BLOCK, BLOCK, comm, a, a + 1, a + 2, a + 3))                                                            \
  X(local_size_many, (int, N, L, L, COMM, L *, L *), (3, n3, 2, BLOCK, comm, a, a + 1))                                \
  X(local_size_transposed, (int, N, COMM, L *, L *, L *, L *), (3, n3, comm, a, a + 1, a + 2, a + 3))                  \
  X(local_size, (int, N, COMM, L *, L *), (3, n3, comm, a, a + 1))                                                     \
  X(local_size_many_1d, (L, L, COMM, int, unsigned, L *, L *, L *, L *),                                               \
    (144, 2, comm, FFTW_FORWARD, 0, a, a + 1, a + 2, a + 3))                                                           \
  X(local_size_1d, (L, COMM, int, unsigned, L *, L *, L *, L *), (144, comm, FFTW_FORWARD, 0, a, a + 1, a + 2, a + 3)) \
  X(local_size_2d, (L, L, COMM, L *, L *), (12, 10, comm, a, a + 1))                                                   \
  X(local_size_2d_transposed, (L, L, COMM, L *, L *, L *, L *), (12, 10, comm, a, a + 1, a + 2, a + 3))                \
  X(local_size_3d, (L, L, L, COMM, L *, L *), (12, 10, 8, comm, a, a + 1))                                             \
  X(local_size_3d_transposed, (L, L, L, COMM, L *, L *, L *, L *), (12, 10, 8, comm, a, a + 1, a + 2, a + 3))

/* FFTW's headers declare Fortran's names for Fortran alone. */
#define COMM                                                        MPI_Fint
#define DECLARE_PLAN(name, kind, axes, many, own, types, arguments) extern plan_t F(mpi_##name##_f03) types;
#define DECLARE_SIZE(name, types, arguments)                        extern L F(mpi_##name##_f03) types;
PLANS(DECLARE_PLAN)
SIZES(DECLARE_SIZE)
extern void F(mpi_gather_wisdom_f03)(MPI_Fint comm);
extern void F(mpi_broadcast_wisdom_f03)(MPI_Fint comm);
extern void F77(execute_)(plan_t *const p);
extern void F77(execute_dft_)(plan_t *const p, C *in, C *out);
extern void F77(execute_dft_r2c_)(plan_t *const p, R *in, C *out);
extern void F77(execute_dft_c2r_)(plan_t *const p, C *in, R *out);
extern void F77(execute_r2r_)(plan_t *const p, R *in, R *out);
extern void F77(flops_)(plan_t *const p, double *add, double *mul, double *fma);
extern void F77(print_plan_)(plan_t *const p);
extern void F77(destroy_plan_)(plan_t *const p);

#define DEFINE_PLAN(name, kind, axes, many, own, types, arguments) \
  static plan_t c_##name(COMMON) {                                 \
    const MPI_Comm comm = MPI_COMM_WORLD;                          \
    return F(mpi_##name) arguments;                                \
  }                                                                \
  static plan_t f03_##name(COMMON) {                               \
    const MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD);            \
    return F(mpi_##name##_f03) arguments;                          \
  }
PLANS(DEFINE_PLAN)
#undef COMM

/* A size by the C name, by the Fortran name, and by FFTW's own library. */
#define COMM MPI_Comm
#define DEFINE_SIZE(name, types, arguments)                    \
  static L c_##name(void *library, L *a) {                     \
    const MPI_Comm comm = MPI_COMM_WORLD;                      \
    (void)library;                                             \
    return F(mpi_##name) arguments;                            \
  }                                                            \
  static L f03_##name(void *library, L *a) {                   \
    const MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD);        \
    (void)library;                                             \
    return F(mpi_##name##_f03) arguments;                      \
  }                                                            \
  static L real_##name(void *library, L *a) {                  \
    const MPI_Comm comm = MPI_COMM_WORLD;                      \
    L(*function) types;                                        \
    *(void **)&function = dlsym(library, PREFIX "mpi_" #name); \
    return function arguments;                                 \
  }
SIZES(DEFINE_SIZE)

typedef plan_t (*maker)(COMMON);
static const struct plan_name {
  const char *name;
  int kind, axes, many, own;
  maker make[2]; /* by the C and the Fortran name */
} plans[] = {
#define ROW(name, kind, axes, many, own, types, arguments) {#name, kind, axes, many, own, {c_##name, f03_##name}},
    PLANS(ROW)
#undef ROW
};

static const struct size_name {
  const char *name;
  L (*ask[3])(void *library, L *a);
} sizes[] = {
#define ROW(name, types, arguments) {#name, {c_##name, f03_##name, real_##name}},
    SIZES(ROW)
#undef ROW
};

static void fail(const char *name, const char *words, double value) {
  printf("rank %d of %d: %s: %s %.3g\n", rank, ranks, name, words, value);
  failures++;
}

/* ---- Local sizes ----------------------------------------------------------------------------------------------------- */

static void check_size(const struct size_name *s, void *library) {
  L a[3][4], total[3];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) a[i][j] = -1;
    total[i] = s->ask[i](library, a[i]);
  }
  for (int i = 0; i < 2; i++)
    if (total[i] != total[2] || memcmp(a[i], a[2], sizeof a[2]))
      fail(s->name, i ? "Fortran's answer is not FFTW's:" : "the answer is not FFTW's:", (double)total[i]);
  if (rank == 0) printf("%s%s, _f03: as FFTW\n", PREFIX "mpi_", s->name);
}

/* ---- Plans ----------------------------------------------------------------------------------------------------------- */

/* The numbers of a rank's output: rows of `row` reals, of which `used` are data. */
typedef struct layout {
  L rows, row, used;
} layout;

static layout layout_of(const struct plan_name *p, unsigned flags) {
  const int halved = p->kind == R2C || p->kind == C2R, turned = p->kind == MOVE || flags & TO_OUT;
  const L last = p->axes == 1 ? 144 : p->axes == 2 ? 10 : 8, parts = p->kind == R2R || p->kind == MOVE ? 1 : 2;
  L n[3] = {12, p->axes == 3 ? 10 : 1, halved ? last / 2 + 1 : last}, a[4];
  if (p->axes == 1) {
    F(mpi_local_size_1d)(144, MPI_COMM_WORLD, FFTW_FORWARD, 0, a, a + 1, a + 2, a + 3);
    return (layout){a[2], 2, 2};
  }
  if (p->axes == 2) n[1] = n[2];
  F(mpi_local_size_many_transposed)
  (p->axes, n, p->many, p->many > 1 ? BLOCK : 0, p->many > 1 ? BLOCK : 0, MPI_COMM_WORLD, a, a + 1, a + 2, a + 3);
  layout l = {.row = (p->axes == 2 && turned ? n[0] : n[p->axes - 1]) * p->many * parts};
  l.rows = (turned ? a[2] : a[0]) * (p->axes == 2 ? 1 : turned ? n[0] : n[1]);
  l.used = p->kind == C2R ? last * p->many : l.row;
  return l;
}

static void execute(const struct plan_name *s, plan_t p, R *in, R *out, int name) {
  if (name == 0 || s->kind == MOVE) {
    if (name % 2)
      F77(execute_)(&p);
    else
      F(execute)(p);
  } else if (s->kind == C2C) {
    (name == 1 ? F(mpi_execute_dft) : F(execute_dft))(p, (C *)in, (C *)out);
  } else if (s->kind == R2C) {
    (name == 1 ? F(mpi_execute_dft_r2c) : F(execute_dft_r2c))(p, in, (C *)out);
  } else if (s->kind == C2R) {
    (name == 1 ? F(mpi_execute_dft_c2r) : F(execute_dft_c2r))(p, (C *)in, out);
  } else {
    (name == 1 ? F(mpi_execute_r2r) : F(execute_r2r))(p, in, out);
  }
}

/* The names of FFTW's old Fortran interface with new arrays. */
static void execute_fortran(const struct plan_name *s, plan_t p, R *in, R *out) {
  switch (s->kind) {
    case C2C:
      F77(execute_dft_)(&p, (C *)in, (C *)out);
      break;
    case R2C:
      F77(execute_dft_r2c_)(&p, in, (C *)out);
      break;
    case C2R:
      F77(execute_dft_c2r_)(&p, (C *)in, out);
      break;
    case R2R:
      F77(execute_r2r_)(&p, in, out);
      break;
    default:
      F77(execute_)(&p);
  }
}

static void fill(R *data, const R *from) { memcpy(data, from, MOST * sizeof *data); }

/* Relative L2 difference of two outputs of all ranks. */
static double difference(const layout *l, const R *a, const R *b) {
  double sum[2] = {0, 0};
  for (L i = 0; i < l->rows; i++)
    for (L j = 0; j < l->used; j++) {
      const double x = (double)a[i * l->row + j], y = (double)b[i * l->row + j];
      sum[0] += (x - y) * (x - y);
      sum[1] += y * y;
    }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(sum[0] / sum[1]);
}

/* FFTW prints an expression in parentheses, mergefft lines of text. */
static int is_by_fftw(plan_t p) {
  char *text = F(sprint_plan)(p);
  const int is = text && text[0] == '(';
  free(text);
  return is;
}

static R *arrays[4]; /* [MOST] each: the input, and its copy, by FFTW, by mergefft */

/* An input of this kind of plan: for C2R a Hermitian spectrum, by FFTW. */
static void prepare(const struct plan_name *s, unsigned flags) {
  for (int i = 0; i < MOST; i++) arrays[0][i] = (R)(((unsigned)(i + 977 * rank) * 2654435761u >> 8) % 1000) / 1000 - (R)0.5;
  if (s->kind != C2R) return;
  setenv("MFFT_FFTW", "off", 1);
  plan_t p = plans[s - plans - 4].make[0](
      arrays[0], arrays[1], FFTW_ESTIMATE | (flags & TO_IN ? TO_OUT : 0)); /* r2c stands four rows before c2r */
  F(execute)(p);
  F(destroy_plan)(p);
  fill(arrays[0], arrays[1]);
}

static void check_plan(const struct plan_name *s, int fortran, unsigned flags, int in_place) {
  static const char *const names[2] = {"C", "f03"};
  char name[96];
  const layout l = layout_of(s, flags);
  snprintf(name, sizeof name, "%s (%s, flags %#x%s)", s->name, names[fortran], flags, in_place ? ", in place" : "");
  plan_t p[2];
  prepare(s, flags);
  for (int k = 0; k < 2; k++) {
    setenv("MFFT_FFTW", k ? "cpu" : "off", 1);
    R *out = arrays[2 + k], *in = in_place ? out : arrays[1];
    const unsigned plain = (flags & ~(unsigned)(FFTW_PATIENT | FFTW_EXHAUSTIVE)) | FFTW_ESTIMATE;
    p[k] = s->make[fortran](in, out, k && s->own ? flags : plain);
    if (!p[k]) {
      fail(name, k ? "no plan by mergefft" : "no plan by FFTW", 0);
      return;
    }
  }
  if (!is_by_fftw(p[0]) || is_by_fftw(p[1]) == s->own) fail(name, "made by FFTW:", is_by_fftw(p[1]));
  fill(arrays[in_place ? 2 : 1], arrays[0]);
  F(execute)(p[0]);
  for (int by = 0; by < 4; by++) { /* executes by every name; those of one process suit plans of mergefft */
    R *out = arrays[3], *in = in_place ? out : arrays[1];
    if (by > 1 && !s->own) continue;
    fill(in, arrays[0]);
    if (by < 3)
      execute(s, p[1], in, out, by);
    else
      execute_fortran(s, p[1], in, out);
    const double off = difference(&l, out, arrays[2]);
    if (!(off <= bound * sqrt(log2(960)))) fail(name, "relative L2 difference", off);
  }
  F(destroy_plan)(p[0]);
  F77(destroy_plan_)(&p[1]);
}

/* Calls that ask about a plan (its operations, its text), and those that share wisdom. */
static void check_questions(void) {
  double count[3] = {0};
  R *a = arrays[1];
  setenv("MFFT_FFTW", "cpu", 1);
  plan_t p = plans[0].make[0](a, a, FFTW_ESTIMATE);
  F77(flops_)(&p, &count[0], &count[1], &count[2]);
  if (!(count[0] + count[1] + count[2] > 0)) fail("flops", "none:", count[0]);
  if (rank == 0) F77(print_plan_)(&p);
  if (rank == 0) F(print_plan)(p);
  if (rank == 0) F(fprint_plan)(p, stdout);
  F(destroy_plan)(p);
  F(mpi_gather_wisdom_f03)(MPI_Comm_c2f(MPI_COMM_WORLD));
  F(mpi_broadcast_wisdom_f03)(MPI_Comm_c2f(MPI_COMM_WORLD));
  F(mpi_gather_wisdom)(MPI_COMM_WORLD);
  F(mpi_broadcast_wisdom)(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  static const unsigned efforts[] = {FFTW_ESTIMATE,
                                     FFTW_MEASURE,
                                     FFTW_PATIENT,
                                     FFTW_EXHAUSTIVE,
                                     FFTW_ESTIMATE | FFTW_DESTROY_INPUT,
                                     FFTW_ESTIMATE | FFTW_UNALIGNED,
                                     FFTW_ESTIMATE | FFTW_PRESERVE_INPUT};
  enum { EFFORTS = sizeof efforts / sizeof *efforts, PLANS_COUNT = sizeof plans / sizeof *plans };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  F(mpi_init)();
  F(set_timelimit)
  (0.002); /* for mergefft; FFTW 3.3.10 hangs where it ends the planning for MPI, so its plans are estimated */
  void *library = dlopen(LIBRARY_NAME, RTLD_NOW);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
  for (int i = 0; i < 4; i++) arrays[i] = F(alloc_real)(MOST);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_size(&sizes[i], library);
  for (int i = 0; i < PLANS_COUNT; i++) {
    const struct plan_name *s = &plans[i];
    const int before = failures, orders = s->axes == 1 || s->kind == MOVE ? 1 : 2;
    for (int v = 0; v < EFFORTS; v++) {
      const int preserved = efforts[v] & FFTW_PRESERVE_INPUT;
      if (preserved && s->kind == C2R) continue; /* FFTW itself has no such plan */
      for (int o = 0; o < orders; o++)
        check_plan(s, v % 2, efforts[v] | (!o ? 0 : s->kind == C2R ? TO_IN : TO_OUT), (v + o + i) % 2 && !preserved);
    }
    if (rank == 0) printf(PREFIX "mpi_%s, _f03: %s\n", s->name, failures > before ? "FAILED" : s->own ? "mergefft" : "FFTW");
  }
  check_questions();
  for (int i = 0; i < 4; i++) F(free)(arrays[i]);
  F(mpi_cleanup)();
  MPI_Finalize();
  return failures ? 1 : 0;
}
