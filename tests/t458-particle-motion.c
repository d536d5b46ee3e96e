// TEST ranks=1 labels=particles timeout=60
// TEST ranks=1 labels=emulated+particles timeout=120 args=cuda
// TEST ranks=1 labels=cuda timeout=120 args=cuda
/* Kicks, drifts and energies of particles against formulas in long double, with and without LPT, on any threads and on a GPU
 * with the same bits; and columns in the sequence of the tiles, all at once and in parts. */
#include <math.h>

#include "mfft_motion.h"
#include "particle_set.h"

enum { COUNT = 5000, ARRAYS = 18, COLUMNS = 3 };
enum { X = 0, P = 3, G = 6, S1 = 9, S2 = 12, MASS = 15, PHI = 16, INDEX = 17 };
static const int64_t n[3] = {16, 32, 64};
static const double length[3] = {1, 2.5, 100};
static const double keep = 0.875, kick = 1.7, drift = 0.3, lpt_acceleration[2] = {0.1, -0.03}, growth[2] = {0.02, 0.5},
                    lpt_momentum[2] = {-1.5, 3};

static uint64_t begin[ARRAYS][COUNT];

static void make(void) {
  uint64_t state = 5;
  for (int array = 0; array < ARRAYS; array++)
    for (int i = 0; i < COUNT; i++) {
      const double x = array == MASS ? test_random(&state) + 0.6 : test_random(&state) * (array < 9 ? 1 : 1e-3);
      memcpy(&begin[array][i], &x, 8);
      if (array < P) begin[array][i] = (uint64_t)(int64_t)ldexp(x, 62) * 4 + (uint64_t)i;
      if (array == INDEX) begin[array][i] = (uint64_t)i;
    }
}

static double number(int array, int i) {
  double x;
  memcpy(&x, &begin[array][i], 8);
  return x;
}

/* A mesh, and the arrays in the memory of its plan. */
typedef struct place {
  const char *backend;
  mfft_plan plan;
  mfft_particle_mesh mesh;
  uint64_t *array[ARRAYS];
  mfft_particles particles;
  mfft_motion motion;
} place;

static void open_place(const char *backend, int threads, size_t scratch, int lpt, place *p) {
  mfft_options o;
  mfft_options_init(&o);
  o.backend = p->backend = backend;
  p->plan = pm_plan_by(MPI_COMM_NULL, n, MFFT_DOUBLE, 0, o);
  p->mesh = pm_mesh(p->plan, length, MFFT_CIC, 0, threads, scratch);
  for (int i = 0; i < ARRAYS; i++) {
    CHECK_OK(mfft_memory_alloc(backend, sizeof begin[i], (void **)&p->array[i]));
    CHECK_OK(mfft_memory_upload(backend, p->array[i], begin[i], sizeof begin[i]));
  }
  mfft_particles_init(&p->particles);
  mfft_motion_init(&p->motion);
  p->particles.count = p->motion.count = COUNT;
  p->particles.type = MFFT_POSITION_FIXED64;
  for (int a = 0; a < 3; a++) {
    p->particles.position[a] = p->motion.position[a] = p->array[X + a];
    p->motion.momentum[a] = (double *)p->array[P + a];
    p->motion.force[a] = (const double *)p->array[G + a];
    p->motion.first[a] = lpt ? (const double *)p->array[S1 + a] : NULL;
    p->motion.second[a] = lpt ? (const double *)p->array[S2 + a] : NULL;
  }
  p->motion.mass = lpt ? (const double *)p->array[MASS] : NULL;
  p->motion.potential = lpt ? NULL : (const double *)p->array[PHI];
}

static void close_place(place *p) {
  for (int i = 0; i < ARRAYS; i++) CHECK_OK(mfft_memory_free(p->backend, p->array[i]));
  mfft_particle_mesh_destroy(p->mesh);
  mfft_plan_destroy(p->plan);
}

/* The momentum of a particle after the kick, and the fraction of the box that it then drifts. */
static long double kicked(int lpt, int axis, int i) {
  long double g = number(G + axis, i);
  if (lpt)
    g -= (long double)lpt_acceleration[0] * number(S1 + axis, i) + (long double)lpt_acceleration[1] * number(S2 + axis, i);
  return keep * (long double)number(P + axis, i) + kick * g;
}
static long double drifted(int lpt, int axis, int i) {
  long double x = drift * kicked(lpt, axis, i);
  if (lpt) x += (long double)growth[0] * number(S1 + axis, i) + (long double)growth[1] * number(S2 + axis, i);
  return x / length[axis];
}

