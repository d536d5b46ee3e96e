// TEST ranks=1,2,5 labels=dist
// TEST ranks=2 labels=dist+cuda args=cuda
// TEST ranks=2 labels=dist+emulated args=cuda
/* Ergun's laws and Parseval's sum, which need no second FFT, for arrays that no host holds: values are made and looked at
 * part by part (apps/sweep.h), and the device has the input and two spectra.
 *
 *     a random             sum |F a|^2 = N sum |a|^2, and F^-1 F a = N a
 *     c = 2 a - 3 S a + s d    F c = (2 - 3 e) F a + s e:  linear, S shifts by x and d is 1 at x, e = exp(-2 pi i k x / n)
 *
 *   mpirun -n 8 t314-laws cuda single 2048 2048 2048 [natural|transposed [transport]]      one size, with what it found */
#include "../apps/cli.c"
#include "../apps/cli_help.c"
#include "../apps/cli_value.c"
#include "../apps/progress.c"
#include "../apps/report.c"
#include "../apps/rows.c"
#include "../apps/sweep.c"
#include "dist.h"

typedef struct law {
  const mfft_desc *desc;
  int64_t x[3];     /* of the shift and the impulse */
  double *phase[3]; /* [axis][n][2] exp(-2 pi i k x / n) */
  double impulse;   /* s */
  mfft_swept in, fa, fc;
  void *beside;   /* [part_bytes] the part of F a beside that of F c */
  double *row[2]; /* [2 n[2]] */
  dist_sum sum;
  enum { RANDOM, COMBINED } what;
} law;

/* A row of `a`, from cell (x, y, z0) on round the periodic axis, as it is stored. */
static void random_row(const law *l, int64_t x, int64_t y, int64_t z0, int64_t count, double *row) {
  const int64_t *n = l->desc->n, line = (x * n[1] + y) * n[2];
  for (int64_t z = 0; z < count; z++) {
    const int64_t at = line + (z0 + z) % n[2];
    row[2 * z] = dist_value(2 * at);
    row[2 * z + 1] = dist_value(2 * at + 1);
  }
  if (l->desc->precision == MFFT_DOUBLE) return;
  for (int64_t i = 0; i < 2 * count; i++) row[i] = (float)row[i];
}

static mfft_status fill(void *context, const mfft_box *part, void *data) {
  law *l = context;
  const int64_t *n = l->desc->n, z = part->lo[2], count = part->hi[2] - part->lo[2];
  int64_t done = 0;
  double *row = l->row[0], *shifted = l->row[1];
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++, done += 2 * count) {
      random_row(l, x, y, z, count, row);
      for (int64_t i = 0; i < 2 * count; i++) l->sum.truth += row[i] * row[i];
      if (l->what == COMBINED) {
        random_row(l, (x - l->x[0] + n[0]) % n[0], (y - l->x[1] + n[1]) % n[1], (z - l->x[2] + n[2]) % n[2], count, shifted);
        for (int64_t i = 0; i < 2 * count; i++) row[i] = 2 * row[i] - 3 * shifted[i];
        if (x == l->x[0] && y == l->x[1] && z <= l->x[2] && l->x[2] < z + count) row[2 * (l->x[2] - z)] += l->impulse;
      }
      mfft_row_store(l->desc->precision, data, done, 2 * count, row);
    }
  return MFFT_SUCCESS;
}

/* Adds up |F a|^2. */
static mfft_status add_power(void *context, const mfft_box *part, void *data) {
  law *l = context;
  const int64_t count = 2 * (part->hi[2] - part->lo[2]);
  for (int64_t r = 0; r < mfft_box_cells(part) * 2; r += count) {
    mfft_row_load(l->desc->precision, data, r, count, l->row[0]);
    for (int64_t i = 0; i < count; i++) l->sum.error += l->row[0][i] * l->row[0][i];
  }
  return MFFT_SUCCESS;
}

