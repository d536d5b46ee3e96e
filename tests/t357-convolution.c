// TEST ranks=1,2,3,5 labels=dist args=fftw
// TEST args=ref ranks=1
// TEST ranks=2 labels=emulated timeout=600 args=cuda
/* Convolutions and correlations (mfft_convolution.h) against their sums, by local plans and by plans over the ranks: linear
 * and circular axes, kernels given as rows, values, spectra and filters, kinds, precisions, batches, placements, scales,
 * layouts; what is refused. */
#include "dist.h"
#include "mfft_convolution.h"

static const char *backend;

typedef enum form { ROW, VALUE, SPECTRUM, FILTER } form;

static const struct {
  mfft_kind kind;
  int rank;
  int64_t x[3];          /* points of the arrays */
  unsigned linear, axes; /* bits of axes: linear; transformed, 0: all */
  int64_t lo[3], hi[3];
  form form;
  int correlate;
} cases[] = {
    {MFFT_R2C, 3, {5, 4, 6}, 7, 0, {-4, -3, -5}, {5, 4, 6}, ROW, 0},
    {MFFT_R2C, 3, {5, 4, 6}, 7, 0, {-9, -1, 0}, {12, 2, 3}, ROW, 1},
    {MFFT_C2C, 3, {6, 3, 5}, 5, 0, {0, -1, -2}, {3, 2, 1}, VALUE, 0},
    {MFFT_C2C, 3, {4, 7, 3}, 0, 0, {-3, 2, 0}, {1, 7, 3}, VALUE, 1},
    {MFFT_R2C, 3, {6, 5, 8}, 2, 0, {1, -2, 3}, {2, -1, 4}, SPECTRUM, 1},
    {MFFT_C2C, 3, {6, 5, 7}, 0, 0, {4, -2, 0}, {5, -1, 1}, SPECTRUM, 0},
    {MFFT_R2C, 3, {8, 6, 5}, 1, 0, {-1, 0, 0}, {2, 1, 1}, FILTER, 0},
    {MFFT_R2C, 3, {5, 1, 6}, 5, 5, {-1, 0, -2}, {3, 1, 2}, ROW, 0},
    {MFFT_R2C, 2, {7, 9, 1}, 3, 0, {-2, -8}, {3, 9}, VALUE, 1},
    {MFFT_C2C, 2, {1, 9, 1}, 3, 0, {-3, 3}, {4, 8}, ROW, 0},
    {MFFT_R2C, 3, {4, 6, 5}, 0, 0, {-1, 0, -2}, {2, 3, 2}, ROW, 1},
    {MFFT_C2C, 1, {60, 1, 1}, 0, 0, {-20}, {9}, ROW, 1},
    {MFFT_R2C, 1, {37, 1, 1}, 1, 0, {-5}, {50}, VALUE, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

static mfft_desc describe(size_t c, int variant) {
  mfft_desc d;
  mfft_desc_init(&d);
  d.kind = cases[c].kind, d.rank = cases[c].rank, d.axes = cases[c].axes;
  for (int a = 0; a < d.rank; a++) {
    const int linear = cases[c].linear >> a & 1;
    d.n[a] = linear ? mfft_convolution_length(cases[c].x[a], cases[c].lo[a], cases[c].hi[a]) : cases[c].x[a];
    d.given[a] = linear ? cases[c].x[a] : 0;
  }
  d.batch = 1 + (variant == 1);
  d.precision = variant == 1 ? MFFT_SINGLE : MFFT_DOUBLE;
  d.placement = variant == 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.allow_destroy_input = variant == 1;
  if (d.kind == MFFT_C2C || d.rank > 1) dist_set_order(&d, variant == 3 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL);
  d.scale[MFFT_FORWARD] = variant == 3 ? MFFT_SCALE_SQRT : MFFT_SCALE_NONE;
  d.scale[MFFT_BACKWARD] = variant == 3 ? MFFT_SCALE_SQRT : MFFT_SCALE_FULL;
  d.filtered = cases[c].form == FILTER ? 1u << MFFT_BACKWARD : 0;
  return d;
}

/* The kernel at an offset: one value for spectra, two for filters, else without structure. */
static double kernel_value(size_t c, const int64_t o[3], int part) {
  if (cases[c].form == SPECTRUM) return part ? 0 : 1;
  if (cases[c].form == FILTER) return part || o[0] == 0 ? 0 : 0.5;
  return dist_value(((o[0] + 50) * 100 + o[1] + 50) * 200 + 2 * (o[2] + 50) + part);
}

static double data_value(size_t c, int64_t b, const int64_t i[3], int part) {
  const int64_t *n = cases[c].x;
  return dist_value(7 + 2 * (((b * n[0] + i[0]) * n[1] + i[1]) * n[2] + i[2]) + part);
}

/* The sum of the header, term by term. */
static void truth_at(size_t c, const mfft_desc *d, int64_t b, const int64_t i[3], double y[2]) {
  const int complex_data = cases[c].kind == MFFT_C2C, sign = cases[c].correlate ? 1 : -1;
  const unsigned axes = cases[c].axes ? cases[c].axes : 7;
  int64_t o[3], j[3], lo[3], hi[3];
  for (int a = 0; a < 3; a++) {
    lo[a] = a < d->rank ? cases[c].lo[a] : 0, hi[a] = a < d->rank ? cases[c].hi[a] : 1;
    if (!(axes >> a & 1)) lo[a] = i[a], hi[a] = i[a] + 1;
  }
  y[0] = y[1] = 0;
  for (o[0] = lo[0]; o[0] < hi[0]; o[0]++)
    for (o[1] = lo[1]; o[1] < hi[1]; o[1]++)
      for (o[2] = lo[2]; o[2] < hi[2]; o[2]++) {
        int within = 1;
        for (int a = 0; a < 3; a++) {
          const int64_t n = a < d->rank ? cases[c].x[a] : 1;
          j[a] = axes >> a & 1 ? i[a] + sign * o[a] : i[a];
          if (!(cases[c].linear >> a & 1)) j[a] = (j[a] % n + n) % n;
          within &= j[a] >= 0 && j[a] < n;
        }
        if (!within) continue;
        const double re = kernel_value(c, o, 0), im = complex_data ? -sign * kernel_value(c, o, 1) : 0;
        const double xr = data_value(c, b, j, 0), xi = complex_data ? data_value(c, b, j, 1) : 0;
        y[0] += re * xr - im * xi;
        y[1] += re * xi + im * xr;
      }
}

static mfft_status row(void *context, const int64_t offset[3], int64_t count, double *value) {
  const size_t c = *(const size_t *)context;
  const int last = cases[c].rank - 1, parts = cases[c].kind == MFFT_C2C ? 2 : 1;
  int64_t o[3] = {offset[0], last > 0 ? offset[1] : 0, last > 1 ? offset[2] : 0};
  for (int64_t i = 0; i < count; i++, o[last]++) {
    for (int a = 0; a <= last; a++)
      CHECK(o[a] >= cases[c].lo[a] && o[a] < cases[c].hi[a], "case %zu: offset %lld of axis %d", c, (long long)o[a], a);
    for (int part = 0; part < parts; part++) value[parts * i + part] = kernel_value(c, o, part);
  }
  return MFFT_SUCCESS;
}

/* Fills what the form of a case wants; the memory that it returns is to be freed. */
static double *make_kernel(size_t c, mfft_plan plan, const mfft_desc *d, size_t *context, mfft_filter *filter,
                           mfft_convolution_kernel *k) {
  const int parts = d->kind == MFFT_C2C ? 2 : 1;
  const double pi = acos(-1);
  int64_t i[3], at = 0;
  mfft_convolution_kernel_init(k);
  memcpy(k->lo, cases[c].lo, sizeof k->lo);
  memcpy(k->hi, cases[c].hi, sizeof k->hi);
  k->correlate = cases[c].correlate;
  *context = c;
  if (cases[c].form == ROW) k->row = row, k->context = context;
  if (cases[c].form == ROW) return NULL;
  if (cases[c].form == VALUE) {
    double *value = calloc(4096, sizeof *value);
    mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
    for (int a = 0; a < d->rank; a++) box.lo[a] = k->lo[a], box.hi[a] = k->hi[a];
    DIST_EACH(box, i) for (int part = 0; part < parts; part++) value[at++] = kernel_value(c, i, part);
    k->value = value;
    return value;
  }
  if (cases[c].form == FILTER) {
    double *factor = calloc((size_t)d->n[0], sizeof *factor);
    for (int64_t m = 0; m < d->n[0]; m++) factor[m] = cos(2 * pi * (double)m / (double)d->n[0]);
    mfft_filter_init(filter);
    filter->factor[0] = factor;
    k->filter = filter;
    return factor;
  }
  mfft_box box; /* a shift is a product with a phase */
  CHECK_OK(mfft_plan_box(plan, MFFT_OUT, &box));
  double *stored = calloc((size_t)dist_count(&box) + 1, 2 * sizeof *stored);
  DIST_EACH(box, i) {
    double phase = 0;
    for (int a = 0; a < d->rank; a++) phase -= 2 * pi * (double)(i[a] * k->lo[a]) / (double)d->n[a];
    dist_store(stored, d->precision, 2 * dist_offset(&box, i), cos(phase));
    dist_store(stored, d->precision, 2 * dist_offset(&box, i) + 1, sin(phase));
  }
  void *memory = NULL;
  const size_t bytes = (size_t)dist_count(&box) * (d->precision == MFFT_DOUBLE ? 16 : 8);
  CHECK_OK(mfft_memory_alloc(backend, bytes, &memory));
  CHECK_OK(mfft_memory_upload(backend, memory, stored, bytes));
  k->spectrum = dist_count(&box) ? memory : NULL;
  free(stored);
  return memory;
}

static void free_kernel(size_t c, double *memory) {
  if (cases[c].form == SPECTRUM)
    CHECK_OK(mfft_memory_free(backend, memory));
  else
    free(memory);
}

/* Convolves twice, the second time from out to out where that is allowed. */
static void check_plan(size_t c, mfft_plan plan, const mfft_desc *d, MPI_Comm comm, const char *name) {
  const int parts = d->kind == MFFT_C2C ? 2 : 1, in_place = d->placement == MFFT_IN_PLACE;
  mfft_box box;
  size_t bytes[2], context;
  int64_t i[3];
  mfft_convolution convolution = NULL;
  mfft_convolution_kernel k;
  mfft_filter filter;
  dist_sum sum = {0, 0};
  void *memory[2] = {NULL, NULL};
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  CHECK_OK(mfft_plan_box(plan, MFFT_IN, &box));
  const int padded = in_place && d->kind == MFFT_R2C && !cases[c].linear; /* rows have space for their spectrum */
  const size_t capacity = in_place && bytes[1] > bytes[0] ? bytes[1] : bytes[0];
  char *x = calloc(1, capacity + 1), *y = calloc(1, capacity + 1);
  double *made = make_kernel(c, plan, d, &context, &filter, &k);
  CHECK_OK(mfft_convolution_create(plan, &convolution));
  CHECK_FAILS(mfft_convolution_execute(convolution, x, x), MFFT_ERR_STATE, "no kernel");
  if (!convolution) return;
  for (int64_t b = 0; b < d->batch; b++) DIST_EACH(box, i) for (int part = 0; part < parts; part++) {
      const int64_t at = parts * dist_in_offset(d, &box, padded, b, i) + part;
      dist_store(x, d->precision, at, data_value(c, b, i, part));
    }
  for (int m = 0; m < 2; m++) CHECK_OK(mfft_memory_alloc(backend, capacity, &memory[m]));
  CHECK_OK(mfft_memory_upload(backend, memory[0], x, capacity));
  CHECK_OK(mfft_convolution_set_kernel(convolution, &k));
  CHECK_OK(mfft_convolution_execute(convolution, memory[0], in_place || d->allow_destroy_input ? memory[0] : memory[1]));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, y, in_place || d->allow_destroy_input ? memory[0] : memory[1], capacity));
  for (int64_t b = 0; b < d->batch; b++) DIST_EACH(box, i) {
      double want[2];
      truth_at(c, d, b, i, want);
      for (int part = 0; part < parts; part++) {
        const int64_t at = parts * dist_in_offset(d, &box, padded, b, i) + part;
        const double off = dist_load(y, d->precision, at) - want[part];
        sum.error += off * off, sum.truth += want[part] * want[part];
      }
    }
  const double error = dist_relative(comm, sum);
  CHECK(error < (d->precision == MFFT_DOUBLE ? 2e-15 : 1e-6), "%s: off by %.3g", name, error);
  mfft_convolution_destroy(convolution);
  free_kernel(c, made);
  for (int m = 0; m < 2; m++) CHECK_OK(mfft_memory_free(backend, memory[m]));
  free(x), free(y);
}