static void check_sums(int lpt, const mfft_exact_sum sum[MFFT_MOTION_SUMS]) {
  long double want[MFFT_MOTION_SUMS] = {0}, size[MFFT_MOTION_SUMS] = {0};
  for (int i = 0; i < COUNT; i++) {
    const long double m = lpt ? (long double)number(MASS, i) : 1;
    long double square = 0, term[MFFT_MOTION_SUMS] = {0};
    for (int a = 0; a < 3; a++) {
      long double p = kicked(lpt, a, i);
      if (lpt) p += (long double)lpt_momentum[0] * number(S1 + a, i) + (long double)lpt_momentum[1] * number(S2 + a, i);
      term[MFFT_MOTION_MOMENTUM + a] = m * p;
      square += p * p;
    }
    term[MFFT_MOTION_SQUARES] = m * square;
    term[MFFT_MOTION_MAGNITUDES] = m * sqrtl(square);
    term[MFFT_MOTION_POTENTIAL] = lpt ? 0 : m * number(PHI, i);
    for (int s = 0; s < MFFT_MOTION_SUMS; s++) want[s] += term[s], size[s] += fabsl(term[s]);
  }
  for (int s = 0; s < MFFT_MOTION_SUMS; s++) {
    const double got = mfft_exact_value(&sum[s], NULL);
    CHECK(fabsl(got - want[s]) <= 4e-16L * size[s], "sum %d is %.17g, not %.17Lg", s, got, want[s]);
  }
}

/* A step of one place, whose arrays and sums must have the bits of `first`, which the formulas check. */
static void step(const char *backend, int threads, int lpt, uint64_t first[6][COUNT], mfft_exact_sum sums[MFFT_MOTION_SUMS],
                 int is_first) {
  static uint64_t got[6][COUNT];
  mfft_exact_sum sum[MFFT_MOTION_SUMS];
  place p;
  open_place(backend, threads, 0, lpt, &p);
  CHECK_OK(mfft_particles_kick(p.mesh, &p.motion, keep, kick, lpt ? lpt_acceleration : NULL));
  CHECK_OK(mfft_particles_drift(p.mesh, &p.motion, drift, lpt ? growth : NULL));
  CHECK_OK(mfft_particles_energies(p.mesh, &p.motion, lpt ? lpt_momentum : NULL, sum));
  for (int i = 0; i < 6; i++) CHECK_OK(mfft_memory_download(backend, got[i], p.array[i], sizeof got[i]));
  for (int s = 0; s < MFFT_MOTION_SUMS; s++) mfft_exact_carry(&sum[s]);
  if (is_first) {
    memcpy(first, got, sizeof got);
    memcpy(sums, sum, sizeof sum);
    check_sums(lpt, sum);
    for (int i = 0; i < 3 * COUNT; i++) {
      const int a = i / COUNT, at = i % COUNT;
      double p_got;
      memcpy(&p_got, &got[P + a][at], 8);
      const double x = (double)(int64_t)(got[X + a][at] - begin[X + a][at]) * 0x1p-64, want = (double)drifted(lpt, a, at);
      CHECK(fabsl(p_got - kicked(lpt, a, at)) < 1e-15L, "particle %d, axis %d: p = %.17g", at, a, p_got);
      CHECK(fabs(x - (want - rint(want))) < 1e-15, "particle %d, axis %d: moved by %.17g, not %.17g", at, a, x, want);
    }
  } else {
    CHECK(!memcmp(first, got, sizeof got), "lpt %d, %s: other bits with %d threads", lpt, backend, threads);
    for (int s = 0; s < MFFT_MOTION_SUMS; s++)
      CHECK(!memcmp(sums[s].limb, sum[s].limb, sizeof sum[s].limb), "lpt %d, %s: sum %d has other bits", lpt, backend, s);
  }
  close_place(&p);
}

