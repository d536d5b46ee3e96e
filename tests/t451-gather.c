// TEST ranks=1,2 more=5 labels=particles timeout=120
/* Gather: against a direct sum over the windows' definition in long double; the adjoint of deposit; a uniform field; several
 * fields at once, added, in single and with strides; the same bits for any sequence, threads and vectors. */
#include "particle_set.h"

static const int64_t sizes[][3] = {{7, 6, 9}, {40, 5, 37}, {3, 2, 4}};
static const double length[3] = {1, 2.5, 100};

/* Value of a field at a cell: without structure, the same on all ranks. */
static double field_at(int64_t cell) {
  uint64_t state = (uint64_t)cell * 2654435761u + 3;
  return test_random(&state);
}

/* Fills this rank's part of a field. */
static void *make_field(mfft_particle_mesh mesh, mfft_plan plan, int uniform) {
  void *array = pm_array(plan);
  const mfft_box *own = &mesh->grid.own;
  const int64_t *n = mesh->grid.n, *stride = mesh->grid.stride;
  for (int64_t x = own->lo[0]; x < own->hi[0] && !mfft_box_empty(own); x++)
    for (int64_t y = own->lo[1]; y < own->hi[1]; y++)
      for (int64_t z = own->lo[2]; z < own->hi[2]; z++) {
        const int64_t at = (x - own->lo[0]) * stride[0] + (y - own->lo[1]) * stride[1] + (z - own->lo[2]) * stride[2];
        const double value = uniform ? 3 : field_at((x * n[1] + y) * n[2] + z);
        if (mesh->precision == MFFT_SINGLE)
          ((float *)array)[at] = (float)value;
        else
          ((double *)array)[at] = value;
      }
  return array;
}

static void check_gather(const int64_t n[3], int assignment, int centered, mfft_precision precision, int boxes) {
  mfft_plan plan = pm_plan(MPI_COMM_WORLD, n, precision, boxes);
  mfft_particle_mesh mesh = pm_mesh(plan, length, assignment, centered, 1 + boxes % 2, 0);
  void *array = make_field(mesh, plan, 0), *density = pm_array(plan);
  double *whole = pm_whole(mesh, array);
  pm_set set = pm_random(400, n, length, 3);
  for (int64_t i = 0; i < set.count; i++) /* away from the edges, where rounding decides which point is nearest */
    for (int a = 0; a < 3 && assignment == 1; a++) set.x[a][i] += 0.125 * length[a] / (double)n[a];
  pm_mine mine = pm_select(mesh, &set, MFFT_POSITION_DOUBLE, 0);
  const int64_t count = mine.particles.count;
  double *value = calloc((size_t)count + 1, sizeof *value);
  mfft_particle_field field;
  mfft_particle_field_init(&field);
  field.mesh = array;
  field.value = value;
  CHECK_OK(mfft_particles_gather(mesh, &mine.particles, &field, 1));
  long double error = 0, here = 0, there = 0, size = 0;
  for (int64_t i = 0; i < count; i++) {
    long double g[3], truth = 0;
    for (int a = 0; a < 3; a++) {
      g[a] = (long double)set.x[a][mine.index[i]] / (long double)length[a] * (long double)n[a];
      g[a] -= (long double)n[a] * floorl(g[a] / (long double)n[a]) + (centered ? 0.5L : 0);
    }
    pm_direct(assignment, n, g, 0, NULL, whole, &truth);
    error = fmaxl(error, fabsl(truth - value[i]));
    here += (long double)mine.weight[i] * value[i];
    size += fabsl((long double)mine.weight[i] * value[i]);
  }
  CHECK(error < 1e-12L, "order %d, centered %d, boxes %s: %.3Lg", assignment, centered, pm_boxes_name[boxes], error);

  field.mesh = density;
  field.value = mine.weight;
  CHECK_OK(mfft_particles_deposit(mesh, &mine.particles, &field, 1));
  double *dense = pm_whole(mesh, density);
  for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) there += (long double)dense[i] * whole[i];
  long double sums[2] = {here, size};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const long double bound = precision == MFFT_SINGLE ? 1e-7L : 1e-13L; /* weights keep 50 bits */
  CHECK(fabsl(sums[0] - there) <= bound * sums[1], "order %d, boxes %s: <w, gather f> = %.18Lg, <deposit w, f> = %.18Lg",
        assignment, pm_boxes_name[boxes], sums[0], there);
  free(dense), free(whole), free(value);
  mfft_free(array), mfft_free(density);
  pm_release(&mine);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

