// TEST ranks=1,2 labels=dist+cuda timeout=300
// TEST ranks=2 more=1,3 labels=emulated timeout=200
/* A forward transform, factors of the spectrum and a backward transform as one program (plan/convolve.h) have the results of
 * two executes, with a product between them, to rounding: the filter, arrays and their conjugates, kinds, precisions,
 * placements, orders, lengths, batches, chunks and overlap splits; several in a row, whose input stays; and where there is
 * one program: with two ranks and more, in transposed order, by direct transfers. */
#include <math.h>
#include <mpi.h>

#include "check.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "mfft_spectrum.h"
#include "plan/array_calls.h"
#include "plan/convolve.h"

typedef struct config {
  mfft_kind kind;
  mfft_precision precision;
  mfft_placement placement;
  mfft_order order;
  int64_t n[3];
  int chunks, split, destroys;
  int at_once, alone; /* there is one program: with several ranks; with one */
  int batch;          /* of more than one array several ranks have none by an array of factors */
} config;

static const config configs[] = {
    {MFFT_R2C, MFFT_SINGLE, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, {64, 16, 12}, 6, 11, 0, 1, 1, 1},
    {MFFT_R2C, MFFT_SINGLE, MFFT_IN_PLACE, MFFT_ORDER_TRANSPOSED, {64, 16, 12}, 6, 8, 0, 1, 1, 1},
    {MFFT_R2C, MFFT_DOUBLE, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, {48, 15, 8}, 5, -1, 1, 1, 1, 1},
    {MFFT_C2C, MFFT_DOUBLE, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, {64, 18, 5}, 1, 0, 1, 0, 1, 1},
    {MFFT_R2C, MFFT_SINGLE, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, {1024, 16, 14}, 6, 11, 0, 1, 1, 1},
    {MFFT_R2C, MFFT_SINGLE, MFFT_OUT_OF_PLACE, MFFT_ORDER_NATURAL, {64, 16, 12}, 6, 11, 0, 0, 1, 1},
    {MFFT_R2C, MFFT_DOUBLE, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, {90, 6, 10}, 2, 11, 0, 1, 1, 1},
    {MFFT_R2C, MFFT_DOUBLE, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, {37, 16, 12}, 6, 11, 0, 0, 0, 1}, /* no butterflies */
    {MFFT_C2C, MFFT_DOUBLE, MFFT_IN_PLACE, MFFT_ORDER_TRANSPOSED, {64, 18, 12}, 6, 0, 0, 1, 1, 1},
    {MFFT_R2C, MFFT_SINGLE, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, {64, 16, 12}, 6, 11, 0, 1, 0, 2},
};
enum { CONFIGS = sizeof configs / sizeof *configs, ARRAYS = 3, LONGEST = 1024 };

static int ranks;
static const char *backend;

static mfft_plan make(const config *c, mfft_convolved by) {
  mfft_desc d;
  mfft_options o;
  mfft_plan plan;
  mfft_desc_init(&d);
  mfft_options_init(&o);
  memcpy(d.n, c->n, sizeof d.n);
  d.kind = c->kind, d.precision = c->precision, d.placement = c->placement, d.order = c->order;
  d.batch = c->batch;
  d.allow_destroy_input = c->destroys, d.filtered = by == MFFT_CONVOLVED_BY_FILTER ? 1u << MFFT_BACKWARD : 0;
  o.backend = backend, o.effort = MFFT_ESTIMATE, o.chunks = c->chunks, o.overlap_split = c->split;
  if (ranks > 1) o.transport = "p2p";
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &o, &plan));
  return plan;
}

/* A filter of all axes, the same on all ranks. */
static void set_filter(const config *c, mfft_plan plan) {
  mfft_filter filter;
  static double factor[3][LONGEST];
  uint64_t state = 5;
  mfft_filter_init(&filter);
  filter.scale = 1.0 / (double)(c->n[0] * c->n[1] * c->n[2]);
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < LONGEST; i++) factor[a][i] = 1 + 0.25 * test_random(&state);
    filter.factor[a] = factor[a];
  }
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, &filter));
}

static void fill(const config *c, void *array, size_t bytes, int rank) {
  uint64_t state = (uint64_t)rank + 1;
  char *host = malloc(bytes + 8);
  for (size_t i = 0; i < bytes / mfft_real_bytes(c->precision); i++) {
    const double x = test_random(&state) - 0.5;
    if (c->precision == MFFT_DOUBLE)
      ((double *)(void *)host)[i] = x;
    else
      ((float *)(void *)host)[i] = (float)x;
  }
  CHECK_OK(mfft_memory_upload(backend, array, host, bytes));
  free(host);
}

/* The result of both directions, in `host`: one after the other, or as one program where the plan has one. */
static void run(const config *c, mfft_plan plan, const mfft_factors *factors, void *const array[ARRAYS], size_t bytes,
                int rank, char *host) {
  void *spectrum = c->placement == MFFT_IN_PLACE ? array[0] : array[1];
  void *out = c->placement == MFFT_IN_PLACE ? array[0] : array[2];
  fill(c, array[0], bytes, rank);
  CHECK_OK(mfft_plan_convolve(plan, factors, array[0], spectrum, out));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, host, out, bytes));
}

