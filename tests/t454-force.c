// TEST ranks=1,2,3 more=5 labels=particles timeout=120
/* Forces of particles on a mesh: against sums over Fourier modes of the whole pipeline, written out here; every Green's
 * function, gradient, window and split; plans of all scales and placements; the sum of forces is 0, and so are the forces of
 * a lattice. */
#include <complex.h>

#include "particle_set.h"

static const double length[3] = {3, 2, 4};
static const long double pi = 3.14159265358979323846264338327950288L;
static int rank;

typedef struct problem {
  int64_t n[3];
  int assignment, centered, deconvolve;
  mfft_green_laplacian laplacian;
  mfft_green_gradient gradient;
  double split, coefficient;
} problem;

/* One axis of the Green's function at signed wave number m, by its definition in the header. */
static long double laplacian_of(const problem *p, int a, int64_t m) {
  const long double h = (long double)length[a] / (long double)p->n[a], w = 2 * pi * (long double)m / (long double)p->n[a];
  const long double s = sinl(w / 2);
  if (p->laplacian == MFFT_GREEN_SPECTRAL) return w * w / (h * h);
  return 4 * s * s / (h * h) * (p->laplacian == MFFT_GREEN_FD4 ? 1 + s * s / 3 : 1);
}

static long double gradient_of(const problem *p, int a, int64_t m) {
  const long double h = (long double)length[a] / (long double)p->n[a], w = 2 * pi * (long double)m / (long double)p->n[a];
  if (2 * m == p->n[a] || 2 * m == -p->n[a]) return 0;
  return p->gradient == MFFT_GREEN_GRADIENT_SPECTRAL ? w / h : (8 * sinl(w) - sinl(2 * w)) / (6 * h);
}

static long double filter_of(const problem *p, int a, int64_t m) {
  const long double w = 2 * pi * (long double)m / (long double)p->n[a], h = (long double)length[a] / (long double)p->n[a];
  long double widest = 0;
  for (int b = 0; b < 3; b++) widest = fmaxl(widest, (long double)length[b] / (long double)p->n[b]);
  const long double k = w / h * (long double)p->split * widest, sinc = m ? sinl(w / 2) / (w / 2) : 1;
  return expl(-k * k) / powl(sinc, p->assignment * p->deconvolve);
}

/* The potential and forces on the whole mesh: result[4][cells], the potential last. */
static void solve_direct(const problem *p, const long double *density, double *result[4]) {
  const int64_t *n = p->n, cells = n[0] * n[1] * n[2];
  for (int r = 0; r < 4; r++) memset(result[r], 0, (size_t)cells * sizeof(double));
  long double *sum = calloc((size_t)(4 * cells), sizeof *sum);
  for (int64_t mode = 1; mode < cells; mode++) {
    const int64_t index[3] = {mode / (n[1] * n[2]), mode / n[2] % n[1], mode % n[2]};
    long double S = 0, F = 1, g[3];
    for (int a = 0; a < 3; a++) {
      const int64_t m = 2 * index[a] > n[a] ? index[a] - n[a] : index[a];
      S += laplacian_of(p, a, m);
      F *= filter_of(p, a, m);
      g[a] = gradient_of(p, a, m);
    }
    long double _Complex amplitude = 0;
    for (int pass = 0; pass < 2; pass++) /* forward, then back */
      for (int64_t cell = 0; cell < cells; cell++) {
        const int64_t at[3] = {cell / (n[1] * n[2]), cell / n[2] % n[1], cell % n[2]};
        long double turns = 0;
        for (int a = 0; a < 3; a++) turns += (long double)(index[a] * at[a] % n[a]) / (long double)n[a];
        const long double c = cosl(2 * pi * turns), s = sinl(2 * pi * turns);
        if (!pass) {
          amplitude += density[cell] * (c - s * 1.0Li);
          continue;
        }
        const long double _Complex wave =
            amplitude * (c + s * 1.0Li) * (-(long double)p->coefficient * F / S / (long double)cells);
        sum[3 * cells + cell] += creall(wave);
        for (int a = 0; a < 3; a++) sum[a * cells + cell] += creall(-1.0Li * g[a] * wave);
      }
  }
  for (int64_t i = 0; i < 4 * cells; i++) result[i / cells][i % cells] = (double)sum[i];
  free(sum);
}