/* F c beside (2 - 3 e) F a + s e. */
static mfft_status compare(void *context, const mfft_box *part, void *data) {
  law *l = context;
  const mfft_precision precision = l->desc->precision;
  const int64_t count = part->hi[2] - part->lo[2];
  int64_t done = 0;
  mfft_status status = mfft_memory_download(l->fa.backend, l->beside, place(&l->fa, part),
                                            (size_t)mfft_box_cells(part) * l->fa.element_bytes);
  for (int64_t x = part->lo[0]; x < part->hi[0] && status == MFFT_SUCCESS; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++, done += 2 * count) {
      const double *p = l->phase[0] + 2 * x, *q = l->phase[1] + 2 * y, *a = l->row[0], *c = l->row[1];
      const double re = p[0] * q[0] - p[1] * q[1], im = p[0] * q[1] + p[1] * q[0];
      mfft_row_load(precision, l->beside, done, 2 * count, l->row[0]);
      mfft_row_load(precision, data, done, 2 * count, l->row[1]);
      for (int64_t k = 0; k < count; k++) {
        const double *z = l->phase[2] + 2 * (part->lo[2] + k);
        const double er = re * z[0] - im * z[1], ei = re * z[1] + im * z[0], ar = a[2 * k], ai = a[2 * k + 1];
        const double tr = 2 * ar - 3 * (er * ar - ei * ai) + l->impulse * er;
        const double ti = 2 * ai - 3 * (er * ai + ei * ar) + l->impulse * ei;
        l->sum.error += (c[2 * k] - tr) * (c[2 * k] - tr) + (c[2 * k + 1] - ti) * (c[2 * k + 1] - ti);
        l->sum.truth += tr * tr + ti * ti;
      }
    }
  return status;
}

/* F^-1 F a beside N a. */
static mfft_status come_back(void *context, const mfft_box *part, void *data) {
  law *l = context;
  const int64_t *n = l->desc->n, count = part->hi[2] - part->lo[2];
  const double cells = (double)n[0] * (double)n[1] * (double)n[2];
  int64_t done = 0;
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++, done += 2 * count) {
      random_row(l, x, y, part->lo[2], count, l->row[0]);
      mfft_row_load(l->desc->precision, data, done, 2 * count, l->row[1]);
      for (int64_t i = 0; i < 2 * count; i++) {
        const double want = l->row[0][i], e = l->row[1][i] / cells - want;
        l->sum.error += e * e;
        l->sum.truth += want * want;
      }
    }
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
  mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, l->desc, plan);
  CHECK_OK(status);
  if (status != MFFT_SUCCESS) return 0;
  status = mfft_swept_create(*plan, MFFT_IN, part_mib, 1, "the input", &l->in);
  if (status == MFFT_SUCCESS) status = mfft_swept_create(*plan, MFFT_OUT, part_mib, 1, "a spectrum", &l->fa);
  if (status == MFFT_SUCCESS) status = mfft_swept_create(*plan, MFFT_OUT, part_mib, 1, "another spectrum", &l->fc);
  l->beside = malloc(l->fa.part_bytes + 1);
  for (int i = 0; i < 2; i++) l->row[i] = malloc(2 * (size_t)n[2] * sizeof(double));
  for (int a = 0; a < 3; a++) {
    l->phase[a] = malloc(2 * (size_t)n[a] * sizeof(double));
    for (int64_t k = 0; k < n[a]; k++) {
      const double angle = -2 * 3.14159265358979323846 * (double)(k * l->x[a] % n[a]) / (double)n[a];
      l->phase[a][2 * k] = cos(angle);
      l->phase[a][2 * k + 1] = sin(angle);
    }
  }
  status = mfft_app_agree(status);
  CHECK(status == MFFT_SUCCESS, "%s", mfft_app_story());
  return status == MFFT_SUCCESS;
}

