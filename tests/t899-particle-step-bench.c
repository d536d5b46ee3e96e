// TEST ranks=1,2 labels=cuda timeout=300 args=--n,64,--cells,128
/* The forces of a particle-mesh step on GPUs, in single: mfft_particles_force as a simulation calls it, with TSC, a
 * four-point gradient and three components, without the potential; seconds of its deposit, its transforms and its gathers.
 *
 *   mpirun -n 2 t899-particle-step-bench [--n 512] [--cells 1024] [--order 3] [--repeat 5] [--backend cuda]
 *       [--gradient fd4|mesh] [--placement out|in] [--blocks 0] [--only rows|random|decay]
 *       [--transport p2p] [--chunks 0] [--overlap-split 0] [--effort 1] [--trace 0] [--at-once 1]
 *
 * One line for each sequence of the particles: "rows", that of a lattice whose particles have moved within their cells, and
 * "random", the same particles of each rank in no order; with --only decay, sequences in which a growing share of particles
 * has exchanged its place with others, and the time that it takes to arrange them by tiles again, from which follows above
 * which share of neighbours in different tiles that pays (apps/nbody/bodies.c).  The sum of all forces vanishes to rounding,
 * or the program fails. With several ranks each has the particles of its box.  With --placement in the transforms are in
 * place, and the arrays of the mesh are those of mfft_pm_layout; with --blocks, in place, several ranks exchange a
 * transform in so many parts, and the plan, which has neither workspace nor window then, does not transform alone.  The
 * memory is that of mesh and plan, in arrays of the plan.  --transport to --effort, an mfft_effort, are options of the plan;
 * --trace 1 prints the time line of the transforms of one more step, of rank 0.  With --at-once 0 the transforms of a step
 * are two executes (plan/convolve.h). */
#include <math.h>
#include <mpi.h>

#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_motion.h"
#include "mfft_mpi.h"
#include "mfft_particles.h"
#include "plan/plan.h"

static const char *backend = "cuda";
static int64_t n = 512, cells = 1024;
static int order = 3, repeats = 5, rank;
static mfft_green_gradient gradient = MFFT_GREEN_GRADIENT_FD4;
static mfft_options how; /* of the plan */
static int in_place, blocks, traces, at_once = 1;

typedef struct bench {
  mfft_plan plan;
  mfft_particle_mesh mesh;
  mfft_particles particles;
  float *host[3], *place[3], *force[3]; /* positions, in the memory of the plan, results there */
  void *array[2];                       /* of the plan, for the transforms alone */
} bench;

static void *allocate(size_t bytes) {
  void *made = NULL;
  CHECK_OK(mfft_memory_alloc(backend, bytes + 1, &made));
  return made;
}

/* ---- Particles ------------------------------------------------------------------------------------------------------- */

