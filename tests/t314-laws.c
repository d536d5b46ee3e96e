// TEST ranks=1,2,5 labels=dist
// TEST ranks=1,2 labels=dist+cuda args=cuda
// TEST ranks=1,2 labels=dist+emulated args=cuda
/* Ergun's laws and Parseval's sum, which need no second FFT, for arrays beyond the memory of a host: values are made and
 * checked part by part (apps/io/sweep.h), by as many threads as there are cores, and the device has the input and two
 * spectra.
 *
 *     a random                 sum |F a|^2 = sum |a|^2, and F^-1 F a = a;  F and F^-1 scaled by 1 / sqrt(N)
 *     c = 2 a - 3 S a + s d    F c = (2 - 3 e) F a + s e / sqrt(N):  linear, S shifts by x and d is 1 at x,
 *                                                                   e = exp(-2 pi i k x / n)
 *
 *   mpirun --bind-to none -n 8 t314-laws cuda single 2048 2048 2048 [natural|transposed [transport]]
 *                                                                        one size; prints the errors and the times
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/phases.c"
#include "../apps/cli/process.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/io/rows.c"
#include "../apps/io/sweep.c"
#include "dist.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { MOST_THREADS = 64, ROWS = 2 };

typedef struct law {
  const mfft_desc *desc;
  const mfft_options *options;
  int64_t x[3];     /* of the shift and the impulse */
  double *phase[3]; /* [axis][n][2] exp(-2 pi i k x / n) */
  double impulse;   /* s */
  double unit;      /* 1 / sqrt(N) */
  mfft_swept in, fa, fc;
  void *other; /* [part_bytes] page-locked: the part of F a that is compared with that of F c */
  int threads;
  double *row[MOST_THREADS][ROWS]; /* [threads][ROWS][2 n[2]] */
  dist_sum sum;
  enum { RANDOM, COMBINED } what;
} law;

/* ---- Rows of a part, shared out among threads ---- */

/* The work on row (x, y) of a part: elements [first, first + count) of `data` are its reals. */
typedef struct row_place {
  int64_t x, y, z, cells; /* the first cell, and how many along z */
  void *data;
  int64_t first, count;
  double *row[ROWS];   /* [ROWS][2 n[2]] scratch */
  double error, truth; /* the sums of this row */
} row_place;
typedef void row_step(const law *l, row_place *at);

typedef struct share {
  const law *l;
  row_step *step;
  const mfft_box *part;
  void *data;
  int64_t first, end; /* rows */
  int thread;
  dist_sum sum;
} share;

static void *do_rows(void *context) {
  share *s = context;
  const mfft_box *part = s->part;
  const int64_t side = mfft_box_side(part, 1), cells = mfft_box_side(part, 2);
  for (int64_t r = s->first; r < s->end; r++) {
    row_place at = {.x = part->lo[0] + r / side, .y = part->lo[1] + r % side, .z = part->lo[2], .cells = cells};
    at.data = s->data;
    at.first = 2 * cells * r;
    at.count = 2 * cells;
    memcpy(at.row, s->l->row[s->thread], sizeof at.row);
    s->step(s->l, &at);
    s->sum.error += at.error;
    s->sum.truth += at.truth;
  }
  return NULL;
}

static void each_row(law *l, const mfft_box *part, void *data, row_step *step) {
  const int64_t rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  pthread_t thread[MOST_THREADS];
  int running[MOST_THREADS] = {0};
  share of[MOST_THREADS];
  /* this thread does the first share, and those for which no thread could be made */
  for (int t = l->threads - 1; t >= 0; t--) {
    of[t] = (share){.l = l, .step = step, .part = part, .data = data, .thread = t};
    of[t].first = rows * t / l->threads;
    of[t].end = rows * (t + 1) / l->threads;
    running[t] = t && pthread_create(&thread[t], NULL, do_rows, &of[t]) == 0;
    if (!running[t]) do_rows(&of[t]);
  }
  for (int t = 0; t < l->threads; t++) {
    if (running[t]) pthread_join(thread[t], NULL);
    l->sum.error += of[t].sum.error;
    l->sum.truth += of[t].sum.truth;
  }
}