enum { GIVEN = 4, KINDS }; /* of plans: scales, orders, placements */

static mfft_plan make_plan(const int64_t n[3], mfft_precision precision, int kind) {
  mfft_desc d;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  memcpy(d.n, n, sizeof d.n);
  d.kind = MFFT_R2C;
  d.precision = precision;
  d.filtered = 1 << MFFT_BACKWARD;
  d.order = kind == 1 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
  mfft_options o;
  mfft_options_init(&o);
  o.user_workspace = kind == GIVEN; /* which the mesh gives it */
  d.placement = kind == 2 || kind == GIVEN ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.allow_destroy_input = kind == 3;
  d.scale[MFFT_FORWARD] = (mfft_scale)(kind % 3);
  d.scale[MFFT_BACKWARD] = (mfft_scale)((kind + 1) % 3);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &o, &plan));
  return plan;
}

static void against_modes(const problem *p, mfft_precision precision, int kind) {
  const int64_t *n = p->n, cells = n[0] * n[1] * n[2];
  mfft_plan plan = make_plan(n, precision, kind);
  mfft_particle_mesh mesh = pm_mesh(plan, length, p->assignment, p->centered, 2, 0);
  pm_set set = pm_random(60, n, length, 41);
  pm_mine mine = pm_select(mesh, &set, MFFT_POSITION_DOUBLE, 0);
  const int64_t count = mine.particles.count;
  long double *density = calloc((size_t)cells, sizeof *density);
  long double potential = 0;
  double *truth[4], *result = calloc((size_t)(4 * count) + 1, sizeof *result);
  for (int r = 0; r < 4; r++) truth[r] = malloc((size_t)cells * sizeof(double));
  long double(*g)[3] = calloc((size_t)set.count, sizeof *g);
  for (int64_t i = 0; i < set.count; i++) {
    for (int a = 0; a < 3; a++) {
      g[i][a] = (long double)set.x[a][i] / (long double)length[a] * (long double)n[a];
      g[i][a] -= (long double)n[a] * floorl(g[i][a] / (long double)n[a]) + (p->centered ? 0.5L : 0);
    }
    const long double volume = (long double)length[0] * length[1] * length[2] / (long double)cells;
    pm_direct(p->assignment, n, g[i], set.weight[i] / volume, density, NULL, NULL);
  }
  solve_direct(p, density, truth);

  mfft_force_desc f;
  mfft_force_desc_init(&f);
  f.mass = mine.weight;
  f.coefficient = p->coefficient;
  f.laplacian = p->laplacian;
  f.gradient = p->gradient;
  f.deconvolve = p->deconvolve;
  f.split = p->split;
  f.stride = 4;
  for (int a = 0; a < 3; a++) f.force[a] = result + a;
  f.potential = result + 3;
  CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
  f.add = 1; /* twice as much, by arrays and a sort of an earlier version */
  CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
  for (int r = 3; r >= 0; r--) {
    long double error[2] = {0, 0};
    for (int64_t i = 0; i < count; i++) {
      long double value = 0;
      pm_direct(p->assignment, n, g[mine.index[i]], 0, NULL, truth[r], &value);
      error[0] = fmaxl(error[0], fabsl(result[4 * i + r] / 2 - value));
      error[1] = fmaxl(error[1], fabsl(value));
    }
    MPI_Allreduce(MPI_IN_PLACE, error, 2, MPI_LONG_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (r == 3) potential = error[1];
    if (r < 3 && p->gradient == MFFT_GREEN_GRADIENT_MESH) /* differences of a rounded potential */
      error[1] = fmaxl(error[1], potential * (long double)n[r] / (long double)length[r]);
    CHECK(error[0] <= (precision == MFFT_SINGLE ? 2e-6L : 1e-13L) * error[1],
          "order %d, laplacian %d, gradient %d, deconvolve %d, split %g, kind %d, result %d: %.3Lg of %.3Lg", p->assignment,
          (int)p->laplacian, (int)p->gradient, p->deconvolve, p->split, kind, r, error[0], error[1]);
  }
  for (int r = 0; r < 4; r++) free(truth[r]);
  free(density), free(result), free(g);
  pm_release(&mine);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

/* Sum of mass times force, over the sum of its magnitudes. */
static void momentum(mfft_precision precision, mfft_green_gradient gradient) {
  const int64_t n[3] = {24, 18, 20};
  mfft_plan plan = make_plan(n, precision, 0);
  mfft_particle_mesh mesh = pm_mesh(plan, length, MFFT_TSC, 0, 2, 0);
  pm_set set = pm_random(3000, n, length, 43);
  for (int64_t i = 0; i < set.count; i++) set.weight[i] = fabs(set.weight[i]) + 0.1;
  pm_mine mine = pm_select(mesh, &set, MFFT_POSITION_DOUBLE, 0);
  double *force = calloc((size_t)(3 * mine.particles.count) + 1, sizeof *force);
  mfft_force_desc f;
  mfft_force_desc_init(&f);
  f.mass = mine.weight;
  f.gradient = gradient;
  f.stride = 3;
  for (int a = 0; a < 3; a++) f.force[a] = force + a;
  CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
  long double sum[6] = {0};
  for (int64_t i = 0; i < mine.particles.count; i++)
    for (int a = 0; a < 3; a++) {
      sum[a] += (long double)mine.weight[i] * force[3 * i + a];
      sum[3 + a] += fabsl((long double)mine.weight[i] * force[3 * i + a]);
    }
  MPI_Allreduce(MPI_IN_PLACE, sum, 6, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int a = 0; a < 3; a++)
    CHECK(fabsl(sum[a]) <= (precision == MFFT_SINGLE ? 1e-6L : 1e-14L) * sum[3 + a] && sum[3 + a] > 0,
          "axis %d: the sum of forces is %.3Lg of %.3Lg", a, sum[a], sum[3 + a]);
  free(force);
  pm_release(&mine);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

static size_t estimate_of(mfft_particle_mesh mesh, const mfft_particles *particles, int fields, int forces,
                          size_t exchanged) {
  mfft_particle_mesh_need need = {0, 0, 0};
  CHECK_OK(mfft_particle_mesh_estimate(mesh, particles, fields, forces, exchanged, &need));
  CHECK(need.sorting >= (size_t)particles->count * 20 && (need.meshes > 0) == (forces || mesh->precision == MFFT_SINGLE),
        "%zu bytes for sorting, %zu of meshes", need.sorting, need.meshes);
  return need.ghosts + need.sorting + need.meshes;
}

/* A mesh holds, after a deposit and after forces, as many bytes as the estimate said before; the estimate does not change.
 */
static void estimated(mfft_precision precision, int kind) {
  const int64_t n[3] = {12, 9, 10};
  mfft_plan plan = make_plan(n, precision, kind);
  mfft_particle_mesh mesh = pm_mesh(plan, length, 3, 0, 2, 0);
  pm_set set = pm_random(5000, n, length, 5);
  pm_mine mine = pm_select(mesh, &set, kind % 2 ? MFFT_POSITION_SINGLE : MFFT_POSITION_DOUBLE, 0);
  double *result = calloc((size_t)mine.particles.count + 1, sizeof *result);
  const size_t estimate[3] = {estimate_of(mesh, &mine.particles, 1, 0, 0), estimate_of(mesh, &mine.particles, 0, 1, 0),
                              estimate_of(mesh, &mine.particles, 0, 1, 1000)};
  mfft_particle_mesh_need need;
  size_t held;
  CHECK(estimate[2] == estimate[1] + 1000, "%zu bytes with 1000 that leave, %zu without", estimate[2], estimate[1]);
  mfft_particle_field field;
  mfft_particle_field_init(&field);
  field.mesh = pm_array(plan);
  CHECK_OK(mfft_particles_deposit(mesh, &mine.particles, &field, 1));
  CHECK_OK(mfft_particle_mesh_bytes(mesh, &held)); /* a work array that a call does not need has a byte */
  CHECK(held >= estimate[0] && held <= estimate[0] + 8, "a deposit: %zu bytes, and %zu were estimated", held, estimate[0]);
  mfft_force_desc f;
  mfft_force_desc_init(&f);
  f.force[1] = result;
  CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
  CHECK_OK(mfft_particle_mesh_bytes(mesh, &held));
  CHECK(held >= estimate[1] && held <= estimate[1] + 8, "forces: %zu bytes, and %zu were estimated", held, estimate[1]);
  const size_t more = estimate_of(mesh, &mine.particles, 0, 2, 0);
  f.gradient = MFFT_GREEN_GRADIENT_MESH;
  CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
  CHECK_OK(mfft_particle_mesh_bytes(mesh, &held));
  CHECK(held >= more && held <= more + 8, "differences: %zu bytes, and %zu were estimated", held, more);
  /* In place: one array, and what the deposit's band of sums or the workspace of a transform of several ranks takes. */
  size_t in, out, workspace;
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &in));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &out));
  CHECK_OK(mfft_plan_workspace_bytes(plan, &workspace));
  mfft_particle_mesh other = pm_mesh(plan, length, 3, 0, 2, 0); /* which has not held what the other gradient needs */
  CHECK_OK(mfft_particle_mesh_estimate(other, &mine.particles, 0, 2, 0, &need));
  mfft_particle_mesh_destroy(other);
  const size_t array = in > out ? in : out, band = mesh->band.bytes, beside = kind == GIVEN ? workspace : 0;
  if (kind == 2 || kind == GIVEN)
    CHECK(need.meshes >= array + beside && need.meshes <= array + (band > beside ? band : beside) + 512,
          "%zu bytes of meshes, %zu of an array, %zu of a band, %zu of a workspace", need.meshes, array, band, beside);
  const size_t now = estimate_of(mesh, &mine.particles, 1, 2, 0);
  CHECK(now == held, "%zu bytes are held, and %zu are estimated", held, now);
  CHECK(mfft_particle_mesh_estimate(mesh, &mine.particles, 1000, 0, 0, &need) == MFFT_ERR_ARG, "1000 fields");
  CHECK(mfft_particle_mesh_estimate(mesh, NULL, 1, 0, 0, &need) == MFFT_ERR_ARG, "no particles");
  mfft_free(field.mesh);
  free(result);
  pm_release(&mine);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

