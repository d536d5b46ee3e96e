// TEST ranks=1,2,3 more=5,8 labels=particles timeout=180
// TEST ranks=0 labels=particles args=local timeout=180
/* Deposit: against a direct sum over the windows' definition in long double; mass to the last bit; the same bits on any
 * ranks, boxes, threads, vectors, parts and sequence of particles; particles that all move by whole cells, or stand in other
 * images of the box; adding, fields at once, means. */
#include "particle_set.h"

static const int64_t sizes[][3] = {{7, 6, 9}, {40, 5, 37}, {3, 2, 4}, {1, 1, 20}};
static const double length[3] = {1, 2.5, 100};
static int local;

/* The whole mesh after a deposit of the set by weight (or counting); *array keeps the values of this rank. */
static double *deposit(mfft_particle_mesh mesh, const pm_set *set, mfft_position_type type, int weighted, int add,
                       int remove_mean, int reversed, void *array) {
  pm_mine mine = pm_select(mesh, set, type, reversed);
  mfft_particle_field field;
  mfft_particle_field_init(&field);
  field.mesh = array;
  field.value = weighted ? mine.weight : NULL;
  field.add = add;
  field.remove_mean = remove_mean;
  CHECK_OK(mfft_particles_deposit(mesh, &mine.particles, &field, 1));
  pm_release(&mine);
  return pm_whole(mesh, array);
}

/* The coordinates that a stored position of this type represents. */
static void coordinates(mfft_particle_mesh mesh, const pm_set *set, mfft_position_type type, int64_t i, long double g[3]) {
  for (int a = 0; a < 3; a++) {
    const double x = set->x[a][i], u = x / mesh->length[a], inside = u - floor(u);
    long double part = (long double)(type == MFFT_POSITION_SINGLE ? (double)(float)x : x) / (long double)mesh->length[a];
    if (type == MFFT_POSITION_FIXED32) part = ldexpl((long double)(uint64_t)(inside * 0x1p32), -32);
    if (type == MFFT_POSITION_FIXED64) part = inside;
    g[a] = part * (long double)mesh->grid.n[a];
    g[a] -= (long double)mesh->grid.n[a] * floorl(g[a] / (long double)mesh->grid.n[a]);
    g[a] -= (long double)mesh->grid.shift;
  }
}