/* The number of cores that this process may use, or its share if it is bound to none. */
static int count_threads(void) {
  cpu_set_t mine;
  MPI_Comm node;
  int ranks = 1, cores = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  if (cores == sysconf(_SC_NPROCESSORS_ONLN)) cores /= ranks;
  return cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : cores;
}

/* ---- The steps ---- */

/* A mixed number: the value of a cell, without structure (splitmix64). */
static inline uint64_t mixed(uint64_t cell) {
  uint64_t z = cell * 0x9e3779b97f4a7c15u + 17;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A row of `a`, from cell (x, y, z) on, periodic: integers of as many bits as any precision stores, so that none is rounded.
 */
static void random_row(const law *l, int64_t x, int64_t y, int64_t z, int64_t cells, double *row) {
  static const int bits[] = {[MFFT_DOUBLE] = 32, [MFFT_SINGLE] = 24, [MFFT_HALF] = 11, [MFFT_BFLOAT16] = 8};
  const int64_t *n = l->desc->n, line = (x * n[1] + y) * n[2];
  const int shift = 32 - bits[l->desc->precision];
  const double unit = ldexp(1, shift - 32);
  for (int64_t done = 0; done < cells; z = 0) {
    const int64_t run = n[2] - z < cells - done ? n[2] - z : cells - done;
    for (int64_t i = 0; i < run; i++) {
      const uint64_t m = mixed((uint64_t)(line + z + i));
      row[2 * (done + i)] = unit * ((int32_t)(uint32_t)m >> shift);
      row[2 * (done + i) + 1] = unit * ((int32_t)(uint32_t)(m >> 32) >> shift);
    }
    done += run;
  }
}

/* Separate sums, so that additions do not wait for one another. */
static double squares(const double *row, int64_t count) {
  enum { SUMS = 8 };
  double part[SUMS] = {0}, all = 0;
  int64_t i = 0;
  for (; i + SUMS <= count; i += SUMS)
    for (int s = 0; s < SUMS; s++) part[s] += row[i + s] * row[i + s];
  for (; i < count; i++) all += row[i] * row[i];
  for (int s = 0; s < SUMS; s++) all += part[s];
  return all;
}

static void fill_row(const law *l, row_place *at) {
  const int64_t *n = l->desc->n, *by = l->x;
  double *row = at->row[0], *shifted = at->row[1];
  random_row(l, at->x, at->y, at->z, at->cells, row);
  at->truth = squares(row, at->count);
  if (l->what == COMBINED) {
    random_row(l, (at->x - by[0] + n[0]) % n[0], (at->y - by[1] + n[1]) % n[1], (at->z - by[2] + n[2]) % n[2], at->cells,
               shifted);
    for (int64_t i = 0; i < at->count; i++) row[i] = 2 * row[i] - 3 * shifted[i];
    const int64_t z = by[2] - at->z;
    if (at->x == by[0] && at->y == by[1] && z >= 0 && z < at->cells) row[2 * z] += l->impulse;
  }
  mfft_row_store(l->desc->precision, at->data, at->first, at->count, row);
}

/* |F a|^2. */
static void power_row(const law *l, row_place *at) {
  mfft_row_load(l->desc->precision, at->data, at->first, at->count, at->row[0]);
  at->error = squares(at->row[0], at->count);
}

/* Compares F c with (2 - 3 e) F a + s e / sqrt(N). */
static void compare_row(const law *l, row_place *at) {
  const double *p = l->phase[0] + 2 * at->x, *q = l->phase[1] + 2 * at->y, s = l->unit * l->impulse;
  const double re = p[0] * q[0] - p[1] * q[1], im = p[0] * q[1] + p[1] * q[0];
  double *a = at->row[0], *c = at->row[1];
  mfft_row_load(l->desc->precision, l->other, at->first, at->count, a);
  mfft_row_load(l->desc->precision, at->data, at->first, at->count, c);
  for (int64_t k = 0; k < at->cells; k++) {
    const double *z = l->phase[2] + 2 * (at->z + k), ar = a[2 * k], ai = a[2 * k + 1];
    const double er = re * z[0] - im * z[1], ei = re * z[1] + im * z[0];
    a[2 * k] = 2 * ar - 3 * (er * ar - ei * ai) + s * er;
    a[2 * k + 1] = 2 * ai - 3 * (er * ai + ei * ar) + s * ei;
    c[2 * k] -= a[2 * k];
    c[2 * k + 1] -= a[2 * k + 1];
  }
  at->truth = squares(a, at->count);
  at->error = squares(c, at->count);
}

/* Compares F^-1 F a with a. */
static void back_row(const law *l, row_place *at) {
  double *want = at->row[0], *got = at->row[1];
  random_row(l, at->x, at->y, at->z, at->cells, want);
  mfft_row_load(l->desc->precision, at->data, at->first, at->count, got);
  for (int64_t i = 0; i < at->count; i++) got[i] -= want[i];
  at->truth = squares(want, at->count);
  at->error = squares(got, at->count);
}

static mfft_status fill(void *context, const mfft_box *part, void *data) {
  each_row(context, part, data, fill_row);
  return MFFT_SUCCESS;
}

static mfft_status add_power(void *context, const mfft_box *part, void *data) {
  each_row(context, part, data, power_row);
  return MFFT_SUCCESS;
}

static mfft_status compare(void *context, const mfft_box *part, void *data) {
  law *l = context;
  const mfft_status status =
      mfft_memory_download(l->fa.backend, l->other, place(&l->fa, part), (size_t)mfft_box_cells(part) * l->fa.element_bytes);
  if (status == MFFT_SUCCESS) each_row(l, part, data, compare_row);
  return status;
}

static mfft_status come_back(void *context, const mfft_box *part, void *data) {
  each_row(context, part, data, back_row);
  return MFFT_SUCCESS;
}

static void sweep(law *l, mfft_swept *array, int does, mfft_sweep_step *step) {
  CHECK_OK(mfft_app_agree(mfft_sweep(array, does, step, l)));
}

static void execute(mfft_plan plan, mfft_direction direction, const mfft_swept *from, const mfft_swept *to) {
  CHECK_OK(mfft_execute(plan, direction, from->plan, to->plan));
  CHECK_OK(mfft_plan_synchronize(plan));
}

/* The root of the quotient of the sums since the last call. */
static double result(law *l) {
  const double quotient = dist_relative(MPI_COMM_WORLD, l->sum);
  l->sum = (dist_sum){0, 0};
  return quotient;
}

static int create(law *l, double part_mib, mfft_plan *plan) {
  const int64_t *n = l->desc->n;
  mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, l->desc, l->options, plan);
  CHECK_OK(status);
  if (status != MFFT_SUCCESS) return 0;
  status = mfft_swept_create(*plan, MFFT_IN, part_mib, 1, "the input", &l->in);
  if (status == MFFT_SUCCESS) status = mfft_swept_create(*plan, MFFT_OUT, part_mib, 1, "a spectrum", &l->fa);
  if (status == MFFT_SUCCESS) status = mfft_swept_create(*plan, MFFT_OUT, part_mib, 1, "another spectrum", &l->fc);
  if (status == MFFT_SUCCESS) status = mfft_memory_alloc_host(l->fa.backend, l->fa.part_bytes, &l->other);
  l->threads = count_threads();
  for (int t = 0; t < l->threads; t++)
    for (int i = 0; i < ROWS; i++) l->row[t][i] = malloc(2 * (size_t)n[2] * sizeof(double));
  for (int a = 0; a < 3; a++) {
    l->phase[a] = malloc(2 * (size_t)n[a] * sizeof(double));
    for (int64_t k = 0; k < n[a]; k++) {
      const double angle = -2 * 3.14159265358979323846 * (double)(k * l->x[a] % n[a]) / (double)n[a];
      l->phase[a][2 * k] = cos(angle);
      l->phase[a][2 * k + 1] = sin(angle);
    }
  }
  status = mfft_app_agree(status);
  CHECK(status == MFFT_SUCCESS, "%s", mfft_app_message());
  return status == MFFT_SUCCESS;
}

