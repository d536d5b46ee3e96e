// TEST labels=once
// TEST labels=cuda args=cuda
// TEST labels=emulated timeout=120 args=cuda
/* White noise by wave number: the same modes on meshes of two sizes, and on a GPU, with the spectrum of a real field and the
 * right size; copies of modes from one mesh to the other; products of arrays, to the last bit; refusals. */
#include <math.h>

#include "check.h"
#include "mfft_array.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "mfft_spectrum.h"

enum { SQUARES = 400, MOST = 18 * 15 * 18 };
static double deviation[SQUARES];

static mfft_plan plan_of(const char *backend, const int64_t n[3]) {
  mfft_desc d;
  mfft_options o;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&o);
  memcpy(d.n, n, sizeof d.n);
  d.kind = MFFT_R2C;
  d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  d.filtered = 1 << MFFT_BACKWARD;
  o.backend = backend;
  o.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create(&d, &o, &plan));
  return plan;
}

static double *array_of(const char *backend) {
  double *array = NULL;
  CHECK_OK(mfft_memory_alloc(backend, 2 * MOST * sizeof(double), (void **)&array));
  return array;
}

static void fetch(const char *backend, double *host, const double *array) {
  CHECK_OK(mfft_memory_download(backend, host, array, 2 * MOST * sizeof(double)));
}

/* Modes of a plan's mesh in `modes`, and in host memory. */
static void fill(const char *backend, mfft_plan plan, double *modes, double *host) {
  mfft_mode_noise noise;
  mfft_mode_noise_init(&noise);
  noise.seed = 11;
  noise.deviation = deviation;
  noise.squares = SQUARES;
  CHECK_OK(mfft_plan_fill_modes(plan, &noise, modes));
  fetch(backend, host, modes);
}

static int64_t wave(int64_t i, int64_t n) { return 2 * i > n ? i - n : i; }

/* The place of a wave number in a spectrum; -1: the mesh has no such mode, or only that of both signs. */
static int64_t place(const int64_t n[3], const int64_t m[3]) {
  int64_t at = 0;
  for (int a = 0; a < 3; a++) {
    if (2 * llabs(m[a]) >= n[a]) return -1;
    at = at * (a == 2 ? n[2] / 2 + 1 : n[a]) + (m[a] < 0 ? m[a] + n[a] : m[a]);
  }
  return at;
}

/* Every mode of `to` is that of `from`, or 0 where that has none. */
static void compare(const int64_t to_n[3], const double *to, const int64_t from_n[3], const double *from) {
  int wrong = 0, common = 0;
  for (int64_t i = 0, z = to_n[2] / 2 + 1; i < to_n[0] * to_n[1] * z; i++) {
    const int64_t m[3] = {wave(i / z / to_n[1], to_n[0]), wave(i / z % to_n[1], to_n[1]), i % z};
    const int64_t at = place(to_n, m) < 0 ? -1 : place(from_n, m);
    for (int part = 0; part < 2; part++) wrong += to[2 * i + part] != (at < 0 ? 0 : from[2 * at + part]);
    common += at >= 0;
  }
  CHECK(!wrong && common == 495, "%d numbers of %d common modes, or of others, differ", wrong, common);
}

static void check_spectrum(mfft_plan plan, const int64_t n[3], double *modes, const double *host) {
  static double again[2 * MOST];
  double *real = array_of("fftw"), sum = 0, largest = 0;
  int64_t count = 0;
  CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, modes, real));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, real, again));
  for (int64_t i = 0, z = n[2] / 2 + 1; i < n[0] * n[1] * z; i++) {
    const int64_t m[3] = {wave(i / z / n[1], n[0]), wave(i / z % n[1], n[1]), i % z},
                  square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    for (int part = 0; part < 2; part++) largest = fmax(largest, fabs(again[2 * i + part] - host[2 * i + part]));
    if (place(n, m) < 0 || square >= SQUARES || !square) continue;
    sum += (pow(host[2 * i], 2) + pow(host[2 * i + 1], 2)) / pow(deviation[square], 2);
    count++;
  }
  CHECK(largest < 1e-13, "the modes are not those of a real field: %g", largest);
  CHECK(fabs(sum / (double)count - 1) < 0.1, "mean square %g of %lld modes", sum / (double)count, (long long)count);
  CHECK_OK(mfft_memory_free("fftw", real));
}

/* c = beta c + alpha a b, rounded operation by operation. */
static void check_products(const char *backend, mfft_plan plan, mfft_side side, const int64_t n[3], const double *a,
                           const double *b) {
  static double got[2 * MOST], want[2 * MOST], host_a[2 * MOST], host_b[2 * MOST];
  double *c = array_of(backend);
  const double alpha = -0.7, betas[2] = {0, 1.3};
  fetch(backend, host_a, a), fetch(backend, host_b, b);
  for (int i = 0; i < 2 * MOST; i++) want[i] = NAN;
  CHECK_OK(mfft_memory_upload(backend, c, want, sizeof want));
  const int64_t numbers = n[0] * n[1] * (side == MFFT_IN ? n[2] : 2 * (n[2] / 2 + 1));
  for (int step = 0; step < 2; step++) {
    int wrong = 0;
    CHECK_OK(mfft_plan_multiply_add(plan, side, alpha, a, b, betas[step], c));
    fetch(backend, got, c);
    for (int64_t i = 0; i < numbers; i++) {
      const double product = host_a[i] * host_b[i], scaled = alpha * product, old = betas[step] * want[i];
      want[i] = step ? old + scaled : scaled;
      wrong += want[i] != got[i];
    }
    for (int64_t i = numbers; i < 2 * MOST; i++) wrong += !isnan(got[i]);
    CHECK(!wrong, "%s: %d products with beta = %g differ", backend, wrong, betas[step]);
  }
  CHECK_FAILS(mfft_plan_multiply_add(plan, MFFT_IN, INFINITY, a, b, 0, c), MFFT_ERR_ARG, "alpha is inf");
  CHECK_OK(mfft_memory_free(backend, c));
}