static void against_direct(const int64_t n[3], int assignment, int centered, mfft_precision precision, int boxes,
                           mfft_position_type type) {
  const int64_t cells = n[0] * n[1] * n[2];
  mfft_plan plan = pm_plan(local ? MPI_COMM_NULL : MPI_COMM_WORLD, n, precision, boxes);
  mfft_particle_mesh mesh = pm_mesh(plan, length, assignment, centered, 1, 0);
  pm_set set = pm_random(300, n, length, 7);
  for (int64_t i = 0; i < set.count && assignment == 1;
       i += 4) /* away from the edges, where rounding decides which point is nearest */
    for (int a = 0; a < 3; a++) set.x[a][i] += 0.125 * length[a] / (double)n[a];
  void *array = pm_array(plan);
  double *whole = deposit(mesh, &set, type, 1, 0, 0, 0, array);
  long double *truth = calloc((size_t)cells, sizeof *truth), error = 0, norm = 0;
  for (int64_t i = 0; i < set.count; i++) {
    long double g[3];
    coordinates(mesh, &set, type, i, g);
    pm_direct(assignment, n, g, set.weight[i], truth, NULL, NULL);
  }
  for (int64_t i = 0; i < cells; i++) {
    error = fmaxl(error, fabsl(truth[i] - whole[i]));
    norm = fmaxl(norm, fabsl(truth[i]));
  }
  const long double bound = precision == MFFT_SINGLE ? 1e-7L : 1e-12L;
  CHECK(error <= bound * norm && norm > 0, "order %d, centered %d, %s, boxes %s, type %d, %dx%dx%d: %.3Lg of %.3Lg",
        assignment, centered, precision == MFFT_SINGLE ? "single" : "double", pm_boxes_name[boxes], (int)type, (int)n[0],
        (int)n[1], (int)n[2], error, norm);
  free(whole);
  free(truth);
  mfft_free(array);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

/* Counts add up to the number of particles exactly: few enough per cell that a double holds all bits of a cell. */
static void conserved(const int64_t n[3], int assignment, int boxes) {
  const int64_t cells = n[0] * n[1] * n[2];
  mfft_plan plan = pm_plan(local ? MPI_COMM_NULL : MPI_COMM_WORLD, n, MFFT_DOUBLE, boxes);
  mfft_particle_mesh mesh = pm_mesh(plan, length, assignment, 0, 2, 0);
  pm_set set = pm_random(cells, n, length, 11);
  void *array = pm_array(plan);
  double *whole = deposit(mesh, &set, MFFT_POSITION_DOUBLE, 0, 0, 0, 0, array);
  long double sum = 0;
  for (int64_t i = 0; i < cells; i++) sum += whole[i];
  CHECK(sum == (long double)set.count, "order %d, boxes %s: %.20Lg of %d", assignment, pm_boxes_name[boxes], sum,
        (int)set.count);
  free(whole);
  whole = deposit(mesh, &set, MFFT_POSITION_DOUBLE, 0, 1, 1, 0, array); /* adds a contrast, whose mean is 0 */
  long double twice = 0;
  for (int64_t i = 0; i < cells; i++) twice += whole[i];
  CHECK(fabsl(twice - sum) <= 1e-9L, "order %d, boxes %s: %.20Lg after adding a contrast to %.20Lg", assignment,
        pm_boxes_name[boxes], twice, sum);
  free(whole);
  mfft_free(array);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

/* The same bits as those of a local plan on one thread. */
static void same_bits(const int64_t n[3], int assignment, mfft_precision precision, int boxes) {
  const int64_t cells = n[0] * n[1] * n[2];
  mfft_plan plan[2] = {pm_plan(MPI_COMM_NULL, n, precision, 0),
                       pm_plan(local ? MPI_COMM_NULL : MPI_COMM_WORLD, n, precision, boxes)};
  pm_set set = pm_random(9000, n, length, 13); /* several parts at the smallest scratch */
  double *whole[2] = {NULL, NULL};
  for (int run = 0; run < 5; run++) {
    mfft_particle_mesh mesh = pm_mesh(plan[run > 0], length, assignment, 0, run == 2 ? 2 : 1, run == 3 ? 1 : 0);
    if (run == 4) mesh->kernels = mfft_pm_kernels_at(0);
    void *array = pm_array(plan[run > 0]);
    whole[run > 0] = deposit(mesh, &set, MFFT_POSITION_SINGLE, 1, 0, 0, run == 1 || run == 2, array);
    if (run) {
      CHECK(!memcmp(whole[0], whole[1], (size_t)cells * sizeof(double)), "order %d, boxes %s, run %d", assignment,
            pm_boxes_name[boxes], run);
      free(whole[1]);
    }
    mfft_free(array);
    mfft_particle_mesh_destroy(mesh);
  }
  free(whole[0]);
  pm_free(&set);
  for (int i = 0; i < 2; i++) mfft_plan_destroy(plan[i]);
}

/* Positions that are exact as numbers and in cells, also after a move by whole cells or sides of the box: a cell is a power
 * of two wide, and a position a multiple of 2^-20 of it (of 2^-12 for floats; a power of two cells for fixed point). */
static pm_set make_exact(const int64_t n[3], const double width[3], mfft_position_type type, int64_t count) {
  const double steps = type == MFFT_POSITION_SINGLE ? 0x1p12 : 0x1p20;
  uint64_t seed = 19;
  pm_set set = {.count = count, .weight = malloc((size_t)count * sizeof(double))};
  for (int a = 0; a < 3; a++) {
    set.x[a] = malloc((size_t)count * sizeof(double));
    for (int64_t i = 0; i < count; i++)
      set.x[a][i] = width[a] * floor((test_random(&seed) + 0.5) * (double)n[a] * steps) / steps;
  }
  for (int64_t i = 0; i < count; i++) set.weight[i] = test_random(&seed);
  return set;
}

/* A density of particles that have all moved by whole cells is the one before, moved, to the bit; so is that of particles of
 * which each stands in an image of the box of its own (move NULL). */
static void translated(const int64_t n[3], int assignment, int boxes, mfft_position_type type, const int64_t *move) {
  static const double width[3] = {0.25, 1, 4};
  const int64_t cells = n[0] * n[1] * n[2];
  mfft_plan plan = pm_plan(local ? MPI_COMM_NULL : MPI_COMM_WORLD, n, assignment % 2 ? MFFT_DOUBLE : MFFT_SINGLE, boxes);
  mfft_particle_mesh_desc d;
  mfft_particle_mesh mesh = NULL;
  mfft_particle_mesh_desc_init(&d);
  for (int a = 0; a < 3; a++) d.length[a] = width[a] * (double)n[a];
  d.assignment = (mfft_assignment)assignment;
  d.centered = boxes % 2;
  CHECK_OK(mfft_particle_mesh_create(plan, &d, &mesh));
  pm_set set = make_exact(n, width, type, 700);
  void *array = pm_array(plan);
  double *before = deposit(mesh, &set, type, 1, 0, 0, 0, array);
  for (int64_t i = 0; i < set.count; i++)
    for (int a = 0; a < 3; a++) {
      const double images = (double)((i * (a + 3)) % 7 - 3) * (double)n[a];
      set.x[a][i] += width[a] * (move ? (double)move[a] : images);
    }
  double *after = deposit(mesh, &set, type, 1, 0, 0, 0, array);
  int64_t other = 0;
  for (int64_t i = 0; i < cells; i++) {
    int64_t at[3] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
    for (int a = 0; a < 3 && move; a++) at[a] = ((at[a] + move[a]) % n[a] + n[a]) % n[a];
    other += memcmp(&before[i], &after[(at[0] * n[1] + at[1]) * n[2] + at[2]], sizeof *before) != 0;
  }
  CHECK(!other, "order %d, boxes %s, type %d, %s: %d cells have other bits", assignment, pm_boxes_name[boxes], (int)type,
        move ? "moved by cells" : "in other images", (int)other);
  free(before), free(after);
  mfft_free(array);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

static void moves(void) {
  static const int64_t any[3] = {7, 6, 9}, powers[3] = {8, 4, 16}, by[2][3] = {{1, 0, 0}, {-3, 11, 5}};
  for (int assignment = 1; assignment <= 4; assignment++)
    for (int type = 0; type < 4; type++) {
      const int64_t *n = type < MFFT_POSITION_FIXED32 ? any : powers;
      const int boxes = (assignment + type) % PM_BOXES;
      if (test_small() && type % 2 != assignment % 2) continue;
      for (int i = 0; i < 2; i++) translated(n, assignment, boxes, (mfft_position_type)type, by[i]);
      translated(n, assignment, boxes, (mfft_position_type)type, NULL);
    }
}

/* Several fields at once give the results of each alone. */
static void fields_at_once(void) {
  const int64_t *n = sizes[1];
  mfft_plan plan = pm_plan(local ? MPI_COMM_NULL : MPI_COMM_WORLD, n, MFFT_SINGLE, 0);
  mfft_particle_mesh mesh = pm_mesh(plan, length, MFFT_TSC, 1, 2, 0);
  pm_set set = pm_random(3000, n, length, 17);
  pm_mine mine = pm_select(mesh, &set, MFFT_POSITION_DOUBLE, 0);
  mfft_particle_field field[3];
  double *momentum = malloc((size_t)mine.particles.count * 16 + 1);
  for (int64_t i = 0; i < mine.particles.count; i++) momentum[2 * i] = 1e-30 * mine.weight[i], momentum[2 * i + 1] = NAN;
  for (int f = 0; f < 3; f++) {
    mfft_particle_field_init(&field[f]);
    field[f].mesh = pm_array(plan);
    field[f].value = f == 0 ? NULL : f == 1 ? mine.weight : momentum;
    field[f].stride = f == 2 ? 2 : 1;
  }
  CHECK_OK(mfft_particles_deposit(mesh, &mine.particles, field, 3));
  for (int f = 0; f < 3; f++) {
    double *whole = pm_whole(mesh, field[f].mesh);
    CHECK_OK(mfft_particles_deposit(mesh, &mine.particles, &field[f], 1));
    double *alone = pm_whole(mesh, field[f].mesh);
    CHECK(!memcmp(whole, alone, (size_t)(n[0] * n[1] * n[2]) * sizeof(double)), "field %d", f);
    free(whole), free(alone);
    mfft_free(field[f].mesh);
  }
  free(momentum);
  pm_release(&mine);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  local = argc > 1 && !strcmp(argv[1], "local");
  if (!local) MPI_Init(&argc, &argv);
  int step = 0;
  for (int s = 0; s < 4; s++)
    for (int assignment = 1; assignment <= 4; assignment++)
      for (int boxes = 0; boxes < PM_BOXES; boxes++)
        for (int centered = 0; centered < 2; centered++, step++) {
          if (!test_sampled() || (test_small() && step % 5)) continue;
          against_direct(sizes[s], assignment, centered, step % 3 ? MFFT_DOUBLE : MFFT_SINGLE, boxes,
                         (mfft_position_type)((step + step / 4) % 4));
        }
  for (int assignment = 1; assignment <= 4; assignment++)
    for (int boxes = 0; boxes < PM_BOXES; boxes++) {
      if (test_small() && boxes % 4 != assignment - 1) continue;
      conserved(sizes[assignment % 2], assignment, boxes);
      same_bits(sizes[1], assignment, boxes % 2 ? MFFT_DOUBLE : MFFT_SINGLE, boxes);
      if (assignment > 2) same_bits(sizes[2], assignment, MFFT_DOUBLE, boxes);
    }
  moves();
  fields_at_once();
  if (!local) MPI_Finalize();
  return test_end();
}