static void make_particles(bench *b) {
  mfft_box box;
  const int64_t wide = cells / n;
  int64_t lo[3], side[3];
  CHECK_OK(mfft_plan_box(b->plan, MFFT_IN, &box));
  for (int a = 0; a < 3; a++) {
    if (box.lo[a] % wide || box.hi[a] % wide) {
      fprintf(stderr, "rank %d has cells %lld to %lld of axis %d, not multiples of %lld; use other ranks\n", rank,
              (long long)box.lo[a], (long long)box.hi[a], a, (long long)wide);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    lo[a] = box.lo[a] / wide;
    side[a] = (box.hi[a] - box.lo[a]) / wide;
  }
  mfft_particles_init(&b->particles);
  b->particles.count = side[0] * side[1] * side[2];
  b->particles.type = MFFT_POSITION_SINGLE;
  const size_t bytes = (size_t)b->particles.count * sizeof(float);
  uint64_t state = 88172645463325252u + (uint64_t)rank;
  for (int a = 0; a < 3; a++) {
    b->host[a] = malloc(bytes + 1);
    b->place[a] = allocate(bytes);
    b->force[a] = allocate(bytes);
    b->particles.position[a] = b->place[a];
  }
  for (int64_t i = 0; i < b->particles.count; i++) {
    const int64_t at[3] = {i / side[2] / side[1], i / side[2] % side[1], i % side[2]};
    for (int a = 0; a < 3; a++) {
      const double u = 0.5 + 0.998 * test_random(&state); /* single precision does not round it beyond the box */
      b->host[a][i] = (float)(((double)(lo[a] + at[a]) + u) / (double)n);
    }
  }
}

/* Exchanges a share of the particles with others of the rank. */
static void shuffle(bench *b, double share) {
  uint64_t state = 7;
  for (int64_t i = b->particles.count - 1; i > 0; i--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int64_t other = (int64_t)((state >> 33) % (uint64_t)(i + 1));
    if (share < 1 && (double)(state & 0xffffff) >= share * 0x1p24) continue;
    for (int a = 0; a < 3; a++) {
      const float kept = b->host[a][i];
      b->host[a][i] = b->host[a][other];
      b->host[a][other] = kept;
    }
  }
}

/* ---- What is timed --------------------------------------------------------------------------------------------------- */

static double slowest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

static void find_forces(bench *b) {
  mfft_force_desc f;
  mfft_force_desc_init(&f);
  f.precision = MFFT_SINGLE;
  f.gradient = gradient;
  for (int a = 0; a < 3; a++) f.force[a] = b->force[a];
  CHECK_OK(mfft_particles_force(b->mesh, &b->particles, &f));
}

/* The transforms of a step. */
static int count_transforms(void) { return gradient == MFFT_GREEN_GRADIENT_MESH ? 2 : 4; }

static void transform(bench *b) {
  void *const spectrum = b->array[in_place ? 0 : 1];
  CHECK_OK(mfft_execute(b->plan, MFFT_FORWARD, b->array[0], spectrum));
  for (int i = 1; i < count_transforms(); i++) CHECK_OK(mfft_execute(b->plan, MFFT_BACKWARD, spectrum, b->array[0]));
}

/* The least seconds of some rounds, of the slowest rank; the first makes space.  parts: those of deposit and gather. */
static double least_of(bench *b, void (*does)(bench *b), double parts[2]) {
  double least = INFINITY;
  for (int round = 0; round <= repeats; round++) {
    double before[2], after[2];
    CHECK_OK(mfft_particle_mesh_seconds(b->mesh, &before[0], &before[1]));
    CHECK_OK(mfft_plan_synchronize(b->plan));
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    does(b);
    CHECK_OK(mfft_plan_synchronize(b->plan));
    const double took = slowest(MPI_Wtime() - begin);
    CHECK_OK(mfft_particle_mesh_seconds(b->mesh, &after[0], &after[1]));
    if (!round || took >= least) continue;
    least = took;
    for (int i = 0; i < 2; i++) parts[i] = after[i] - before[i];
  }
  for (int i = 0; i < 2; i++) parts[i] = slowest(parts[i]);
  return least;
}

/* Prints the time line of the transforms of a step. */
static void print_trace(bench *b) {
  int64_t spans;
  for (int i = 0; i < 2; i++) { /* as mfft_plan_trace asks for */
    CHECK_OK(mfft_plan_trace(b->plan, 1));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  find_forces(b);
  CHECK_OK(mfft_plan_synchronize(b->plan));
  CHECK_OK(mfft_plan_trace_count(b->plan, &spans));
  for (int64_t i = 0; i < spans && rank == 0; i++) {
    mfft_span s;
    CHECK_OK(mfft_plan_trace_span(b->plan, i, &s));
    printf("span %8.3f %8.3f ms  %s  queue %d (%s)  %s  %s\n", 1e3 * s.start_s, 1e3 * s.end_s,
           s.direction == MFFT_FORWARD ? "forward" : "backward", s.queue, s.queue_name, mfft_span_kind_name(s.kind),
           s.label);
  }
  CHECK_OK(mfft_plan_trace(b->plan, 0));
  char text[16384];
  if (rank == 0 && mfft_plan_describe(b->plan, text, sizeof text, NULL) == MFFT_SUCCESS) printf("%s", text);
}

/* The sum of all forces along the worst axis, over that of their magnitudes. */
static double imbalance(bench *b) {
  const size_t count = (size_t)b->particles.count;
  float *values = malloc(count * sizeof *values + 1);
  double worst = 0;
  for (int a = 0; a < 3; a++) {
    double sum[2] = {0, 0};
    if (count) CHECK_OK(mfft_memory_download(backend, values, b->force[a], count * sizeof *values));
    for (size_t i = 0; i < count; i++) sum[0] += values[i], sum[1] += fabs(values[i]);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    worst = sum[1] > 0 ? fmax(worst, fabs(sum[0]) / sum[1]) : INFINITY;
  }
  free(values);
  return worst;
}

static void measure(bench *b, const char *sequence) {
  double parts[2] = {0, 0}, none[2] = {0, 0};
  for (int a = 0; a < 3; a++)
    CHECK_OK(mfft_memory_upload(backend, b->place[a], b->host[a], (size_t)b->particles.count * sizeof(float)));
  const double step = least_of(b, find_forces, parts), off = imbalance(b), plain = blocks ? 0 : least_of(b, transform, none);
  CHECK(off < 1e-5, "%s: the forces add up to %.3g of their magnitudes", sequence, off);
  size_t held, window, workspace = 0, bytes;
  CHECK_OK(mfft_particle_mesh_bytes(b->mesh, &held));
  CHECK_OK(mfft_plan_bytes(b->plan, MFFT_IN, &bytes));
  if (!in_place) CHECK_OK(mfft_plan_workspace_bytes(b->plan, &workspace)); /* else it is in the mesh */
  CHECK_OK(mfft_plan_window_bytes(b->plan, &window));
  if (blocks) window = 0; /* the plan does not execute, and the window of a block is in the mesh */
  if (rank == 0)
    printf(
        "%-6s step %8.3f ms  %6.3fe9 particles/s   deposit %7.3f  transforms and rest %7.3f  gather %7.3f ms   %d "
        "transforms alone %7.3f ms, %2.0f %% of the step   sum of forces %.1e   memory, sort included, %.2f arrays\n",
        sequence, 1e3 * step, (double)n * (double)n * (double)n / step * 1e-9, 1e3 * parts[0],
        1e3 * (step - parts[0] - parts[1]), 1e3 * parts[1], count_transforms(), 1e3 * plain, 100 * plain / step, off,
        (double)(held + workspace + window) / (double)bytes);
  if (traces) print_trace(b);
  fflush(stdout);
}

/* ---- Decay of the sequence ------------------------------------------------------------------------------------------- */

enum { COLUMNS = 7 }; /* of 8 bytes: positions, momenta and indices of a simulation */

static void arrange(bench *b) {
  mfft_particle_column column[COLUMNS];
  for (int c = 0; c < COLUMNS; c++) column[c] = (mfft_particle_column){8, b->array[0], b->array[1]};
  CHECK_OK(mfft_particles_arrange(b->mesh, &b->particles, column, COLUMNS));
}

/* A step in the sequence that `share` leaves; returns its seconds, and the disorder that the mesh reports. */
static double step_after(bench *b, double share, double *disorder) {
  double parts[2] = {0, 0};
  if (share > 0) shuffle(b, share);
  for (int a = 0; a < 3; a++)
    CHECK_OK(mfft_memory_upload(backend, b->place[a], b->host[a], (size_t)b->particles.count * sizeof(float)));
  const double step = least_of(b, find_forces, parts);
  CHECK_OK(mfft_particle_mesh_disorder(b->mesh, disorder));
  if (rank == 0)
    printf("share %5.3f  disorder %6.4f  step %8.3f ms  deposit %7.3f  gather %7.3f ms\n", share, *disorder, 1e3 * step,
           1e3 * parts[0], 1e3 * parts[1]);
  fflush(stdout);
  return step;
}

/* If disorder d grows by g a step and costs c d seconds a step, arranging at D costs A g/D + c D/2 a step, least at
 * D = sqrt(2 A g/c). */
static void measure_decay(bench *b) {
  static const double shares[] = {0.02, 0.05, 0.1, 0.2, 0.5};
  double ordered, disorder = 0, none[2], slope = 0;
  const double first = step_after(b, 0, &ordered);
  for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
    const double step = step_after(b, shares[i], &disorder);
    if (disorder > ordered) slope = (step - first) / (disorder - ordered);
  }
  const double took = least_of(b, arrange, none);
  if (rank) return;
  printf("arranging %d columns of 8 bytes %8.3f ms; a step takes %8.3f ms more for each unit of disorder\n", COLUMNS,
         1e3 * took, 1e3 * slope);
  for (int exponent = -4; exponent <= -1 && slope > 0; exponent++) {
    const double growth = pow(10, exponent);
    printf("disorder grows by %g a step: arrange at %.3f above that of the order\n", growth,
           sqrt(2 * took * growth / slope));
  }
}

/* ---- The bench ------------------------------------------------------------------------------------------------------- */

static void make(bench *b) {
  mfft_desc d;
  mfft_options o = how;
  mfft_particle_mesh_desc m;
  size_t bytes;
  mfft_desc_init(&d);
  mfft_particle_mesh_desc_init(&m);
  for (int a = 0; a < 3; a++) d.n[a] = cells;
  d.kind = MFFT_R2C;
  d.precision = MFFT_SINGLE;
  d.order = MFFT_ORDER_TRANSPOSED;
  d.filtered = 1u << MFFT_BACKWARD;
  o.backend = backend;
  d.placement = in_place ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  o.user_workspace = in_place; /* which the mesh gives */
  o.late_window = blocks > 0;
  m.assignment = (mfft_assignment)order;
  m.blocks = blocks;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &o, &b->plan));
  CHECK_OK(mfft_particle_mesh_create(b->plan, &m, &b->mesh));
  if (!at_once) b->plan->both_made = 1u << MFFT_CONVOLVED_BY_FILTER; /* as if there were no such program */
  for (int side = 0; side < 2; side++) {
    size_t other;
    CHECK_OK(mfft_plan_bytes(b->plan, side ? MFFT_OUT : MFFT_IN, &bytes));
    CHECK_OK(mfft_plan_bytes(b->plan, side ? MFFT_IN : MFFT_OUT, &other));
    b->array[side] = allocate(in_place && other > bytes ? other : bytes);
  }
  CHECK_OK(mfft_plan_bytes(b->plan, MFFT_IN, &bytes));
  char *const zeros = calloc(bytes + 1, 1);
  if (bytes) CHECK_OK(mfft_memory_upload(backend, b->array[0], zeros, bytes));
  free(zeros);
}