static void destroy(law *l, mfft_plan plan) {
  if (l->other) CHECK_OK(mfft_memory_free_host(l->fa.backend, l->other));
  mfft_swept_destroy(&l->in);
  mfft_swept_destroy(&l->fa);
  mfft_swept_destroy(&l->fc);
  mfft_plan_destroy(plan);
  for (int a = 0; a < 3; a++) free(l->phase[a]);
  for (int t = 0; t < l->threads; t++)
    for (int i = 0; i < ROWS; i++) free(l->row[t][i]);
}

/* Prints the errors, and the times of the steps. */
static void print_result(const law *l, mfft_plan plan, const double found[3], double bound, const double seconds[2]) {
  const int64_t *n = l->desc->n;
  const char *transport;
  int chunks;
  size_t bytes[2], workspace;
  CHECK_OK(mfft_plan_transport(plan, &transport, &chunks));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes[MFFT_IN]));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &bytes[MFFT_OUT]));
  CHECK_OK(mfft_plan_workspace_bytes(plan, &workspace));
  if (mfft_app_rank() != 0) return;
  printf("%lld x %lld x %lld on %d ranks by %s: Parseval %.2e, laws %.2e, round trip %.2e, bound %.2e\n", (long long)n[0],
         (long long)n[1], (long long)n[2], mfft_app_ranks(), transport, found[0], found[1], found[2], bound);
  printf(
      "  GiB of a rank: input %.2f, two spectra of %.2f, workspace %.2f; %.1f s to plan and allocate, %.1f s to transform "
      "and look at, with %d threads\n",
      (double)bytes[MFFT_IN] / 0x1p30, (double)bytes[MFFT_OUT] / 0x1p30, (double)workspace / 0x1p30, seconds[0], seconds[1],
      l->threads);
}

