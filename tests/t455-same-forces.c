// TEST ranks=1,2,3 more=5 labels=particles
/* With options.reproducible forces and potentials have the same bits as those of a local plan on one thread: on any ranks,
 * with any boxes, grids, threads, placements and blocks; and other backends and options that cannot do it refuse. */
#include "particle_set.h"
#include "plan/plan.h"

static const double length[3] = {3, 2, 4};

static mfft_plan make_plan(MPI_Comm comm, const int64_t n[3], mfft_precision precision, int boxes, int threads) {
  mfft_options o;
  mfft_options_init(&o);
  o.reproducible = 1;
  o.threads = threads;
  return pm_plan_by(comm, n, precision, boxes, o);
}

/* A deposit of counts into an array by itself, and a gather of it. */
static void deposit_and_gather(mfft_plan plan, mfft_particle_mesh mesh, const mfft_particles *particles, double *value) {
  mfft_particle_field field;
  size_t bytes;
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes));
  mfft_particle_field_init(&field);
  field.mesh = calloc(bytes + 64, 1);
  CHECK_OK(mfft_particles_deposit(mesh, particles, &field, 1));
  field.value = value;
  CHECK_OK(mfft_particles_gather(mesh, particles, &field, 1));
  for (int64_t i = 0; i < particles->count; i++) CHECK(value[i] > 0, "particle %lld finds no density", (long long)i);
  free(field.mesh);
}

/* Three forces and the potential of each particle of the set, by its number: result[count][4], on all ranks.  scratch: of
 * the mesh; 1: particles are sorted in parts, and after a deposit in between the forces are the same. */
static void solve(mfft_plan plan, MPI_Comm comm, int threads, int blocks, size_t scratch, mfft_green_gradient gradient,
                  const pm_set *set, double *result) {
  mfft_particle_mesh_desc d;
  mfft_particle_mesh mesh = NULL;
  mfft_particle_mesh_desc_init(&d);
  memcpy(d.length, length, sizeof length);
  d.threads = threads;
  d.blocks = blocks;
  d.scratch_bytes = scratch;
  CHECK_OK(mfft_particle_mesh_create(plan, &d, &mesh));
  pm_mine mine = pm_select(mesh, set, MFFT_POSITION_DOUBLE, threads > 1);
  double *mine_of = calloc((size_t)(4 * mine.particles.count) + 1, sizeof *mine_of);
  mfft_force_desc f;
  mfft_force_desc_init(&f);
  f.stride = 4;
  f.gradient = gradient;
  for (int a = 0; a < 3; a++) f.force[a] = mine_of + a;
  f.potential = mine_of + 3;
  CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
  if (scratch) {
    deposit_and_gather(plan, mesh, &mine.particles, mine_of);
    CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
  }
  memset(result, 0, (size_t)set->count * 4 * sizeof *result);
  for (int64_t i = 0; i < mine.particles.count; i++) memcpy(result + 4 * mine.index[i], mine_of + 4 * i, 4 * sizeof *result);
  if (comm != MPI_COMM_NULL) /* each particle is on one rank: the others add 0 */
    MPI_Allreduce(MPI_IN_PLACE, result, (int)(4 * set->count), MPI_DOUBLE, MPI_SUM, comm);
  free(mine_of);
  pm_release(&mine);
  mfft_particle_mesh_destroy(mesh);
}

static void same_bits(const int64_t n[3], mfft_precision precision, mfft_green_gradient gradient) {
  pm_set set = pm_random(4000, n, length, 51);
  double *want = malloc((size_t)set.count * 32), *got = malloc((size_t)set.count * 32);
  mfft_plan plan = make_plan(MPI_COMM_NULL, n, precision, 0, 1);
  solve(plan, MPI_COMM_NULL, 1, 0, 0, gradient, &set, want);
  mfft_plan_destroy(plan);
  for (int boxes = 0; boxes < PM_BOXES; boxes++)
    for (int threads = 1; threads <= 2; threads++) {
      plan = make_plan(MPI_COMM_WORLD, n, precision, boxes, threads);
      solve(plan, MPI_COMM_WORLD, threads, threads > 1 ? 1 + 2 * boxes : 0, threads > 1, gradient, &set, got);
      int64_t differ = 0;
      for (int64_t i = 0; i < 4 * set.count; i++) differ += got[i] != want[i];
      CHECK(!differ && want[0] != 0, "%s, gradient %d, mesh %dx%dx%d, %d threads, boxes %s: %d of %d numbers differ",
            precision == MFFT_SINGLE ? "single" : "double", (int)gradient, (int)n[0], (int)n[1], (int)n[2], threads,
            pm_boxes_name[boxes], (int)differ, (int)(4 * set.count));
      mfft_plan_destroy(plan);
    }
  free(want), free(got);
  pm_free(&set);
}

static void refused(void) {
  mfft_desc d;
  mfft_options o;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&o);
  d.rank = 1;
  d.n[0] = 8;
  d.precision = MFFT_HALF;
  o.reproducible = 1;
  CHECK_FAILS(mfft_plan_create(&d, &o, &plan), MFFT_ERR_UNSUPPORTED, "it is for wider ones");
  d.precision = MFFT_SINGLE;
  o.wire = MFFT_WIRE_HALF;
  CHECK_FAILS(mfft_plan_create(&d, &o, &plan), MFFT_ERR_ARG, "MFFT_WIRE_FULL");
  o.wire = MFFT_WIRE_FULL;
  o.reproducible = 2;
  CHECK_FAILS(mfft_plan_create(&d, &o, &plan), MFFT_ERR_ARG, "use 0 or 1");
  const mfft_backend *fftw = NULL;
  CHECK_OK(mfft_backend_find("fftw", &fftw));
  mfft_backend other = *fftw;
  other.reproduces = 0;
  o.reproducible = 1;
  CHECK_FAILS(mfft_options_suit(&o, &other), MFFT_ERR_UNSUPPORTED, "use \"fftw\"");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t sizes[3][3] = {{24, 18, 20}, {32, 32, 32}, {7, 26, 136}};
  for (int s = 0; s < 3; s++) {
    same_bits(sizes[s], MFFT_DOUBLE, MFFT_GREEN_GRADIENT_FD4);
    if (s < 2) same_bits(sizes[s], MFFT_SINGLE, MFFT_GREEN_GRADIENT_FD4);
    if (s != 1) same_bits(sizes[s], s ? MFFT_DOUBLE : MFFT_SINGLE, MFFT_GREEN_GRADIENT_MESH);
  }
  refused();
  MPI_Finalize();
  return test_end();
}
