// TEST labels=cuda args=--n,32
/* Convolutions on a GPU beside cuFFT, in one process: a circular one of n^3 points by a spectrum, and a solve, which is one
 * by a filter (mfft_convolution.h), beside cuFFT's R2C, a kernel that multiplies by a spectrum, and its C2R; a linear one
 * of (n/2)^3 points in n^3, beside the same; and transforms of (n/2)^3 points in n^3, of which our plan knows the
 * zeros (desc.given), beside cuFFT's of the padded array.
 *
 *     t893-convolution-peer-bench [--n 512] [--precision single|double] [--only plans|padded|circular]
 *
 * With "--only plans" nothing runs, so that several processes compile at once; with "--only padded" there is no
 * convolution, with "--only circular" neither a linear one nor zeros.  Times are medians of rounds in which both take turns;
 * results of both are equal to rounding, or the program fails.  Without cuFFT, or its headers at build time, ours alone are
 * timed. */
#include <math.h>

#include "base/clock.h"
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "mfft_convolution.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

#ifdef MFFT_HAVE_CUFFT
#include "../apps/bench/cufft_calls.c"
#include "../apps/bench/cufft_library.c"
#include "../apps/bench/peer_driver.c"
#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#endif

enum { ROUNDS = 7, OURS = 0, THEIRS = 1 };
enum { CONVOLVE = 0, SOLVE, LINEAR, PAD, CROP, JOBS };

static mfft_precision precision = MFFT_SINGLE;
static int64_t n = 512;
static size_t real_bytes, complex_bytes_of_all;
static void *real[2], *complex_side[2]; /* [contender] arrays of the whole mesh, for their R2C and C2R and our plans */
static void *kernel[2];                 /* spectra: of convolutions, and of the solve */
static double *factor;                  /* [n] of the filter, the same along each axis: 1 or -1 */
static mfft_plan plan[3];               /* of CONVOLVE, SOLVE, LINEAR */
static mfft_convolution convolution[3]; /* likewise */

/* ---- cuFFT ----------------------------------------------------------------------------------------------------------- */

#ifdef MFFT_HAVE_CUFFT
static mfft_cufft_call *call[2]; /* [direction] */

static int open_theirs(void) {
  const mfft_cufft_library *cufft;
  if (mfft_cufft_open("cufft", &cufft) != MFFT_SUCCESS) return 0;
  for (int d = 0; d < 2; d++) {
    const mfft_cufft_transform t = {.rank = 3,
                                    .n = {n, n, n},
                                    .batch = 1,
                                    .kind = MFFT_R2C,
                                    .direction = (mfft_direction)d,
                                    .precision = precision,
                                    .placement = MFFT_OUT_OF_PLACE,
                                    .effort = MFFT_ESTIMATE,
                                    .in = d ? complex_side[THEIRS] : real[THEIRS],
                                    .out = d ? real[THEIRS] : complex_side[THEIRS]};
    if (mfft_cufft_call_create(cufft, &t, &call[d]) != MFFT_SUCCESS) return 0;
  }
  return 1;
}
static void transform_theirs(int direction) { CHECK_OK(mfft_cufft_call_execute(call[direction])); }
static void close_theirs(void) {
  for (int d = 0; d < 2; d++) mfft_cufft_call_destroy(call[d]);
}
#else
static int open_theirs(void) { return 0; }
static void transform_theirs(int direction) { (void)direction; }
static void close_theirs(void) {}
#endif

/* ---- Jobs ------------------------------------------------------------------------------------------------------------ */

static void run_theirs(int job) {
  const int64_t half = n / 2 + 1;
  const mfft_filter_shape shape = {.n = {1, n, n, half}, .stride = {n * n * half, n * half, half, 1}};
  if (job != CROP) transform_theirs(0);
  if (job <= LINEAR)
    CHECK_OK(mfft_backend_cuda.multiply(precision, &shape, 0, kernel[job == SOLVE], complex_side[THEIRS], NULL));
  if (job != PAD) transform_theirs(1);
}

static void run_ours(int job) {
  if (job <= LINEAR) CHECK_OK(mfft_convolution_execute(convolution[job], real[OURS], real[OURS]));
  if (job == PAD) CHECK_OK(mfft_execute(plan[LINEAR], MFFT_FORWARD, real[OURS], complex_side[OURS]));
  if (job == CROP) CHECK_OK(mfft_execute(plan[LINEAR], MFFT_BACKWARD, complex_side[OURS], real[OURS]));
}