static mfft_options options_of(size_t c, int variant) {
  static const char *const transports[] = {"pairwise", "p2p", "alltoallv"};
  mfft_options options;
  mfft_options_init(&options);
  options.effort = MFFT_ESTIMATE, options.backend = backend;
  options.transport = strcmp(backend, "cuda") == 0 ? NULL : transports[((int)c + variant) % 3];
  return options;
}

static void check_case(size_t c, int variant) {
  mfft_plan plan = NULL;
  mfft_desc d = describe(c, variant);
  mfft_options options = options_of(c, variant);
  char name[64];
  snprintf(name, sizeof name, "case %zu, variant %d", c, variant);
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (d.rank > 1 || d.kind == MFFT_C2C || ranks == 1) /* one real dimension is computed by one rank */
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  if (plan) check_plan(c, plan, &d, MPI_COMM_WORLD, name);
  mfft_plan_destroy(plan);
  plan = NULL;
  options.transport = NULL, d.order = MFFT_ORDER_NATURAL;
  snprintf(name, sizeof name, "case %zu, variant %d, local", c, variant);
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  if (plan) check_plan(c, plan, &d, MPI_COMM_SELF, name);
  mfft_plan_destroy(plan);
}

static mfft_status fails(void *context, const int64_t offset[3], int64_t count, double *value) {
  (void)context, (void)offset;
  for (int64_t i = 0; i < count; i++) value[i] = INFINITY;
  return MFFT_SUCCESS;
}

