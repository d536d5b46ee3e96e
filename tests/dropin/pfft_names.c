/* pfft_names.c: every name of PFFT's interface that t953 and t955 do not call, beside those that they do: the forms of local
 * sizes, of blocks and of plans give the same as the general ones, whose results t953 compares with FFTW; PFFT's functions
 * that fill and check arrays find a transform and its inverse exact; timers, printing and small vectors. */
#include <math.h>
#include <pfft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINGLE
#define PX(name) pfftf_##name
typedef float R;
static const double bound = 1e-6;
#else
#define PX(name) pfft_##name
typedef double R;
static const double bound = 1e-14;
#endif
typedef PX(complex) C;

enum { CAPACITY = 1 << 13 }; /* reals of an array */
static const ptrdiff_t n[3] = {12, 10, 8}, r2r_n[3] = {12, 10, 8};
static const PX(r2r_kind) second[3] = {PFFT_REDFT10, PFFT_REDFT10, PFFT_REDFT10}, third[3] = {PFFT_REDFT01, PFFT_REDFT01,
                                                                                              PFFT_REDFT01};
static int rank, ranks, failures;

static void fail(const char *name, const char *words, double value) {
  printf("rank %d of %d: %s: %s %g\n", rank, ranks, name, words, value);
  failures++;
}

/* ---- Sizes and plans of one kind ------------------------------------------------------------------------------------- */

typedef struct part {
  ptrdiff_t ni[3], is[3], no[3], os[3];
} part;

static void same(const char *name, const part *a, const part *b) {
  if (memcmp(a, b, sizeof *a)) fail(name, "other parts than the general form, first", (double)a->ni[0]);
}

static R *arrays[3]; /* [CAPACITY] each: the input, the output of the general form, another output */

#define AT(p)  (p).ni, (p).is, (p).no, (p).os
#define BLOCKS PFFT_DEFAULT_BLOCKS, PFFT_DEFAULT_BLOCKS

