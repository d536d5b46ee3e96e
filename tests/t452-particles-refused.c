// TEST ranks=1,3 labels=particles
/* Particles and plans that meshes refuse: NaN and infinity by index, particles of other ranks, sums beyond single precision,
 * plans of other kinds, arguments that differ between ranks.  All ranks get the same status, and the mesh can be used
 * afterwards. */
#include "particle_set.h"

static int rank, ranks;
static const int64_t n[3] = {12, 10, 8};

static mfft_particle_mesh make(mfft_plan plan) {
  mfft_particle_mesh mesh = NULL;
  mfft_particle_mesh_desc d;
  mfft_particle_mesh_desc_init(&d);
  CHECK_OK(mfft_particle_mesh_create(plan, &d, &mesh));
  return mesh;
}

/* One particle more than MFFT_PM_BATCH in the middle of this rank's box. */
enum { COUNT = MFFT_PM_BATCH + 6 };
static double position[3][COUNT], weight[COUNT];

static mfft_particles settle(mfft_particle_mesh mesh) {
  mfft_particles p;
  mfft_particles_init(&p);
  p.count = mfft_box_empty(&mesh->grid.own) ? 0 : COUNT;
  for (int a = 0; a < 3; a++) {
    p.position[a] = position[a];
    for (int i = 0; i < COUNT; i++) position[a][i] = ((double)mesh->grid.own.lo[a] + 0.25) / (double)n[a];
  }
  for (int i = 0; i < COUNT; i++) weight[i] = 1;
  return p;
}

static void bad_values(mfft_precision precision) {
  mfft_plan plan = pm_plan(MPI_COMM_WORLD, n, precision, 0);
  mfft_particle_mesh mesh = make(plan);
  mfft_particles p = settle(mesh);
  mfft_particle_field f;
  mfft_particle_field_init(&f);
  f.mesh = pm_array(plan);
  f.value = weight;
  const int last = rank == ranks - 1;
  position[1][66] = last ? NAN : position[1][66];
  CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 1), MFFT_ERR_NONFINITE, "position[1] of particle 66 is nan");
  CHECK_FAILS(mfft_particles_gather(mesh, &p, &f, 1), MFFT_ERR_NONFINITE, "position[1] of particle 66 is nan");
  p = settle(mesh);
  position[2][3] = last ? -INFINITY : position[2][3];
  CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 1), MFFT_ERR_NONFINITE, "position[2] of particle 3 is -inf");
  mfft_particle_exchange x = NULL;
  CHECK_FAILS(mfft_particle_exchange_create(mesh, &p, &x), MFFT_ERR_NONFINITE, "particle 3");
  p = settle(mesh);
  p.count = last ? INT64_C(1) << 32 : p.count; /* refused before any is read */
  CHECK_FAILS(mfft_particle_exchange_create(mesh, &p, &x), MFFT_ERR_UNSUPPORTED,
              "are more than the 2^32 - 1 of an exchange; use more ranks");
  p = settle(mesh);
  weight[65] = last ? NAN : 1;
  CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 1), MFFT_ERR_NONFINITE, "weight of particle 65 is nan");
  p = settle(mesh);
  weight[5] = last ? INFINITY : 1;
  CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 1), MFFT_ERR_NONFINITE, "weight of particle 5 is inf");
  p = settle(mesh);
  for (int i = 0; i < COUNT; i++) weight[i] = 1e300;
  if (precision == MFFT_SINGLE) {
    CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 1), MFFT_ERR_NONFINITE, "exceed the range of single precision");
  } else {
    CHECK_OK(mfft_particles_deposit(mesh, &p, &f, 1));
  }
  p = settle(mesh);
  if (ranks > 1) {
    position[0][9] = last ? 0.01 : position[0][9];
    CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 1), MFFT_ERR_ARG, "particle 9 lies in cell (0,");
    p = settle(mesh);
    f.add = last;
    CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 1), MFFT_ERR_MISMATCH, "field[].add");
    f.add = 0;
  }
  CHECK_OK(mfft_particles_deposit(mesh, &p, &f, 1));
  f.precision = MFFT_HALF;
  CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 1), MFFT_ERR_ARG, "field[0].precision");
  f.precision = MFFT_DOUBLE;
  CHECK_FAILS(mfft_particles_deposit(mesh, &p, &f, 0), MFFT_ERR_ARG, "fields is 0");
  CHECK_FAILS(mfft_particles_deposit(mesh, NULL, &f, 1), MFFT_ERR_ARG, "particles is NULL");
  CHECK_FAILS(mfft_particles_deposit(NULL, &p, &f, 1), MFFT_ERR_ARG, "mesh is NULL");
  mfft_free(f.mesh);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

static void bad_plans(void) {
  mfft_desc d;
  mfft_plan plan = NULL;
  mfft_particle_mesh mesh = NULL;
  mfft_particle_mesh_desc m;
  mfft_particle_mesh_desc_init(&m);
  mfft_desc_init(&d);
  memcpy(d.n, n, sizeof d.n);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, NULL, &plan));
  CHECK_FAILS(mfft_particle_mesh_create(plan, &m, &mesh), MFFT_ERR_UNSUPPORTED,
              "made with desc.kind = 0, and particles need");
  mfft_plan_destroy(plan);
  d.kind = MFFT_R2C;
  d.precision = MFFT_HALF;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, NULL, &plan));
  CHECK_FAILS(mfft_particle_mesh_create(plan, &m, &mesh), MFFT_ERR_UNSUPPORTED, "the plan is in half");
  mfft_plan_destroy(plan);
  d.precision = MFFT_DOUBLE;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, NULL, &plan));
  m.length[1] = rank ? 1 : -1;
  CHECK_FAILS(mfft_particle_mesh_create(plan, &m, &mesh), MFFT_ERR_ARG, "desc.length[1] is -1");
  m.length[1] = 1;
  m.assignment = (mfft_assignment)7;
  CHECK_FAILS(mfft_particle_mesh_create(plan, &m, &mesh), MFFT_ERR_ARG, "desc.assignment is 7");
  m.assignment = rank ? MFFT_CIC : MFFT_TSC;
  if (ranks > 1) CHECK_FAILS(mfft_particle_mesh_create(plan, &m, &mesh), MFFT_ERR_MISMATCH, "desc.assignment");
  CHECK(mesh == NULL);
  m.assignment = (mfft_assignment)0;
  CHECK_OK(mfft_particle_mesh_create(plan, &m, &mesh));
  mfft_particles p = settle(mesh);
  mfft_force_desc f;
  mfft_force_desc_init(&f);
  CHECK_FAILS(mfft_particles_force(mesh, &p, &f), MFFT_ERR_STATE, "without a filter for MFFT_BACKWARD");
  size_t bytes = 0;
  CHECK_OK(mfft_particle_mesh_bytes(mesh, &bytes));
  CHECK(bytes > 0);
  mfft_particle_mesh_destroy(mesh);
  mfft_particle_mesh_destroy(NULL);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bad_values(MFFT_SINGLE);
  bad_values(MFFT_DOUBLE);
  bad_plans();
  MPI_Finalize();
  return test_end();
}