/* Columns in the sequence of the tiles, each into the memory of the one before. */
static void arrange(const char *backend, size_t scratch, double most) {
  static uint64_t got[COLUMNS][COUNT];
  static char seen[COUNT];
  double before = 0, after = 1, *mesh = NULL;
  mfft_particle_field field;
  place p;
  open_place(backend, 2, scratch, 0, &p);
  const mfft_particle_column column[COLUMNS] = {
      {8, p.array[X], p.array[G]}, {8, p.array[INDEX], p.array[X]}, {8, p.array[P], p.array[INDEX]}};
  CHECK_OK(mfft_memory_alloc(backend, (size_t)(n[0] * n[1] * n[2]) * 8, (void **)&mesh));
  mfft_particle_field_init(&field);
  field.mesh = mesh;
  CHECK_OK(mfft_particle_mesh_disorder(p.mesh, &after));
  CHECK(after == 0, "disorder %g before any sort", after);
  CHECK_OK(mfft_particles_deposit(p.mesh, &p.particles, &field, 1));
  CHECK_OK(mfft_particle_mesh_disorder(p.mesh, &before));
  CHECK_OK(mfft_particles_arrange(p.mesh, &p.particles, column, COLUMNS));
  for (int c = 0; c < COLUMNS; c++) CHECK_OK(mfft_memory_download(backend, got[c], column[c].out, sizeof got[c]));
  memset(seen, 0, sizeof seen);
  for (int i = 0; i < COUNT; i++) {
    const uint64_t index = got[1][i];
    CHECK(index < COUNT && !seen[index]++, "place %d has particle %llu", i, (unsigned long long)index);
    CHECK(index < COUNT && got[0][i] == begin[X][index] && got[2][i] == begin[P][index], "place %d: columns differ", i);
  }
  for (int a = 0; a < 3; a++) {
    static uint64_t x[COUNT];
    for (int i = 0; i < COUNT; i++) x[i] = begin[X + a][got[1][i] % COUNT];
    CHECK_OK(mfft_memory_upload(backend, p.array[X + a], x, sizeof x));
  }
  CHECK_OK(mfft_particles_deposit(p.mesh, &p.particles, &field, 1));
  CHECK_OK(mfft_particle_mesh_disorder(p.mesh, &after));
  CHECK(before > 0.7 && after <= most, "%s: disorder %g, then %g", backend, before, after);
  CHECK_OK(mfft_memory_free(backend, mesh));
  close_place(&p);
}

static void refuse(void) {
  place p;
  mfft_exact_sum sum[MFFT_MOTION_SUMS];
  open_place("fftw", 1, 0, 0, &p);
  mfft_particle_column column = {8, p.array[X], p.array[X]};
  CHECK_FAILS(mfft_particles_kick(p.mesh, &p.motion, 1, NAN, NULL), MFFT_ERR_ARG, "a factor of the call is nan");
  CHECK_FAILS(mfft_particles_arrange(p.mesh, &p.particles, &column, 1), MFFT_ERR_ARG, "in and out are the same array");
  p.motion.force[1] = NULL;
  CHECK_FAILS(mfft_particles_kick(p.mesh, &p.motion, 1, 1, NULL), MFFT_ERR_ARG,
              "motion.force[] is NULL with 5000 particles");
  p.motion.first[2] = p.motion.force[0];
  p.motion.first[0] = p.motion.force[0];
  CHECK_FAILS(mfft_particles_drift(p.mesh, &p.motion, 1, NULL), MFFT_ERR_ARG, "motion.second[] is NULL");
  p.motion.count = -1;
  CHECK_FAILS(mfft_particles_energies(p.mesh, &p.motion, NULL, sum), MFFT_ERR_ARG, "motion.count is -1");
  close_place(&p);
}

int main(int argc, char **argv) {
  static uint64_t first[6][COUNT];
  mfft_exact_sum sums[MFFT_MOTION_SUMS];
  MPI_Init(&argc, &argv);
  const int device = argc > 1;
  if (device && !mfft_backend_usable("cuda", NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  make();
  for (int lpt = 0; lpt < 2; lpt++) {
    step("fftw", 1, lpt, first, sums, 1);
    step("fftw", 3, lpt, first, sums, 0);
    if (device) step("cuda", 1, lpt, first, sums, 0);
  }
  for (int parts = 0; parts < 2; parts++) {
    arrange("fftw", (size_t)parts, parts ? 0.004 : 0.002); /* each part begins with the first tile again */
    if (device) arrange("cuda", (size_t)parts, parts ? 0.02 : 0.01);
  }
  refuse();
  MPI_Finalize();
  return test_end();
}
