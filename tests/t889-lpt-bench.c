// TEST labels=cuda timeout=120 args=--n,64
/* Second-order perturbation theory on a GPU as `mergefft ic` does it, in double: modes, six second derivatives on a mesh of
 * 3/2 the side and their products, and six displacement fields, whose magnitudes are added up exactly.
 *
 *   t889-lpt-bench [--n 512] [--repeat 3] [--backend cuda]
 *
 * Prints the least seconds of a whole run and of its parts.  Up to 64^3 the sums are compared with those of the CPU. */
#include <math.h>

#include "base/clock.h"
#include "check.h"
#include "mfft_array.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "mfft_spectrum.h"

enum { FIELDS = 4, PARTS = 3, SUMS = 6 };
static const int mixed[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/* A mesh with its plan, its spectrum and some real arrays. */
typedef struct mesh {
  const char *backend;
  int64_t n;
  mfft_plan plan;
  void *modes, *second, *real[FIELDS];
  double *k, *square; /* [n] wave numbers, 0 at n/2, and their squares */
} mesh;

static void make(const char *backend, int64_t n, int fields, mesh *m) {
  mfft_desc d;
  mfft_options o;
  size_t in, out;
  *m = (mesh){.backend = backend, .n = n};
  mfft_desc_init(&d);
  mfft_options_init(&o);
  for (int a = 0; a < 3; a++) d.n[a] = n;
  d.kind = MFFT_R2C;
  d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  d.filtered = 1 << MFFT_BACKWARD;
  o.backend = backend;
  o.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create(&d, &o, &m->plan));
  CHECK_OK(mfft_plan_bytes(m->plan, MFFT_IN, &in));
  CHECK_OK(mfft_plan_bytes(m->plan, MFFT_OUT, &out));
  CHECK_OK(mfft_memory_alloc(backend, out, &m->modes));
  CHECK_OK(mfft_memory_alloc(backend, out, &m->second));
  for (int i = 0; i < fields; i++) CHECK_OK(mfft_memory_alloc(backend, in, &m->real[i]));
  m->k = malloc((size_t)n * sizeof *m->k);
  m->square = malloc((size_t)n * sizeof *m->square);
  for (int64_t i = 0; i < n; i++) {
    m->k[i] = 2 * i == n ? 0 : (double)(2 * i > n ? i - n : i);
    m->square[i] = 2 * i == n ? pow((double)i, 2) : pow(m->k[i], 2);
  }
}

static void drop(mesh *m) {
  CHECK_OK(mfft_memory_free(m->backend, m->modes));
  CHECK_OK(mfft_memory_free(m->backend, m->second));
  for (int i = 0; i < FIELDS; i++) CHECK_OK(mfft_memory_free(m->backend, m->real[i]));
  mfft_plan_destroy(m->plan);
  free(m->k), free(m->square);
}

/* i k_axis / k^2, or k_axis k_other / k^2, of modes. */
static void differentiate(const mesh *m, int axis, int other, const void *modes, void *real) {
  mfft_filter f;
  mfft_filter_init(&f);
  for (int a = 0; a < 3; a++) f.divisor[a] = m->square;
  f.factor[axis] = axis == other ? m->square : m->k;
  if (other >= 0) f.factor[other] = f.factor[axis];
  f.quarter_turns = other < 0;
  CHECK_OK(mfft_plan_set_filter(m->plan, MFFT_BACKWARD, &f));
  CHECK_OK(mfft_execute(m->plan, MFFT_BACKWARD, modes, real));
  CHECK_OK(mfft_plan_synchronize(m->plan));
}