static void laws(const mfft_desc *d, double part_mib, int speaks) {
  const int64_t *n = d->n;
  const double cells = (double)n[0] * (double)n[1] * (double)n[2], bound = dist_tolerance[d->precision] * sqrt(log2(cells));
  law l = {.desc = d, .x = {n[0] / 3, n[1] - 1, n[2] / 2}, .impulse = sqrt(cells)};
  mfft_plan plan = NULL;
  if (create(&l, part_mib, &plan)) {
    l.what = RANDOM;
    sweep(&l, &l.in, MFFT_SWEEP_WRITES, fill);
    execute(plan, MFFT_FORWARD, &l.in, &l.fa);
    sweep(&l, &l.fa, MFFT_SWEEP_READS, add_power);
    const double parseval = fabs(result(&l) / sqrt(cells) - 1);
    l.what = COMBINED;
    sweep(&l, &l.in, MFFT_SWEEP_WRITES, fill);
    result(&l);
    execute(plan, MFFT_FORWARD, &l.in, &l.fc);
    sweep(&l, &l.fc, MFFT_SWEEP_READS, compare);
    const double law = result(&l);
    execute(plan, MFFT_BACKWARD, &l.fa, &l.in);
    sweep(&l, &l.in, MFFT_SWEEP_READS, come_back);
    const double round_trip = result(&l);
    CHECK(parseval <= bound, "Parseval is off by %.3g, bound %.3g", parseval, bound);
    CHECK(law <= 3 * bound, "linearity, shift and impulse are off by %.3g, bound %.3g", law, 3 * bound);
    CHECK(round_trip <= 2 * bound, "there and back is off by %.3g, bound %.3g", round_trip, 2 * bound);
    const char *transport;
    int chunks;
    CHECK_OK(mfft_plan_transport(plan, &transport, &chunks));
    if (speaks && mfft_app_rank() == 0)
      printf("%lld x %lld x %lld on %d ranks by %s: Parseval %.2e, laws %.2e, round trip %.2e, bound %.2e\n",
             (long long)n[0], (long long)n[1], (long long)n[2], mfft_app_ranks(), transport, parseval, law, round_trip,
             bound);
  }
  mfft_swept_destroy(&l.in);
  mfft_swept_destroy(&l.fa);
  mfft_swept_destroy(&l.fc);
  mfft_plan_destroy(plan);
  for (int a = 0; a < 3; a++) free(l.phase[a]);
  for (int i = 0; i < 2; i++) free(l.row[i]);
  free(l.beside);
}

static mfft_desc describe(const char *backend, mfft_precision precision, int64_t nx, int64_t ny, int64_t nz,
                          mfft_order order, const char *transport) {
  mfft_desc d;
  mfft_desc_init(&d);
  d.n[0] = nx;
  d.n[1] = ny;
  d.n[2] = nz;
  d.precision = precision;
  d.order = order;
  d.backend = backend;
  d.transport = transport;
  d.effort = MFFT_ESTIMATE;
  return d;
}

int main(int argc, char **argv) {
  const char *backend = argc > 1 ? argv[1] : "fftw";
  const int usable = mfft_backend_usable(backend, NULL, 0);
  MPI_Init(&argc, &argv);
  if (usable && argc >= 6) {
    const mfft_precision precision = strcmp(argv[2], "single") ? MFFT_DOUBLE : MFFT_SINGLE;
    const mfft_order order = argc > 6 && !strcmp(argv[6], "natural") ? MFFT_ORDER_NATURAL : MFFT_ORDER_TRANSPOSED;
    const mfft_desc d =
        describe(backend, precision, atoll(argv[3]), atoll(argv[4]), atoll(argv[5]), order, argc > 7 ? argv[7] : NULL);
    laws(&d, 64, 1);
  } else if (usable && argc > 1) {
    const mfft_desc one = describe(backend, MFFT_SINGLE, 32, 16, 16, MFFT_ORDER_TRANSPOSED, "p2p");
    laws(&one, 0.01, 0);
  } else if (usable) {
    const mfft_desc one = describe(backend, MFFT_DOUBLE, 64, 72, 80, MFFT_ORDER_NATURAL, "pairwise");
    const mfft_desc two = describe(backend, MFFT_SINGLE, 64, 72, 80, MFFT_ORDER_TRANSPOSED, "p2p");
    const mfft_desc three = describe(backend, MFFT_DOUBLE, 61, 50, 33, MFFT_ORDER_NATURAL, "alltoallv");
    laws(&one, 0.3, 0);
    laws(&two, 0.02, 0);
    laws(&three, 0.1, 0);
  }
  MPI_Finalize();
  return usable ? test_end() : TEST_SKIPPED;
}
