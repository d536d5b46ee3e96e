// TEST ranks=1,2,3 labels=emulated+particles timeout=300
// TEST ranks=1 labels=emulated+particles args=--arch,89 timeout=300
// TEST ranks=1 labels=cuda args=--large timeout=300
/* A time step on a GPU: particles move to the ranks that own them and back, as triples and as single arrays, and feel the
 * forces of the CPU, to rounding, with plans that keep, overwrite, or share their arrays.  --arch: an emulated GPU whose
 * shared memory does not hold the potential of a tile in double. */
#include "particle_set.h"
#include "plan/convolve.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else

static const double length[3] = {1, 2.5, 100};

static void *copy_to(const void *host, size_t bytes) {
  void *array = NULL;
  CHECK_OK(mfft_memory_alloc("cuda", bytes + 1, &array));
  if (bytes) CHECK_OK(mfft_memory_upload("cuda", array, host, bytes));
  return array;
}

/* The kinds of forces that are compared: from ON_MESH on the gradient is taken on the mesh; from BANDS on the plan is in
 * place, and its sums are held by bands or, in PARTS, where particles are sorted in parts, for all cells. */
enum { IN_PLACE = 1, DESTROYS, ON_MESH, SINGLE, BANDS, PARTS, KINDS };
static int in_place(int kind) { return kind == IN_PLACE || kind >= BANDS; }
static int is_single(int kind) { return kind == IN_PLACE || kind >= SINGLE; }

static mfft_plan plan_of(const char *backend, const int64_t n[3], mfft_precision precision, int kind) {
  mfft_desc d;
  mfft_options o;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&o);
  memcpy(d.n, n, sizeof d.n);
  d.kind = MFFT_R2C;
  d.precision = precision;
  d.filtered = 1 << MFFT_BACKWARD;
  d.placement = in_place(kind) ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.allow_destroy_input = kind == DESTROYS;
  o.backend = backend;
  o.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &o, &plan));
  return plan;
}

/* Forces and potential, [count][4], of particles in the memory of the plan. */
static void forces(mfft_particle_mesh mesh, const mfft_particles *particles, const void *mass, int kind, double *result) {
  mfft_force_desc f;
  mfft_force_desc_init(&f);
  f.mass = mass;
  f.coefficient = 3;
  f.stride = 4;
  f.gradient = kind >= ON_MESH ? MFFT_GREEN_GRADIENT_MESH : MFFT_GREEN_GRADIENT_FD4;
  for (int a = 0; a < 3; a++) f.force[a] = result + a;
  f.potential = result + 3;
  CHECK_OK(mfft_particles_force(mesh, particles, &f));
}