static void laws(const mfft_desc *d, const mfft_options *options, double part_mib, int prints) {
  const int64_t *n = d->n;
  const double cells = (double)n[0] * (double)n[1] * (double)n[2], bound = dist_tolerance[d->precision] * sqrt(log2(cells));
  const double most_16bit = 1024; /* of an impulse that leaves bits for the values added to it */
  law l = {
      .desc = d, .options = options, .x = {n[0] / 3, n[1] - 1, n[2] / 2}, .unit = 1 / sqrt(cells), .impulse = sqrt(cells)};
  if (mfft_real_bytes(d->precision) == 2) l.impulse = fmin(l.impulse, most_16bit);
  mfft_plan plan = NULL;
  const double begin = MPI_Wtime();
  if (create(&l, part_mib, &plan)) {
    const double created = MPI_Wtime();
    double found[3];
    l.what = RANDOM;
    sweep(&l, &l.in, MFFT_SWEEP_WRITES, fill);
    execute(plan, MFFT_FORWARD, &l.in, &l.fa);
    sweep(&l, &l.fa, MFFT_SWEEP_READS, add_power);
    found[0] = fabs(result(&l) - 1);
    l.what = COMBINED;
    sweep(&l, &l.in, MFFT_SWEEP_WRITES, fill);
    result(&l);
    execute(plan, MFFT_FORWARD, &l.in, &l.fc);
    sweep(&l, &l.fc, MFFT_SWEEP_READS, compare);
    found[1] = result(&l);
    execute(plan, MFFT_BACKWARD, &l.fa, &l.in);
    sweep(&l, &l.in, MFFT_SWEEP_READS, come_back);
    found[2] = result(&l);
    CHECK(found[0] <= bound, "Parseval is off by %.3g, bound %.3g", found[0], bound);
    CHECK(found[1] <= 3 * bound, "linearity, shift and impulse are off by %.3g, bound %.3g", found[1], 3 * bound);
    CHECK(found[2] <= 2 * bound, "there and back is off by %.3g, bound %.3g", found[2], 2 * bound);
    const double seconds[2] = {created - begin, MPI_Wtime() - created};
    if (prints) print_result(&l, plan, found, bound, seconds);
  }
  destroy(&l, plan);
}