/* Where particles are sorted in parts, their sort, the sums of all cells and what transforms need take turns beside one
 * array. */
static void estimated_in_parts(mfft_precision precision, int kind) {
  const int64_t n[3] = {12, 9, 10};
  mfft_plan plan = make_plan(n, precision, kind);
  mfft_particle_mesh mesh = pm_mesh(plan, length, 3, 0, 2, 1);
  pm_set set = pm_random(12000, n, length, 5);
  pm_mine mine = pm_select(mesh, &set, MFFT_POSITION_DOUBLE, 0);
  double *result = calloc((size_t)mine.particles.count + 1, sizeof *result);
  mfft_particle_mesh_need need;
  size_t in, out, held;
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &in));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &out));
  CHECK_OK(mfft_particle_mesh_estimate(mesh, &mine.particles, 0, 2, 0, &need));
  const size_t before = need.ghosts + need.sorting + need.meshes, array = in > out ? in : out;
  CHECK(mine.particles.count <= 1024 || (need.meshes >= array && need.meshes <= array + 512),
        "%zu bytes of meshes, %zu of an array", need.meshes, array);
  mfft_force_desc f;
  mfft_force_desc_init(&f);
  f.force[1] = result;
  f.gradient = MFFT_GREEN_GRADIENT_MESH;
  for (int step = 0; step < 2; step++) {
    CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
    CHECK_OK(mfft_particle_mesh_bytes(mesh, &held));
    CHECK(held >= before && held <= before + 8, "step %d: %zu bytes, and %zu were estimated", step, held, before);
    CHECK_OK(mfft_particle_mesh_estimate(mesh, &mine.particles, 0, 2, 0, &need));
    CHECK(need.ghosts + need.sorting + need.meshes == held, "step %d: %zu bytes are held, and %zu + %zu + %zu estimated",
          step, held, need.ghosts, need.sorting, need.meshes);
  }
  free(result);
  pm_release(&mine);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