static double run(int who, int job) {
  const int times = n < 128 ? 50 : 10;
  CHECK_OK(mfft_backend_cuda.synchronize(NULL));
  const double begin = mfft_now();
  for (int i = 0; i < times; i++) (who == OURS ? run_ours : run_theirs)(job);
  CHECK(!gpu->context_synchronize(), "waiting for the GPU");
  return (mfft_now() - begin) / times;
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------------- */

/* Numbers that are drawn; arrays repeat them, since to draw as many as a mesh has takes longer than all else. */
enum { POOL = 65537 };

/* The same noise for both: the whole mesh, or an eighth of it, dense for our plan and with zeros around it for cuFFT. */
static void fill(int job) {
  const int64_t given = job <= SOLVE ? n : n / 2;
  const size_t bytes = mfft_real_bytes(precision), row = (size_t)given * bytes;
  char *ours = calloc(1, real_bytes), *theirs = calloc(1, real_bytes), *pool = malloc(POOL * bytes);
  uint64_t seed = 11;
  for (int64_t i = 0; i < POOL; i++) store_value(precision, pool, i, test_random(&seed));
  for (int64_t x = 0; x < given; x++)
    for (int64_t y = 0; y < given; y++) {
      const int64_t from = (x * given + y) * 7919 % (POOL - given);
      memcpy(ours + (size_t)(x * given + y) * row, pool + (size_t)from * bytes, row);
      memcpy(theirs + (size_t)((x * n + y) * n) * bytes, pool + (size_t)from * bytes, row);
    }
  CHECK_OK(mfft_memory_upload("cuda", real[OURS], ours, real_bytes));
  CHECK_OK(mfft_memory_upload("cuda", real[THEIRS], theirs, real_bytes));
  free(ours);
  free(theirs);
  free(pool);
}

/* The relative difference of both results; cuFFT's numbers are `factor` times as large. */
static double difference(void *const array[2], size_t bytes, double factor) {
  void *host[2] = {malloc(bytes), malloc(bytes)};
  double off = 0, norm = 0;
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_download("cuda", host[i], array[i], bytes));
  for (int64_t i = 0; i < (int64_t)(bytes / mfft_real_bytes(precision)); i++) {
    const double a = factor * stored_value(precision, host[OURS], i), b = stored_value(precision, host[THEIRS], i);
    off += (a - b) * (a - b), norm += b * b;
  }
  free(host[0]);
  free(host[1]);
  return sqrt(off / norm);
}

static void check(int peer, int first_job, int jobs) {
  const double bound = precision == MFFT_SINGLE ? 2e-6 : 1e-14;
  for (int job = first_job; job < jobs && job <= PAD; job++) {
    if (job == LINEAR) continue; /* our convolution wants a kernel that is zero between the ends */
    fill(job);
    run_ours(job);
    if (!peer) continue;
    run_theirs(job);
    const double off =
        job == PAD ? difference(complex_side, complex_bytes_of_all, 1) : difference(real, real_bytes, (double)(n * n * n));
    CHECK(off < bound, "%s differ by %g", job == PAD ? "padded spectra" : job ? "solves" : "convolutions", off);
  }
}

/* Spectra of magnitude 1, so that repeated convolutions neither grow nor vanish: of any phase, and the filter's.  Both are
 * spectra of real kernels: of others a C2R has no one result, and cuFFT's differs from ours for n = 128. */
static void make_kernels(void) {
  static double unit[POOL][2];
  char *values[2] = {malloc(complex_bytes_of_all), malloc(complex_bytes_of_all)};
  uint64_t seed = 5;
  const int64_t row = n / 2 + 1;
  factor = malloc((size_t)n * sizeof *factor);
  for (int64_t i = 0; i < n; i++) factor[i] = 2 * i > n ? factor[n - i] : test_random(&seed) > 0 ? 1 : -1;
  for (int i = 0; i < POOL; i++) {
    const double turn = 6.28 * test_random(&seed);
    unit[i][0] = cos(turn), unit[i][1] = sin(turn);
  }
  for (int64_t i = 0; i < n * n * row; i++) {
    const int64_t z = i % row;
    const double real_value[2] = {factor[i / row / n] * factor[i / row % n] * factor[z], 0}; /* of a symmetric kernel */
    const double *const value = z == 0 || 2 * z == n ? real_value : unit[i % POOL];
    for (int part = 0; part < 2; part++) {
      store_value(precision, values[0], 2 * i + part, value[part]);
      store_value(precision, values[1], 2 * i + part, real_value[part]);
    }
  }
  for (int i = 0; i < 2; i++) {
    CHECK_OK(mfft_backend_cuda.alloc(complex_bytes_of_all, &kernel[i]));
    CHECK_OK(mfft_memory_upload("cuda", kernel[i], values[i], complex_bytes_of_all));
    free(values[i]);
  }
}