/* Filters that follow one another while earlier transforms may still be queued. */
static void check_filters(const char *backend, mfft_plan plan, const int64_t n[3], const double *modes) {
  static double host[3][2 * MOST];
  double *real[3];
  int wrong = 0;
  for (int i = 0; i < 3; i++) {
    mfft_filter filter;
    mfft_filter_init(&filter);
    filter.scale = i + 1;
    real[i] = array_of(backend);
    CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, &filter));
    CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, modes, real[i]));
  }
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, NULL));
  CHECK_OK(mfft_plan_synchronize(plan));
  for (int i = 0; i < 3; i++) {
    fetch(backend, host[i], real[i]);
    CHECK_OK(mfft_memory_free(backend, real[i]));
  }
  for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
    for (int f = 1; f < 3; f++) wrong += !(fabs(host[f][i] - (f + 1) * host[0][i]) < 1e-15);
  CHECK(!wrong, "%s: %d numbers have another filter than theirs", backend, wrong);
}

static void check_backend(const char *backend, int is_first) {
  static const int64_t sides[2][3] = {{12, 10, 9}, {18, 15, 15}};
  static double host[2][2 * MOST], first[2][2 * MOST], copied[2 * MOST];
  mfft_plan plan[2];
  double *modes[2], *to = array_of(backend);
  mfft_mode_noise noise;
  for (int side = 0; side < 2; side++) {
    plan[side] = plan_of(backend, sides[side]);
    modes[side] = array_of(backend);
    fill(backend, plan[side], modes[side], host[side]);
    if (is_first) check_spectrum(plan[side], sides[side], modes[side], host[side]);
    if (is_first) memcpy(first[side], host[side], sizeof first[side]);
    const size_t bytes = (size_t)(sides[side][0] * sides[side][1] * (sides[side][2] / 2 + 1)) * 16;
    CHECK(!memcmp(first[side], host[side], bytes), "%s: modes have other bits", backend);
  }
  compare(sides[0], host[0], sides[1], host[1]);
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_copy_modes(plan[side], modes[side], plan[!side], to));
    fetch(backend, copied, to);
    compare(sides[!side], copied, sides[side], host[side]);
  }
  check_products(backend, plan[0], MFFT_IN, sides[0], modes[0], modes[1]);
  check_products(backend, plan[0], MFFT_OUT, sides[0], modes[0], modes[1]);
  check_filters(backend, plan[0], sides[0], modes[0]);
  mfft_mode_noise_init(&noise);
  noise.squares = 3;
  CHECK_FAILS(mfft_plan_fill_modes(plan[0], &noise, to), MFFT_ERR_ARG, "give a table");
  CHECK_FAILS(mfft_plan_copy_modes(plan[0], modes[0], NULL, to), MFFT_ERR_ARG, "the plan to copy to is NULL");
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_memory_free(backend, modes[side]));
    mfft_plan_destroy(plan[side]);
  }
  CHECK_OK(mfft_memory_free(backend, to));
}

/* The field in which a plan differs from one of modes is named with its value and the remedy. */
static void check_batch(void) {
  mfft_desc d;
  mfft_plan plan;
  mfft_desc_init(&d);
  d.n[0] = d.n[1] = d.n[2] = 8;
  d.kind = MFFT_R2C;
  d.batch = 2;
  CHECK_OK(mfft_plan_create(&d, NULL, &plan));
  double *array = array_of("fftw");
  CHECK_FAILS(
      mfft_plan_copy_modes(plan, array, plan, array), MFFT_ERR_UNSUPPORTED,
      "the plan to copy from was made with desc.batch = 2, and modes need one real array of rank 3 with a DFT of all "
      "axes; make it with desc.batch = 1");
  CHECK_OK(mfft_memory_free("fftw", array));
  mfft_plan_destroy(plan);
}

/* Modes of a plan with cosines along the last axis have no wave numbers of a DFT there. */
static void check_cosines(void) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan;
  mfft_mode_noise noise;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = "fftw";
  d.rank = 3;
  d.n[0] = d.n[1] = d.n[2] = 8;
  d.kind = MFFT_R2C;
  d.axis_kind[2] = MFFT_DCT2;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  double *out = array_of("fftw");
  mfft_mode_noise_init(&noise);
  CHECK_FAILS(mfft_plan_fill_modes(plan, &noise, out), MFFT_ERR_UNSUPPORTED, "desc.axis_kind[2] = ");
  CHECK_OK(mfft_memory_free("fftw", out));
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  for (int i = 0; i < SQUARES; i++) deviation[i] = 1 / (1.0 + i);
  (void)argv;
  if (argc > 1 && !mfft_backend_usable("cuda", NULL, 0)) return TEST_SKIPPED;
  check_cosines();
  check_batch();
  check_backend("fftw", 1);
  if (argc > 1) check_backend("cuda", 0);
  return test_end();
}