static mfft_status refuses(void *context, const int64_t offset[3], int64_t count, double *value) {
  (void)context, (void)offset, (void)count, (void)value;
  return MFFT_ERR_IO;
}

/* A kernel of values after one that is a filter, also with a failed call between them, or by another convolution of the
 * plan, has no filter; values beyond the range of a precision, and arrays that overlap, are refused. */
static void check_filter_is_removed(void) {
  mfft_plan plan = NULL;
  mfft_desc d;
  mfft_convolution c = NULL;
  mfft_convolution_kernel values, filter;
  const double one = 1;
  mfft_filter f;
  void *array = NULL;
  float x[16] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8];
  const mfft_options options = options_of(0, 0);
  mfft_desc_init(&d);
  d.rank = 1, d.n[0] = 8, d.kind = MFFT_R2C, d.precision = MFFT_SINGLE, d.filtered = 1u << MFFT_BACKWARD;
  d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  mfft_filter_init(&f);
  f.scale = 100;
  mfft_convolution_kernel_init(&filter);
  mfft_convolution_kernel_init(&values);
  filter.filter = &f;
  values.value = &one, values.hi[0] = 99;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_memory_alloc(backend, sizeof x, &array));
  for (int round = 0; round < 2; round++) {
    CHECK_OK(mfft_convolution_create(plan, &c));
    CHECK_OK(mfft_convolution_set_kernel(c, &filter));
    if (round) {
      mfft_convolution_destroy(c);
      CHECK_OK(mfft_convolution_create(plan, &c));
    } else {
      CHECK_FAILS(mfft_convolution_set_kernel(c, &values), MFFT_ERR_ARG, "kernel.hi[0] 99");
    }
    values.hi[0] = 1;
    CHECK_OK(mfft_convolution_set_kernel(c, &values));
    CHECK_OK(mfft_memory_upload(backend, array, x, sizeof x));
    CHECK_OK(mfft_convolution_execute(c, array, array));
    CHECK_OK(mfft_plan_synchronize(plan));
    CHECK_OK(mfft_memory_download(backend, y, array, sizeof y));
    for (int i = 0; i < 8; i++) CHECK(fabsf(y[i] - x[i]) < 1e-5f, "round %d: %d became %g", round, i + 1, (double)y[i]);
    CHECK_FAILS(mfft_convolution_execute(c, array, (char *)array + 4), MFFT_ERR_ARG, "in and out overlap");
    values.value = &(double){1e300};
    CHECK_FAILS(mfft_convolution_set_kernel(c, &values), MFFT_ERR_ARG, "the kernel is 1e+300 at offset 0");
    values.value = &one;
    mfft_convolution_destroy(c);
  }
  CHECK_OK(mfft_memory_free(backend, array));
  mfft_plan_destroy(plan);
}