static void make_ours(void) {
  mfft_desc desc;
  mfft_options options;
  mfft_convolution_kernel k;
  mfft_filter filter;
  mfft_filter_init(&filter);
  for (int a = 0; a < 3; a++) filter.factor[a] = factor;
  for (int job = CONVOLVE; job <= LINEAR; job++) {
    mfft_desc_init(&desc);
    mfft_options_init(&options);
    options.backend = "cuda";
    desc.kind = MFFT_R2C, desc.precision = precision, desc.allow_destroy_input = 1;
    desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
    desc.filtered = job == SOLVE ? 1 << MFFT_BACKWARD : 0;
    for (int a = 0; a < 3; a++) desc.n[a] = n, desc.given[a] = job == LINEAR ? n / 2 : 0;
    mfft_convolution_kernel_init(&k);
    if (job == SOLVE)
      k.filter = &filter;
    else
      k.spectrum = kernel[0];
    CHECK_OK(mfft_plan_create(&desc, &options, &plan[job]));
    CHECK_OK(mfft_convolution_create(plan[job], &convolution[job]));
    CHECK_OK(mfft_convolution_set_kernel(convolution[job], &k));
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(int peer, int first_job, int jobs) {
  static const char *const names[] = {"convolution", "solve", "linear one", "padded R2C", "cropped C2R"}; /* [JOBS] */
  for (int job = first_job; job < jobs; job++) {
    double took[2][ROUNDS] = {{0}}; /* [contender] */
    fill(job);
    if (job == CROP) run_ours(PAD);
    if (job == CROP && peer) run_theirs(PAD);
    for (int round = 0; round < ROUNDS; round++)
      for (int turn = 0; turn < 1 + peer; turn++) {
        const int who = peer ? (round + turn) % 2 : OURS;
        took[who][round] = run(who, job);
      }
    for (int who = 0; who < 2; who++) qsort(took[who], ROUNDS, sizeof(double), ascending);
    const double ours = took[OURS][ROUNDS / 2], theirs = took[THEIRS][ROUNDS / 2];
    printf("%lld^3 %s  %-11s cuFFT %9.2f us  ours %9.2f us  ratio %.2f\n", (long long)n,
           precision == MFFT_SINGLE ? "single" : "double", names[job], 1e6 * theirs, 1e6 * ours, theirs / ours);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  if (!gpu_here()) return TEST_SKIPPED;
  const char *only = "";
  for (int i = 1; i + 1 < argc; i++) {
    if (!strcmp(argv[i], "--only")) only = argv[i + 1];
    if (!strcmp(argv[i], "--n")) n = atoll(argv[i + 1]);
    if (!strcmp(argv[i], "--precision")) precision = strcmp(argv[i + 1], "double") ? MFFT_SINGLE : MFFT_DOUBLE;
  }
  const int plans = !strcmp(only, "plans"), first_job = strcmp(only, "padded") ? CONVOLVE : PAD,
            jobs = strcmp(only, "circular") ? JOBS : LINEAR;
  real_bytes = (size_t)(n * n * n) * mfft_real_bytes(precision);
  complex_bytes_of_all = (size_t)(n * n * (n / 2 + 1)) * 2 * mfft_real_bytes(precision);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(mfft_backend_cuda.alloc(real_bytes, &real[i]));
    CHECK_OK(mfft_backend_cuda.alloc(complex_bytes_of_all, &complex_side[i]));
  }
  make_kernels();
  make_ours();
  const int peer = !plans && open_theirs();
  if (!peer) printf("no cuFFT\n");
  if (!plans) check(peer, first_job, jobs);
  if (!plans) measure(peer, first_job, jobs);
  close_theirs();
  for (int i = 0; i < 3; i++) {
    mfft_convolution_destroy(convolution[i]);
    mfft_plan_destroy(plan[i]);
  }
  for (int i = 0; i < 2; i++) {
    mfft_backend_cuda.free(real[i]);
    mfft_backend_cuda.free(complex_side[i]);
    mfft_backend_cuda.free(kernel[i]);
  }
  free(factor);
  return test_end();
}
#endif