/* Two fields at once, one uniform, the other in single with a stride, and added. */
static void at_once(void) {
  const int64_t *n = sizes[1];
  mfft_plan plan = pm_plan(MPI_COMM_WORLD, n, MFFT_DOUBLE, 2);
  pm_set set = pm_random(6000, n, length, 23);
  float *first = calloc((size_t)set.count, sizeof *first); /* [particle of the set] of the first run */
  for (int run = 0; run < 4; run++) {
    mfft_particle_mesh mesh = pm_mesh(plan, length, MFFT_TSC, 0, run == 1 ? 2 : 1, run == 2 ? 1 : 0);
    if (run == 3) mesh->kernels = mfft_pm_kernels_at(0);
    pm_mine mine = pm_select(mesh, &set, MFFT_POSITION_SINGLE, run % 2);
    const int64_t count = mine.particles.count;
    double *uniform = malloc((size_t)count * 8 + 1);
    float *pairs = calloc((size_t)count * 2 + 1, 4);
    for (int64_t i = 0; i < count; i++) uniform[i] = 10;
    mfft_particle_field field[2];
    for (int f = 0; f < 2; f++) {
      mfft_particle_field_init(&field[f]);
      field[f].mesh = make_field(mesh, plan, !f);
      field[f].value = f ? (void *)pairs : (void *)uniform;
    }
    field[0].add = 1;
    field[1].precision = MFFT_SINGLE;
    field[1].stride = 2;
    CHECK_OK(mfft_particles_gather(mesh, &mine.particles, field, 2));
    int64_t wrong = 0, spilled = 0, other = 0;
    for (int64_t i = 0; i < count; i++) {
      wrong += !(fabs(uniform[i] - 13) < 1e-14);
      spilled += pairs[2 * i + 1] != 0;
      if (!run) first[mine.index[i]] = pairs[2 * i];
      other += first[mine.index[i]] != pairs[2 * i];
    }
    CHECK(!wrong && !spilled && !other, "run %d: %d not 13, %d written between, %d other bits", run, (int)wrong,
          (int)spilled, (int)other);
    free(uniform), free(pairs);
    for (int f = 0; f < 2; f++) mfft_free(field[f].mesh);
    pm_release(&mine);
    mfft_particle_mesh_destroy(mesh);
  }
  free(first);
  pm_free(&set);
  mfft_plan_destroy(plan);
}

/* Particles just below the edges and middles of cells, which sums in double take for these: at some a tile ends.  Lengths
 * are those of the mesh, so that coordinates in cells are exact. */
static void below_edges(int assignment, int centered) {
  const int64_t n[3] = {64, 4, 40};
  mfft_plan plan = pm_plan(MPI_COMM_WORLD, n, MFFT_DOUBLE, 0);
  const double sides[3] = {(double)n[0], (double)n[1], (double)n[2]};
  mfft_particle_mesh mesh = pm_mesh(plan, sides, assignment, centered, 1, 0);
  void *array = make_field(mesh, plan, 0);
  double *whole = pm_whole(mesh, array);
  pm_set set = pm_random(128, n, sides, 7);
  for (int64_t i = 0; i < set.count; i++)
    for (int a = 0; a < 3; a++) /* NGP: of cells alone, since rounding may decide which of two points is nearest */
      set.x[a][i] = nextafter((double)(1 + i % (2 * n[a])) / (assignment == 1 ? 1 : 2), 0);
  pm_mine mine = pm_select(mesh, &set, MFFT_POSITION_DOUBLE, 0);
  double *value = calloc((size_t)mine.particles.count + 1, sizeof *value);
  mfft_particle_field field;
  mfft_particle_field_init(&field);
  field.mesh = array;
  field.value = value;
  CHECK_OK(mfft_particles_gather(mesh, &mine.particles, &field, 1));
  for (int64_t i = 0; i < mine.particles.count; i++) {
    long double g[3], truth = 0;
    for (int a = 0; a < 3; a++) g[a] = (long double)set.x[a][mine.index[i]] - (centered ? 0.5L : 0);
    pm_direct(assignment, n, g, 0, NULL, whole, &truth);
    CHECK(fabsl(value[i] - truth) < 1e-12L, "order %d, centered %d: just below %g: %g, want %Lg", assignment, centered,
          set.x[0][mine.index[i]], value[i], truth);
  }
  free(value), free(whole);
  mfft_free(array);
  pm_release(&mine);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int assignment = 1; assignment <= 4; assignment++)
    for (int centered = 0; centered < 2; centered++) below_edges(assignment, centered);
  for (int s = 0, step = 0; s < 3; s++)
    for (int assignment = 1; assignment <= 4; assignment++)
      for (int boxes = 0; boxes < PM_BOXES; boxes++, step++)
        if (test_sampled())
          check_gather(sizes[s], assignment, step % 3 == 1, step % 4 == 2 ? MFFT_SINGLE : MFFT_DOUBLE, boxes);
  at_once();
  MPI_Finalize();
  return test_end();
}