static void read_options(int argc, char **argv) {
  mfft_options_init(&how);
  how.effort = MFFT_ESTIMATE;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--transport")) how.transport = argv[i + 1];
    if (!strcmp(argv[i], "--chunks")) how.chunks = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--overlap-split")) how.overlap_split = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--effort")) how.effort = (mfft_effort)atoi(argv[i + 1]);
  }
}

static const char *read_arguments(int argc, char **argv) {
  const char *only = NULL;
  read_options(argc, argv);
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--n")) n = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--cells")) cells = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--order")) order = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--repeat")) repeats = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--backend")) backend = argv[i + 1];
    if (!strcmp(argv[i], "--gradient") && !strcmp(argv[i + 1], "mesh")) gradient = MFFT_GREEN_GRADIENT_MESH;
    if (!strcmp(argv[i], "--placement")) in_place = !strcmp(argv[i + 1], "in");
    if (!strcmp(argv[i], "--blocks")) blocks = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--trace")) traces = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--at-once")) at_once = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--only")) only = argv[i + 1];
  }
  return only;
}

int main(int argc, char **argv) {
  bench b = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *const only = read_arguments(argc, argv);
  if (blocks && (!in_place || gradient != MFFT_GREEN_GRADIENT_MESH)) {
    fprintf(stderr, "--blocks is %d; use it with --gradient mesh --placement in\n", blocks);
    return 1;
  }
  const int decays = only && !strcmp(only, "decay"); /* columns are arranged in the arrays of the plan */
  if (n < 1 || cells < n * (1 + decays) || cells % n) {
    fprintf(stderr, "--cells is %lld; use a multiple of --n, %lld%s\n", (long long)cells, (long long)n,
            decays ? ", 2 or more" : "");
    return 1;
  }
  if (!mfft_backend_usable(backend, NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  make(&b);
  make_particles(&b);
  if (rank == 0)
    printf("%lld^3 particles on %lld^3 cells, order %d, single, %s\n", (long long)n, (long long)cells, order, backend);
  if (!only || !strcmp(only, "rows")) measure(&b, "rows");
  if (decays) measure_decay(&b);
  if (!only || !strcmp(only, "random")) {
    shuffle(&b, 1);
    measure(&b, "random");
  }
  for (int a = 0; a < 3; a++) {
    CHECK_OK(mfft_memory_free(backend, b.place[a]));
    CHECK_OK(mfft_memory_free(backend, b.force[a]));
    free(b.host[a]);
  }
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_memory_free(backend, b.array[side]));
  mfft_particle_mesh_destroy(b.mesh);
  mfft_plan_destroy(b.plan);
  MPI_Finalize();
  return test_end();
}