static mfft_desc describe(const char *backend, mfft_precision precision, int64_t nx, int64_t ny, int64_t nz,
                          mfft_order order, const char *transport, mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.n[0] = nx;
  d.n[1] = ny;
  d.n[2] = nz;
  d.precision = precision;
  d.scale[MFFT_FORWARD] = d.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
  d.order = order;
  options->backend = backend;
  options->transport = transport;
  options->effort = MFFT_ESTIMATE;
  return d;
}

static mfft_precision precision_of(const char *name) {
  static const char *const names[] = {
      [MFFT_DOUBLE] = "double", [MFFT_SINGLE] = "single", [MFFT_HALF] = "half", [MFFT_BFLOAT16] = "bfloat16"};
  for (int p = 0; p < 4; p++)
    if (strcmp(name, names[p]) == 0) return (mfft_precision)p;
  CHECK(0, "\"%s\" is no precision", name);
  return MFFT_SINGLE;
}

int main(int argc, char **argv) {
  const char *backend = argc > 1 ? argv[1] : "fftw";
  const int usable = mfft_backend_usable(backend, NULL, 0);
  MPI_Init(&argc, &argv);
  if (usable && argc >= 6) {
    const mfft_order order = argc > 6 && !strcmp(argv[6], "natural") ? MFFT_ORDER_NATURAL : MFFT_ORDER_TRANSPOSED;
    mfft_options options;
    mfft_desc d = describe(backend, precision_of(argv[2]), atoll(argv[3]), atoll(argv[4]), atoll(argv[5]), order,
                           argc > 7 ? argv[7] : NULL, &options);
    laws(&d, &options, 128, 1);
  } else if (usable && argc > 1) {
    const int64_t n = test_small() ? 16 : 256; /* mpirun binds one rank to one core; scripts/gpu laws has the large sizes */
    const double part = test_small() ? 0.01 : 16;
    mfft_options one_options;
    mfft_desc one = describe(backend, MFFT_SINGLE, 2 * n, n, n / 2, MFFT_ORDER_TRANSPOSED, "p2p", &one_options);
    mfft_options two_options;
    mfft_desc two = describe(backend, MFFT_HALF, 2 * n, n, n, MFFT_ORDER_NATURAL, "p2p", &two_options);
    laws(&one, &one_options, part, 0);
    laws(&two, &two_options, part, 0);
  } else if (usable) {
    mfft_options one_options;
    mfft_desc one = describe(backend, MFFT_DOUBLE, 64, 72, 80, MFFT_ORDER_NATURAL, "pairwise", &one_options);
    mfft_options two_options;
    mfft_desc two = describe(backend, MFFT_SINGLE, 64, 72, 80, MFFT_ORDER_TRANSPOSED, "p2p", &two_options);
    mfft_options three_options;
    mfft_desc three = describe(backend, MFFT_DOUBLE, 61, 50, 33, MFFT_ORDER_NATURAL, "alltoallv", &three_options);
    laws(&one, &one_options, 0.3, 0);
    laws(&two, &two_options, 0.02, 0);
    laws(&three, &three_options, 0.1, 0);
  }
  MPI_Finalize();
  return usable ? test_end() : TEST_SKIPPED;
}