/* Particles on every second mesh point of each axis, off the points by the same fraction of a cell. */
static void lattice(int assignment, mfft_green_gradient gradient) {
  const int64_t n[3] = {12, 8, 16};
  mfft_plan plan = make_plan(n, MFFT_SINGLE, 0);
  mfft_particle_mesh mesh = pm_mesh(plan, length, assignment, 0, 2, 0);
  pm_set set = pm_random(n[0] * n[1] * n[2], n, length, 1);
  for (int64_t i = 0; i < set.count; i++) {
    const int64_t at[3] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
    for (int a = 0; a < 3; a++) set.x[a][i] = length[a] * ((double)at[a] + 0.375) / (double)n[a];
  }
  pm_mine mine = pm_select(mesh, &set, MFFT_POSITION_FIXED64, 0);
  double *force = calloc((size_t)mine.particles.count + 1, sizeof *force);
  mfft_force_desc f;
  mfft_force_desc_init(&f);
  f.gradient = gradient;
  int64_t moved = 0;
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) f.force[b] = a == b ? force : NULL;
    memset(force, 0x5a, (size_t)mine.particles.count * sizeof *force);
    CHECK_OK(mfft_particles_force(mesh, &mine.particles, &f));
    for (int64_t i = 0; i < mine.particles.count; i++) moved += force[i] != 0;
  }
  CHECK(!moved, "order %d: %d forces on a lattice", assignment, (int)moved);
  free(force);
  pm_release(&mine);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const problem problems[] = {
      {{6, 5, 8}, MFFT_TSC, 0, 0, MFFT_GREEN_SPECTRAL, MFFT_GREEN_GRADIENT_FD4, 0, 1},
      {{6, 5, 8}, MFFT_CIC, 0, 2, MFFT_GREEN_SPECTRAL, MFFT_GREEN_GRADIENT_FD4, 1.25, 12.5},
      {{4, 7, 6}, MFFT_PCS, 1, 1, MFFT_GREEN_FD4, MFFT_GREEN_GRADIENT_SPECTRAL, 0, -2},
      {{3, 8, 5}, MFFT_CIC, 1, 0, MFFT_GREEN_FD2, MFFT_GREEN_GRADIENT_SPECTRAL, 0.5, 43007.1},
      {{6, 5, 8}, MFFT_CIC, 0, 0, MFFT_GREEN_SPECTRAL, MFFT_GREEN_GRADIENT_MESH, 0, 3},
      {{3, 2, 7}, MFFT_PCS, 1, 1, MFFT_GREEN_FD4, MFFT_GREEN_GRADIENT_MESH, 0.5, -1}, /* narrower than the stencil */
  };
  for (int i = 0; i < 6; i++)
    for (int kind = 0; kind < KINDS; kind++)
      if (test_sampled() || kind == GIVEN)
        against_modes(&problems[i], (i + kind) % 4 == 3 || (kind == GIVEN && i % 2) ? MFFT_SINGLE : MFFT_DOUBLE, kind);
  for (int gradient = MFFT_GREEN_GRADIENT_FD4; gradient <= MFFT_GREEN_GRADIENT_MESH; gradient++) {
    momentum(MFFT_DOUBLE, (mfft_green_gradient)gradient);
    momentum(MFFT_SINGLE, (mfft_green_gradient)gradient);
  }
  for (int kind = 0; kind < KINDS; kind++) estimated(kind < 2 ? MFFT_DOUBLE : MFFT_SINGLE, kind);
  for (int given = 0; given < 2; given++) {
    estimated_in_parts(MFFT_SINGLE, given ? GIVEN : 2);
    estimated_in_parts(MFFT_DOUBLE, given ? GIVEN : 2);
  }
  for (int assignment = 1; assignment <= 4; assignment++) lattice(assignment, (mfft_green_gradient)(assignment % 3));
  MPI_Finalize();
  return test_end();
}