/* Two convolutions of a plan, of which one has set or removed the plan's filter since the kernel of the other was set. */
static void check_two_convolutions(void) {
  mfft_plan plan = NULL;
  mfft_desc d;
  mfft_convolution c[2] = {NULL, NULL}; /* [convolution] */
  mfft_convolution_kernel values, filter;
  const double one = 1;
  mfft_filter f;
  void *array = NULL;
  const mfft_options options = options_of(0, 0);
  mfft_desc_init(&d);
  d.rank = 1, d.n[0] = 8, d.kind = MFFT_R2C, d.filtered = 1u << MFFT_BACKWARD;
  mfft_filter_init(&f);
  mfft_convolution_kernel_init(&filter);
  mfft_convolution_kernel_init(&values);
  filter.filter = &f;
  values.value = &one, values.hi[0] = 1;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_memory_alloc(backend, 128, &array));
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_convolution_create(plan, &c[i]));
  for (int first = 0; first < 2; first++) {
    CHECK_OK(mfft_convolution_set_kernel(c[0], first ? &filter : &values));
    CHECK_OK(mfft_convolution_set_kernel(c[1], first ? &values : &filter));
    CHECK_OK(mfft_convolution_execute(c[1], array, array));
    CHECK_FAILS(mfft_convolution_execute(c[0], array, array), MFFT_ERR_STATE, "set the kernel again");
    CHECK_OK(mfft_convolution_set_kernel(c[0], first ? &filter : &values));
    CHECK_OK(mfft_convolution_execute(c[0], array, array));
    CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f));
    CHECK_FAILS(mfft_convolution_execute(c[0], array, array), MFFT_ERR_STATE, "set the kernel again");
  }
  for (int i = 0; i < 2; i++) mfft_convolution_destroy(c[i]);
  CHECK_OK(mfft_memory_free(backend, array));
  mfft_plan_destroy(plan);
}