static void find_second(mesh *coarse, mesh *fine) {
  CHECK_OK(mfft_plan_copy_modes(coarse->plan, coarse->modes, fine->plan, fine->modes));
  for (int a = 0; a < 3; a++) differentiate(fine, a, a, fine->modes, fine->real[a]);
  for (int p = 0; p < 3; p++)
    CHECK_OK(mfft_plan_multiply_add(fine->plan, MFFT_IN, 1, fine->real[mixed[p][0]], fine->real[mixed[p][1]], p > 0,
                                    fine->real[3]));
  for (int p = 0; p < 3; p++) {
    differentiate(fine, mixed[p][0], mixed[p][1], fine->modes, fine->real[0]);
    CHECK_OK(mfft_plan_multiply_add(fine->plan, MFFT_IN, -1, fine->real[0], fine->real[0], 1, fine->real[3]));
  }
  CHECK_OK(mfft_execute(fine->plan, MFFT_FORWARD, fine->real[3], fine->modes));
  CHECK_OK(mfft_plan_synchronize(fine->plan));
  CHECK_OK(mfft_plan_copy_modes(fine->plan, fine->modes, coarse->plan, coarse->second));
}

/* One run: seconds of the modes, the second order and the displacements, and the sums of squares of these, if wanted. */
static void run(mesh *coarse, mesh *fine, const double *deviation, double seconds[PARTS], double *sums) {
  mfft_mode_noise noise;
  double at = mfft_now();
  mfft_mode_noise_init(&noise);
  noise.seed = 3;
  noise.deviation = deviation;
  noise.squares = 3 * (coarse->n / 2) * (coarse->n / 2) + 1;
  CHECK_OK(mfft_plan_fill_modes(coarse->plan, &noise, coarse->modes));
  seconds[0] = mfft_now() - at, at += seconds[0];
  find_second(coarse, fine);
  seconds[1] = mfft_now() - at, seconds[2] = 0;
  for (int i = 0; i < SUMS; i++) {
    mfft_sums s;
    mfft_sums_init(&s);
    s.squares = 1;
    at = mfft_now();
    differentiate(coarse, i % 3, -1, i < 3 ? coarse->modes : coarse->second, coarse->real[0]);
    seconds[2] += mfft_now() - at;
    if (!sums) continue;
    CHECK_OK(mfft_plan_sums(coarse->plan, MFFT_IN, coarse->real[0], &s));
    sums[i] = mfft_exact_value(&s.sum, NULL);
  }
}

static void measure(const char *backend, int64_t n, int repeats, const double *deviation, double sums[SUMS]) {
  mesh coarse, fine;
  double least[PARTS + 1] = {INFINITY, INFINITY, INFINITY, INFINITY}, seconds[PARTS];
  make(backend, n, 1, &coarse);
  make(backend, 3 * ((n + 1) / 2), FIELDS, &fine);
  for (int i = 0; i <= repeats; i++) { /* the first run compiles, and is not timed */
    run(&coarse, &fine, deviation, seconds, i ? NULL : sums);
    if (!i) continue;
    least[PARTS] = fmin(least[PARTS], seconds[0] + seconds[1] + seconds[2]);
    for (int part = 0; part < PARTS; part++) least[part] = fmin(least[part], seconds[part]);
  }
  printf("%s, %lld^3: %.4f s; modes %.4f, second order %.4f, displacements %.4f\n", backend, (long long)n, least[PARTS],
         least[0], least[1], least[2]);
  drop(&coarse), drop(&fine);
}

int main(int argc, char **argv) {
  const char *backend = "cuda";
  int64_t n = 512;
  int repeats = 3;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--n")) n = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--repeat")) repeats = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--backend")) backend = argv[i + 1];
  }
  if (!mfft_backend_usable(backend, NULL, 0)) return TEST_SKIPPED;
  const int64_t squares = 3 * (n / 2) * (n / 2) + 1;
  double *deviation = calloc((size_t)squares, sizeof *deviation), sums[SUMS], want[SUMS];
  for (int64_t i = 1; i < squares; i++) deviation[i] = pow((double)i, -0.75);
  measure(backend, n, repeats, deviation, sums);
  if (n <= 64) {
    measure("fftw", n, 1, deviation, want);
    for (int i = 0; i < SUMS; i++)
      CHECK(want[i] > 0 && fabs(sums[i] / want[i] - 1) < 1e-12, "field %d: squares %.17g, not %.17g", i, sums[i], want[i]);
  }
  free(deviation);
  return test_end();
}