/* All forms of local sizes and blocks of a kind; returns this rank's part. */
#define DEFINE_SIZES(kind)                                                                                               \
  static part sizes_##kind(MPI_Comm comm, unsigned flags) {                                                              \
    part general, other, block;                                                                                          \
    const ptrdiff_t size = PX(local_size_many_##kind)(3, n, n, n, 1, BLOCKS, comm, flags, AT(general));                  \
    if (PX(local_size_##kind)(3, n, comm, flags, AT(other)) != size) fail(#kind, "local_size: size", (double)size);      \
    same("local_size_" #kind, &other, &general);                                                                         \
    if (PX(local_size_##kind##_3d)(n, comm, flags, AT(other)) != size) fail(#kind, "local_size_3d: size", (double)size); \
    same("local_size_" #kind "_3d", &other, &general);                                                                   \
    PX(local_block_many_##kind)(3, n, n, BLOCKS, comm, rank, flags, AT(block));                                          \
    same("local_block_many_" #kind, &block, &general);                                                                   \
    PX(local_block_##kind)(3, n, comm, rank, flags, AT(block));                                                          \
    same("local_block_" #kind, &block, &general);                                                                        \
    PX(local_block_##kind##_3d)(n, comm, rank, flags, AT(block));                                                        \
    same("local_block_" #kind "_3d", &block, &general);                                                                  \
    return general;                                                                                                      \
  }
DEFINE_SIZES(dft)
DEFINE_SIZES(dft_r2c)
DEFINE_SIZES(dft_c2r)
DEFINE_SIZES(r2r)

static void fill(R *data) {
  for (int i = 0; i < CAPACITY; i++) data[i] = (R)(((unsigned)(i + 977 * rank) * 2654435761u >> 8) % 1000) / 1000;
}

/* A plan of each form from arrays[0] to arrays[2]: the same bits as by the general one.  C2R preserves no input, so all of
 * them are filled anew. */
#define DEFINE_PLANS(kind, FROM, TO, HOW, how)                                                                         \
  static void plans_##kind(MPI_Comm comm, unsigned flags, HOW) {                                                       \
    FROM *in = (FROM *)arrays[0];                                                                                      \
    TO *out = (TO *)arrays[2];                                                                                         \
    const int none[3] = {0, 0, 0};                                                                                     \
    PX(plan)                                                                                                           \
    const p[] = {PX(plan_many_##kind)(3, n, n, n, 1, BLOCKS, in, out, comm, how, flags),                               \
                 PX(plan_##kind)(3, n, in, out, comm, how, flags), PX(plan_##kind##_3d)(n, in, out, comm, how, flags), \
                 PX(plan_many_##kind##_skipped)(3, n, n, n, 1, BLOCKS, none, in, out, comm, how, flags),               \
                 PX(plan_many_##kind##_skipped)(3, n, n, n, 1, BLOCKS, NULL, in, out, comm, how, flags)};              \
    for (int i = 0; i < 5; i++) {                                                                                      \
      if (!p[i]) {                                                                                                     \
        fail(#kind, "no plan of form", i);                                                                             \
        continue;                                                                                                      \
      }                                                                                                                \
      fill(arrays[0]);                                                                                                 \
      memset(arrays[2], 0, CAPACITY * sizeof(R));                                                                      \
      if (i % 2)                                                                                                       \
        PX(execute_##kind)(p[i], in, out);                                                                             \
      else                                                                                                             \
        PX(execute)(p[i]);                                                                                             \
      if (i == 0) memcpy(arrays[1], arrays[2], CAPACITY * sizeof(R));                                                  \
      if (memcmp(arrays[1], arrays[2], CAPACITY * sizeof(R))) fail(#kind, "other results by form", i);                 \
    }                                                                                                                  \
    for (int i = 0; i < 5; i++) PX(destroy_plan)(p[i]);                                                                \
  }
DEFINE_PLANS(dft, C, C, int sign, sign)
DEFINE_PLANS(dft_r2c, R, C, int sign, sign)
DEFINE_PLANS(dft_c2r, C, R, int sign, sign)
DEFINE_PLANS(r2r, R, R, const PX(r2r_kind) * kinds, kinds)

/* ---- There and back, filled and checked by PFFT's functions ----------------------------------------------------------- */

static void scale(R by) {
  for (int i = 0; i < CAPACITY; i++) arrays[0][i] *= by;
}

static void expect(const char *name, double error) {
  if (!(error <= bound)) fail(name, "an error of", error);
}

/* what: the suffix of the functions for the numbers; there, back: plans from array 0 to array 2 and back; by: 1/N. */
#define DEFINE_ROUND_TRIP(what, TYPE)                                                                                  \
  static void round_trip_##what(const char *name, const part *p, PX(plan) there, PX(plan) back, R by, MPI_Comm comm) { \
    TYPE *data = (TYPE *)arrays[0];                                                                                    \
    for (int form = 0; form < 2; form++) {                                                                             \
      if (form)                                                                                                        \
        PX(init_input_##what##_3d)(n, p->ni, p->is, data);                                                             \
      else                                                                                                             \
        PX(init_input_##what)(3, n, p->ni, p->is, data);                                                               \
      PX(execute)(there);                                                                                              \
      if (form)                                                                                                        \
        PX(clear_input_##what##_3d)(n, p->ni, p->is, data);                                                            \
      else                                                                                                             \
        PX(clear_input_##what)(3, n, p->ni, p->is, data);                                                              \
      if (!(PX(check_output_##what)(3, n, p->ni, p->is, data, comm) > 0.01)) fail(name, "clear leaves the array", 0);  \
      PX(execute)(back);                                                                                               \
      scale(by);                                                                                                       \
      expect(name, PX(check_output_##what##_3d)(n, p->ni, p->is, data, comm));                                         \
      expect(name, PX(check_output_##what)(3, n, p->ni, p->is, data, comm));                                           \
    }                                                                                                                  \
    PX(destroy_plan)(there);                                                                                           \
    PX(destroy_plan)(back);                                                                                            \
  }
DEFINE_ROUND_TRIP(complex, C)
DEFINE_ROUND_TRIP(complex_hermitian, C)
DEFINE_ROUND_TRIP(real, R)

static void check_round_trips(MPI_Comm comm) {
  const R by = (R)1 / (12 * 10 * 8);
  R *a = arrays[0], *b = arrays[2];
  C *ca = (C *)a, *cb = (C *)b;
  const unsigned f = PFFT_ESTIMATE;
  part p = sizes_dft(comm, f);
  round_trip_complex("dft", &p, PX(plan_dft)(3, n, ca, cb, comm, PFFT_FORWARD, f),
                     PX(plan_dft)(3, n, cb, ca, comm, PFFT_BACKWARD, f), by, comm);
  p = sizes_dft_r2c(comm, f);
  round_trip_real("dft_r2c", &p, PX(plan_dft_r2c)(3, n, a, cb, comm, PFFT_FORWARD, f),
                  PX(plan_dft_c2r)(3, n, cb, a, comm, PFFT_BACKWARD, f), by, comm);
  p = sizes_dft_c2r(comm, f);
  round_trip_complex_hermitian("dft_c2r", &p, PX(plan_dft_c2r)(3, n, ca, b, comm, PFFT_BACKWARD, f),
                               PX(plan_dft_r2c)(3, n, b, ca, comm, PFFT_FORWARD, f), by, comm);
  p = sizes_r2r(comm, f);
  round_trip_real("r2r", &p, PX(plan_r2r)(3, r2r_n, a, b, comm, second, f), PX(plan_r2r)(3, r2r_n, b, a, comm, third, f),
                  by / 8, comm);
}

/* ---- The rest -------------------------------------------------------------------------------------------------------- */

static void check_vectors(void) {
  const ptrdiff_t a[3] = {2, 3, 4}, b[3] = {1, 1, 5};
  ptrdiff_t c[3];
  if (PX(prod_INT)(3, a) != 24 || PX(sum_INT)(3, a) != 9 || PX(equal_INT)(3, a, b) || !PX(equal_INT)(3, a, a))
    fail("prod, sum, equal", "wrong", 0);
  PX(vadd_INT)(3, a, b, c);
  if (c[0] != 3 || c[2] != 9) fail("vadd_INT", "gives", (double)c[2]);
  PX(vsub_INT)(3, a, b, c);
  if (c[0] != 1 || c[2] != -1) fail("vsub_INT", "gives", (double)c[2]);
  PX(vcopy_INT)(3, a, c);
  if (!PX(equal_INT)(3, a, c)) fail("vcopy_INT", "gives", (double)c[0]);
}

static void check_arguments(void) {
  char *argv[] = {(char *)"program", (char *)"-pfft_np", (char *)"3", (char *)"4", (char *)"-pfft_on"};
  int np[2] = {0, 0}, on = 0;
  PX(get_args)(5, argv, "-pfft_np", 2, PFFT_INT, np);
  PX(get_args)(5, argv, "-pfft_on", 0, PFFT_SWITCH, &on);
  if (np[0] != 3 || np[1] != 4 || !on) fail("get_args", "gives", np[1]);
}

static void check_timers(MPI_Comm comm) {
  PX(plan) p = PX(plan_dft_3d)(n, (C *)arrays[0], (C *)arrays[2], comm, PFFT_FORWARD, PFFT_ESTIMATE);
  PX(reset_timer)(p);
  for (int i = 0; i < 3; i++) PX(execute)(p);
  PX(timer)
  one = PX(get_timer)(p), copy = PX(copy_timer)(one), both = PX(add_timers)(one, copy),
  most = PX(reduce_max_timer)(both, comm);
  double *times = PX(convert_timer2vec)(most);
  PX(timer) again = PX(convert_vec2timer)(times);
  if (one->iter != 3 || both->iter != 6 || !(one->whole > 0)) fail("timers", "executes counted:", one->iter);
  if (again && !(fabs(again->whole - most->whole) <= 1e-12 * most->whole)) fail("convert_vec2timer", "gives", again->whole);
  PX(average_timer)(both);
  PX(print_average_timer)(p, comm);
  PX(print_average_timer_adv)(p, comm);
  PX(write_average_timer)(p, "timer.txt", comm);
  PX(write_average_timer_adv)(p, "timer-adv.txt", comm);
  PX(timer) const timers[] = {one, copy, both, most, again};
  for (int i = 0; i < 5; i++) PX(destroy_timer)(timers[i]);
  free(times);
  PX(destroy_plan)(p);
}

/* The times of ghost cells are not measured; their calls may be made all the same. */
static void check_ghost_timers(MPI_Comm comm, const part *p) {
  const ptrdiff_t width[3] = {1, 1, 1};
  ptrdiff_t lengths[2][3], start[2][3];
  const ptrdiff_t sizes[2] = {PX(local_size_gc)(3, p->ni, p->is, width, width, lengths[0], start[0]),
                              PX(local_size_gc_3d)(p->ni, p->is, width, width, lengths[1], start[1])};
  if (sizes[0] != sizes[1] || memcmp(lengths[0], lengths[1], sizeof lengths[0]))
    fail("local_size_gc", "size", (double)sizes[0]);
  PX(gcplan) plan = PX(plan_rgc_3d)(n, width, width, arrays[0], comm, 0);
  PX(reset_gctimers)(plan);
  if (PX(get_gctimer_exg)(plan) || PX(get_gctimer_red)(plan) || PX(copy_gctimer)(NULL) || PX(add_gctimers)(NULL, NULL) ||
      PX(reduce_max_gctimer)(NULL, comm))
    fail("gctimers", "are not NULL", 1);
  PX(average_gctimer)(NULL);
  PX(destroy_gctimer)(NULL);
  PX(print_average_gctimer)(plan, comm);
  PX(print_average_gctimer_adv)(plan, comm);
  PX(write_average_gctimer)(plan, "gctimer.txt", comm);
  PX(write_average_gctimer_adv)(plan, "gctimer.txt", comm);
  PX(destroy_gcplan)(plan);
}

/* A mesh without dimensions, of one process, divides nothing, and its transposed arrays are in natural order. */
static void check_no_dimensions(void) {
  const unsigned flags = PFFT_ESTIMATE | PFFT_TRANSPOSED_OUT;
  MPI_Comm comm;
  if (PX(create_procmesh)(0, MPI_COMM_SELF, NULL, &comm)) {
    fail("create_procmesh", "refuses dimensions", 0);
    return;
  }
  const part p = sizes_dft(comm, flags);
  for (int a = 0; a < 3; a++)
    if (p.ni[a] != n[a] || p.no[a] != n[a] || p.is[a] || p.os[a]) fail("no dimensions", "other parts along axis", a);
  ptrdiff_t ni, is, no, os;
  if (!PX(local_size_dft_r2c)(1, n, comm, flags | PFFT_PADDED_R2C, &ni, &is, &no, &os) || no != n[0] / 2 + 1)
    fail("one axis without dimensions", "its length is", (double)no);
  PX(plan)
  plan[2] = {PX(plan_dft_3d)(n, (C *)arrays[0], (C *)arrays[1], comm, PFFT_FORWARD, flags),
             PX(plan_dft_3d)(n, (C *)arrays[0], (C *)arrays[2], MPI_COMM_SELF, PFFT_FORWARD, PFFT_ESTIMATE)};
  fill(arrays[0]);
  for (int i = 0; i < 2; i++) {
    memset(arrays[1 + i], 0, CAPACITY * sizeof(R));
    PX(execute)(plan[i]);
    PX(destroy_plan)(plan[i]);
  }
  if (memcmp(arrays[1], arrays[2], CAPACITY * sizeof(R))) fail("no dimensions", "are not in natural order", 0);
  MPI_Comm_free(&comm);
  if (ranks > 1 && !PX(create_procmesh)(0, MPI_COMM_WORLD, NULL, &comm)) fail("no dimensions", "for ranks", ranks);
}

int main(int argc, char **argv) {
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  PX(init)();
  PX(plan_with_nthreads)(1);
  if (PX(get_nthreads)() != 1) fail("get_nthreads", "gives", PX(get_nthreads)());
  if (PX(create_procmesh_2d)(MPI_COMM_WORLD, ranks % 2 ? 1 : 2, ranks % 2 ? ranks : ranks / 2, &comm)) return 1;
  for (int i = 0; i < 3; i++) arrays[i] = PX(alloc_real)(CAPACITY);
  for (unsigned transposed = 0; transposed < 2; transposed++) {
    const unsigned out = PFFT_ESTIMATE | (transposed ? PFFT_TRANSPOSED_OUT : 0),
                   in = PFFT_ESTIMATE | (transposed ? PFFT_TRANSPOSED_IN : 0);
    sizes_dft(comm, out), sizes_dft_r2c(comm, out), sizes_dft_c2r(comm, in), sizes_r2r(comm, out);
    plans_dft(comm, out, PFFT_FORWARD);
    plans_dft_r2c(comm, out, PFFT_FORWARD);
    plans_dft_c2r(comm, in, PFFT_BACKWARD);
    plans_r2r(comm, out, second);
  }
  check_round_trips(comm);
  check_no_dimensions();
  check_vectors();
  check_arguments();
  check_timers(comm);
  const part p = sizes_dft_r2c(comm, 0);
  check_ghost_timers(comm, &p);
  const ptrdiff_t first[3] = {1, 2, 2};
  PX(apr_complex_3d)((C *)arrays[0], first, p.os, "complex", comm);
  PX(apr_complex_permuted_3d)((C *)arrays[0], first, p.os, 1, 2, 0, "complex permuted", comm);
  PX(apr_real_3d)(arrays[0], first, p.is, "real", comm);
  PX(apr_real_permuted_3d)(arrays[0], first, p.is, 2, 0, 1, "real permuted", comm);
  PX(printf)(comm, "%s\n", failures ? "failed" : "all names");
  PX(fprintf)(comm, stdout, "%d ranks\n", ranks);
  for (int i = 0; i < 3; i++) PX(free)(arrays[i]);
  MPI_Comm_free(&comm);
  PX(cleanup)();
  MPI_Finalize();
  return failures ? 1 : 0;
}