static void check_refused(void) {
  int rank, ranks;
  mfft_plan plan = NULL;
  mfft_desc d = describe(0, 0);
  const mfft_options options = options_of(0, 0);
  mfft_convolution c = NULL;
  mfft_convolution_kernel k;
  size_t context = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(mfft_convolution_length(5, -4, 5) == 9 && mfft_convolution_length(100, 0, 12) == 112, "lengths");
  CHECK(mfft_convolution_length((INT64_C(1) << 62) - 5, -4, 5) == INT64_C(1) << 62, "the longest");
  CHECK(mfft_convolution_length(100, -500, 1) == 200 && mfft_convolution_length(100, 200, 300) == 200, "lengths");
  CHECK(mfft_convolution_length(1, -3, 4) == 2 && mfft_convolution_length(6, 0, 1) == 7, "lengths of linear axes");
  CHECK(mfft_convolution_length(0, 0, 1) == -1 && mfft_convolution_length(4, 3, 3) == -1, "lengths that are none");
  CHECK(mfft_convolution_length(INT64_MAX, 0, 1) == -1, "too long");
  CHECK_FAILS(mfft_convolution_create(NULL, &c), MFFT_ERR_ARG, "the plan is NULL");
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  CHECK_FAILS(mfft_convolution_create(plan, NULL), MFFT_ERR_ARG, "convolution is NULL");
  CHECK_OK(mfft_convolution_create(plan, &c));
  mfft_convolution_kernel_init(&k);
  CHECK_FAILS(mfft_convolution_set_kernel(c, NULL), MFFT_ERR_ARG, "kernel is NULL");
  k.filter = &(mfft_filter){.struct_size = sizeof(mfft_filter), .scale = 1};
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_STATE, "filter");
  k.correlate = 1;
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_ARG, "kernel.correlate is 1 with a filter");
  k.row = row, k.context = &context, k.correlate = 2;
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_ARG, "kernel has several");
  k.filter = NULL;
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_ARG, "kernel.correlate is 2");
  k.correlate = 0;
  memcpy(k.lo, cases[0].lo, sizeof k.lo);
  k.hi[0] = -4;
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_ARG, "kernel.lo[0] is -4 and kernel.hi[0] -4");
  memcpy(k.hi, cases[0].hi, sizeof k.hi);
  CHECK_OK(mfft_convolution_set_kernel(c, &k));
  k.row = fails;
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_ARG, "the kernel is inf at offset");
  CHECK_FAILS(mfft_convolution_execute(c, &k, &k), MFFT_ERR_STATE, "no kernel");
  k.row = refuses;
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_IO, "kernel.row returned");
  k.row = row, k.hi[1] = rank ? 4 : 3;
  if (ranks > 1) CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_MISMATCH, "kernel.hi[1]");
  mfft_convolution_destroy(c);
  mfft_convolution_destroy(NULL);
  mfft_plan_destroy(plan);
  d.n[1] = 6;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  CHECK_OK(mfft_convolution_create(plan, &c));
  k.hi[1] = 4;
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_ARG, "make the plan with n[1] = 7 or more");
  mfft_convolution_destroy(c);
  mfft_plan_destroy(plan);
  memset(d.given, 0, sizeof d.given);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  CHECK_OK(mfft_convolution_create(plan, &c));
  CHECK_FAILS(mfft_convolution_set_kernel(c, &k), MFFT_ERR_ARG, "kernel.lo[1] is -3 and kernel.hi[1] 4");
  mfft_convolution_destroy(c);
  mfft_plan_destroy(plan);
}