static double number_of(const config *c, const char *array, int64_t i) {
  return c->precision == MFFT_DOUBLE ? ((const double *)(const void *)array)[i] : ((const float *)(const void *)array)[i];
}

/* The distance of the numbers of two IN arrays over the norm of one; in place rows are padded by numbers of no meaning. */
static double distance(const config *c, mfft_plan plan, const char *a, const char *b) {
  const int64_t parts = c->kind == MFFT_C2C ? 2 : 1, row = parts * c->n[2],
                padded = c->placement == MFFT_IN_PLACE && c->kind == MFFT_R2C ? 2 * (c->n[2] / 2 + 1) : row;
  mfft_box box;
  CHECK_OK(mfft_plan_box(plan, MFFT_IN, &box));
  const int64_t rows = c->batch * (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]);
  double off = 0, norm = 0;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t i = r * padded; i < r * padded + row; i++) {
      const double x = number_of(c, a, i), y = number_of(c, b, i);
      off += (x - y) * (x - y), norm += x * x;
    }
  return rows ? sqrt(off / norm) : 0;
}

/* An array of reals that is not aligned to complex numbers is refused where such are on the way in it; a rank may learn
 * first that another has refused its own. */
static void check_alignment(const config *c, mfft_plan plan, void *const array[ARRAYS]) {
  char *const shifted = (char *)array[2] + mfft_real_bytes(c->precision);
  if (ranks == 1 || c->kind != MFFT_R2C || c->placement != MFFT_OUT_OF_PLACE) return;
  MPI_Barrier(MPI_COMM_WORLD);
  const mfft_status status = mfft_execute(plan, MFFT_BACKWARD, array[1], shifted);
  CHECK(status == MFFT_ERR_ARG || status == MFFT_ERR_STATE, "status %d", (int)status);
  CHECK(strstr(mfft_last_error(), "not aligned to the"), "%s", mfft_last_error());
}

/* The filter of a plan, or the array of factors in `array`. */
static mfft_factors make_factors(const config *c, mfft_plan plan, mfft_convolved by, void *array, size_t bytes,
                                 mfft_filter_shape *shape, int rank) {
  *shape = mfft_plan_out_shape(plan);
  if (by == MFFT_CONVOLVED_BY_FILTER)
    set_filter(c, plan);
  else
    fill(c, array, bytes, rank + 7);
  return (mfft_factors){by, by == MFFT_CONVOLVED_BY_FILTER ? NULL : array, shape};
}

static void compare(const config *c, int number, mfft_convolved by, int rank) {
  mfft_plan plan = make(c, by);
  mfft_filter_shape shape;
  void *array[ARRAYS];
  size_t bytes[2], in_bytes;
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  in_bytes = bytes[MFFT_IN];
  const size_t most = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  char *host[2] = {malloc(most + 1), malloc(most + 1)};
  for (int i = 0; i < ARRAYS; i++) CHECK_OK(mfft_memory_alloc(backend, most + 16, &array[i]));
  const size_t factor_bytes = bytes[MFFT_OUT] / (size_t)c->batch; /* the arrays of a batch have the same factors */
  void *array_of_factors = NULL;
  CHECK_OK(mfft_memory_alloc(backend, factor_bytes + 16, &array_of_factors));
  const mfft_factors factors = make_factors(c, plan, by, array_of_factors, factor_bytes, &shape, rank);
  CHECK(!mfft_plan_convolves_at_once(plan, by), "config %d: a program before it is made", number);
  run(c, plan, &factors, array, in_bytes, rank, host[0]);
  mfft_device_guard guard;
  CHECK_OK(mfft_plan_enter(plan, &guard));
  CHECK_OK(mfft_plan_convolve_make(plan, by));
  mfft_plan_leave(plan, &guard);
  const int able = ranks > 1 ? c->at_once && (by == MFFT_CONVOLVED_BY_FILTER || c->batch == 1) : c->alone;
  CHECK(mfft_plan_convolves_at_once(plan, by) == able, "config %d: %s program", number, able ? "no" : "a");
  for (int round = 0; round < 3; round++) {
    run(c, plan, &factors, array, in_bytes, rank, host[1]);
    const double off = distance(c, plan, host[0], host[1]), bound = c->precision == MFFT_DOUBLE ? 2e-15 : 1e-6;
    CHECK(off < bound, "config %d, round %d, rank %d: off by %g", number, round, rank, off);
  }
  check_alignment(c, plan, array);
  for (int i = 0; i < ARRAYS; i++) CHECK_OK(mfft_memory_free(backend, array[i]));
  CHECK_OK(mfft_memory_free(backend, array_of_factors));
  for (int i = 0; i < 2; i++) free(host[i]);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  backend = "cuda";
  if (!mfft_backend_usable(backend, NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  for (int i = 0; i < CONFIGS; i++) {
    compare(&configs[i], i, MFFT_CONVOLVED_BY_FILTER, rank);
    compare(&configs[i], i, i % 2 ? MFFT_CONVOLVED_BY_CONJUGATE : MFFT_CONVOLVED_BY_ARRAY, rank);
  }
  MPI_Finalize();
  return test_end();
}