static void compare(const int64_t n[3], int kind, int64_t total) {
  const mfft_precision precision = is_single(kind) ? MFFT_SINGLE : MFFT_DOUBLE;
  const size_t scratch = kind == PARTS; /* 1024 particles at a time */
  mfft_plan cpu = plan_of("fftw", n, precision, kind), gpu = plan_of("cuda", n, precision, kind);
  mfft_particle_mesh here = pm_mesh(cpu, length, MFFT_TSC, 0, 2, scratch),
                     there = pm_mesh(gpu, length, MFFT_TSC, 0, 1, scratch);
  pm_set set = pm_random(total, n, length, 23);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  /* Each rank begins with a share of the set, whoever owns it: triples for the CPU's rows, single arrays for weights. */
  const int64_t first = total * rank / ranks, count = total * (rank + 1) / ranks - first;
  double *x = malloc((size_t)count * 24 + 1), *mass = set.weight + first;
  for (int64_t i = 0; i < 3 * count; i++) x[i] = set.x[i % 3][first + i / 3];
  mfft_particles p[2];
  for (int side = 0; side < 2; side++) {
    mfft_particles_init(&p[side]);
    p[side].count = count;
    p[side].stride = 3;
  }
  double *x_there = copy_to(x, (size_t)count * 24), *mass_there = copy_to(mass, (size_t)count * 8);
  for (int a = 0; a < 3; a++) p[0].position[a] = x + a, p[1].position[a] = x_there + a;

  mfft_particle_exchange exchange[2];
  mfft_particle_mesh const mesh[2] = {here, there};
  int64_t arriving[2];
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_particle_exchange_create(mesh[side], &p[side], &exchange[side]));
    CHECK_OK(mfft_particle_exchange_count(exchange[side], &arriving[side], NULL));
  }
  double *moved[2], *heavy[2], *result[2], *back[2];
  moved[0] = malloc((size_t)arriving[0] * 24 + 1), heavy[0] = malloc((size_t)arriving[0] * 8 + 1);
  result[0] = calloc((size_t)arriving[0] * 4 + 1, 8), back[0] = calloc((size_t)count * 4 + 1, 8);
  double *const none = calloc((size_t)(arriving[1] + count) * 4 + 1, 8);
  moved[1] = copy_to(none, (size_t)arriving[1] * 24), heavy[1] = copy_to(none, (size_t)arriving[1] * 8);
  result[1] = copy_to(none, (size_t)arriving[1] * 32), back[1] = copy_to(none, (size_t)count * 32);
  const void *const from[2][2] = {{x, mass}, {x_there, mass_there}};
  for (int side = 0; side < 2; side++) {
    const mfft_particle_column columns[2] = {{24, from[side][0], moved[side]}, {8, from[side][1], heavy[side]}};
    CHECK_OK(mfft_particle_exchange_send(exchange[side], columns, 2));
    mfft_particles q = p[side];
    q.count = arriving[side];
    for (int a = 0; a < 3; a++) q.position[a] = moved[side] + a;
    for (int step = 0; step < 1 + (kind == PARTS); step++) forces(mesh[side], &q, heavy[side], kind, result[side]);
    const mfft_particle_column column = {32, result[side], back[side]};
    CHECK_OK(mfft_particle_exchange_return(exchange[side], &column, 1));
  }
  if (count) CHECK_OK(mfft_memory_download("cuda", none, back[1], (size_t)count * 32));
  if (ranks == 1) /* with differences of the potential on one GPU both directions are one program */
    CHECK(mfft_plan_convolves_at_once(gpu, MFFT_CONVOLVED_BY_FILTER) == (kind >= ON_MESH),
          "kind %d: the plan has %s program of both directions", kind, kind >= ON_MESH ? "no" : "a");
  double potential = 0;
  for (int r = 3; r >= 0; r--) {
    double error[2] = {0, 0};
    for (int64_t i = 0; i < count; i++) {
      error[0] = fmax(error[0], fabs(back[0][4 * i + r] - none[4 * i + r]));
      error[1] = fmax(error[1], fabs(back[0][4 * i + r]));
    }
    MPI_Allreduce(MPI_IN_PLACE, error, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (r == 3) potential = error[1];
    if (r < 3 && kind >= ON_MESH) error[1] += potential * (double)n[r] / length[r]; /* differences of a rounded potential */
    CHECK(error[1] > 0 && error[0] <= (precision == MFFT_SINGLE ? 2e-6 : 1e-13) * error[1],
          "precision %d, kind %d, result %d: %.3g of %.3g", (int)precision, kind, r, error[0], error[1]);
  }
  for (int side = 0; side < 2; side++) mfft_particle_exchange_destroy(exchange[side]);
  void *const device[] = {x_there, mass_there, moved[1], heavy[1], result[1], back[1]};
  for (size_t i = 0; i < sizeof device / sizeof device[0]; i++) CHECK_OK(mfft_memory_free("cuda", device[i]));
  free(x), free(moved[0]), free(heavy[0]), free(result[0]), free(back[0]), free(none);
  pm_free(&set);
  mfft_particle_mesh_destroy(here), mfft_particle_mesh_destroy(there);
  mfft_plan_destroy(cpu), mfft_plan_destroy(gpu);
}

int main(int argc, char **argv) {
  static const int64_t small[3] = {24, 12, 10}, large[3] = {128, 96, 160};
  const int is_large = argc > 1 && !strcmp(argv[1], "--large");
  const char *arch = argc > 2 && !strcmp(argv[1], "--arch") ? argv[2] : NULL;
  if (arch) setenv("MFFT_EMULATED_ARCH", arch, 1);
  MPI_Init(&argc, &argv);
  if (!mfft_backend_usable("cuda", NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  for (int kind = arch ? ON_MESH : 0; kind < (arch ? ON_MESH + 1 : KINDS); kind++)
    compare(is_large ? large : small, kind, is_large ? 500000 : kind == PARTS ? 5000 : 300);
  MPI_Finalize();
  return test_end();
}
#endif