/* A plan whose values may have half the width on the wire takes kernels, whose transforms have the full width. */
static void check_wire(void) {
  static const double one[] = {1, 0}; /* re, im */
  mfft_plan plan = NULL;
  mfft_convolution c = NULL;
  mfft_convolution_kernel k;
  mfft_desc d;
  mfft_options options = options_of(0, 0);
  mfft_desc_init(&d);
  d.rank = 1, d.n[0] = 8;
  options.wire = MFFT_WIRE_AUTO, options.tolerance = 1e-3;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_convolution_create(plan, &c));
  mfft_convolution_kernel_init(&k);
  k.hi[0] = 1, k.value = one;
  CHECK_OK(mfft_convolution_set_kernel(c, &k));
  mfft_convolution_destroy(c);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  backend = argv[1];
  MPI_Init(&argc, &argv);
  const int device = strcmp(backend, "cuda") == 0; /* on which a length takes seconds to compile */
  for (size_t c = 0; c < CASES; c++)
    for (int variant = 0; variant < 4; variant++)
      if (!device || (c < (test_all() ? 3 : 2) && variant == (int)c)) check_case(c, variant);
  check_filter_is_removed();
  check_two_convolutions();
  check_refused();
  if (!device) check_wire();
  MPI_Finalize();
  return test_end();
}
