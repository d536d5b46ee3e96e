// TEST ranks=1,2,3,4,6 labels=dist timeout=300
// TEST ranks=1,2,4 labels=dist+cuda timeout=900 args=cuda
/* Filtered distributed transforms of every kind, order, placement and box, against FFTW's spectrum of the whole array times
 * the formula of the filter: several backward transforms with different filters of one spectrum, which they preserve. */
#include "dist.h"
#include "filter_case.h"
#include "mfft_inspect.h"
#include "mfft_spectrum.h"

typedef struct setup {
  mfft_desc d;
  mfft_plan plan;
  mfft_box box[2];
  dist_arrays arrays;
  int64_t n[3], out_n[3];
  unsigned axes;
  double bound;
  const char *name;
} setup;

/* Transforms the axes of the descriptor, in place; n elements of a complex array. */
static void transform(const setup *s, fftw_complex *a, int sign) {
  fftw_iodim64 dims[3], loops[3];
  int nd = 0, nl = 0;
  const int64_t stride[3] = {s->n[1] * s->n[2], s->n[2], 1};
  for (int axis = 0; axis < 3; axis++) {
    fftw_iodim64 dim = {s->n[axis], stride[axis], stride[axis]};
    if (s->axes >> axis & 1)
      dims[nd++] = dim;
    else
      loops[nl++] = dim;
  }
  fftw_plan plan = fftw_plan_guru64_dft(nd, dims, nl, loops, a, a, sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

/* The whole spectrum of array b, times the filter. */
static fftw_complex *filtered(const setup *s, int64_t b, const mfft_filter *f, double scale) {
  double norm;
  fftw_complex *a = dist_truth(&s->d, b, &norm);
  const mfft_box whole = {{0, 0, 0}, {s->n[0], s->n[1], s->n[2]}, {0, 1, 2}};
  double complex *z = (double complex *)a;
  int64_t i[3], at = 0;
  DIST_EACH(whole, i) {
    z[at] *= scale * (f ? filter_value(f, i) : 1);
    at++;
  }
  return a;
}

static double forward_error(const setup *s, const mfft_filter *f, double scale) {
  dist_sum sum = {0, 0};
  int64_t i[3];
  const mfft_box *box = &s->box[1];
  for (int64_t b = 0; b < s->d.batch; b++) {
    fftw_complex *truth = filtered(s, b, f, scale);
    DIST_EACH(*box, i) {
      int64_t at = b * dist_count(box) + dist_offset(box, i);
      const double *z = (const double *)&truth[(i[0] * s->n[1] + i[1]) * s->n[2] + i[2]];
      for (int part = 0; part < 2; part++) {
        double e = dist_load(s->arrays.host[1], s->d.precision, 2 * at + part) - z[part];
        sum.error += e * e;
        sum.truth += z[part] * z[part];
      }
    }
    fftw_free(truth);
  }
  return dist_relative(MPI_COMM_WORLD, sum);
}

static double backward_error(const setup *s, const mfft_filter *f, double scale) {
  dist_sum sum = {0, 0};
  int64_t i[3];
  const mfft_box *box = &s->box[0];
  int real = s->d.kind == MFFT_R2C, in_place = s->d.placement == MFFT_IN_PLACE;
  int padded = in_place && real && !s->d.in_box && dist_half_axis(&s->d) == s->d.rank - 1;
  for (int64_t b = 0; b < s->d.batch; b++) {
    fftw_complex *truth = filtered(s, b, f, scale);
    transform(s, truth, FFTW_BACKWARD);
    DIST_EACH(*box, i) {
      int64_t at = dist_in_offset(&s->d, box, padded, b, i);
      const double *z = (const double *)&truth[(i[0] * s->n[1] + i[1]) * s->n[2] + i[2]];
      for (int part = 0; part < (real ? 1 : 2); part++) {
        double e = dist_load(s->arrays.host[0], s->d.precision, real ? at : 2 * at + part) - z[part];
        sum.error += e * e;
        sum.truth += z[part] * z[part];
      }
    }
    fftw_free(truth);
  }
  return dist_relative(MPI_COMM_WORLD, sum);
}

/* Fills OUT with the unfiltered spectrum times scale. */
static void fill_spectrum(setup *s, double scale) {
  const mfft_box *box = &s->box[1];
  int64_t i[3];
  for (int64_t b = 0; b < s->d.batch; b++) {
    fftw_complex *truth = filtered(s, b, NULL, scale);
    DIST_EACH(*box, i) {
      int64_t at = b * dist_count(box) + dist_offset(box, i);
      const double *z = (const double *)&truth[(i[0] * s->n[1] + i[1]) * s->n[2] + i[2]];
      for (int part = 0; part < 2; part++) dist_store(s->arrays.host[1], s->d.precision, 2 * at + part, z[part]);
    }
    fftw_free(truth);
  }
  dist_upload(&s->arrays, s->d.placement == MFFT_IN_PLACE ? 0 : 1);
}

static void fill_input(setup *s) {
  const mfft_box *box = &s->box[0];
  int64_t i[3], total = s->n[0] * s->n[1] * s->n[2];
  int real = s->d.kind == MFFT_R2C, in_place = s->d.placement == MFFT_IN_PLACE;
  int padded = in_place && real && !s->d.in_box && dist_half_axis(&s->d) == s->d.rank - 1;
  for (int64_t b = 0; b < s->d.batch; b++) DIST_EACH(*box, i) {
      int64_t at = dist_in_offset(&s->d, box, padded, b, i), g = b * total + (i[0] * s->n[1] + i[1]) * s->n[2] + i[2];
      for (int part = 0; part < (real ? 1 : 2); part++)
        dist_store(s->arrays.host[0], s->d.precision, real ? at : 2 * at + part, dist_value(2 * g + part));
    }
  dist_upload(&s->arrays, 0);
}

static void both_directions(setup *s, const mfft_filter *f, int which) {
  double norm = 1;
  for (int a = 0; a < 3; a++)
    if (s->axes >> a & 1) norm *= (double)s->n[a];
  double sqrt_scale = s->d.precision == MFFT_DOUBLE || s->d.precision == MFFT_SINGLE ? 1 : 1 / sqrt(norm);
  fill_input(s);
  CHECK_OK(mfft_plan_set_filter(s->plan, MFFT_FORWARD, f));
  CHECK_OK(mfft_execute(s->plan, MFFT_FORWARD, s->arrays.device[0], s->arrays.device[1]));
  dist_download(s->plan, &s->arrays);
  double error = forward_error(s, f, sqrt_scale);
  CHECK(error <= s->bound, "%s, filter %d: forward is off by %.3g, bound %.3g", s->name, which, error, s->bound);

  fill_spectrum(s, sqrt_scale);
  int preserved = s->d.placement == MFFT_OUT_OF_PLACE && !s->d.allow_destroy_input;
  unsigned char *before = malloc(s->arrays.bytes[1]);
  memcpy(before, s->arrays.host[1], s->arrays.bytes[1]);
  CHECK_OK(mfft_plan_set_filter(s->plan, MFFT_BACKWARD, f));
  for (int again = 0; again <= preserved; again++) /* the same spectrum twice */
    CHECK_OK(mfft_execute(s->plan, MFFT_BACKWARD, s->arrays.device[1], s->arrays.device[0]));
  dist_download(s->plan, &s->arrays);
  error = backward_error(s, f, sqrt_scale * sqrt_scale);
  CHECK(error <= 2 * s->bound, "%s, filter %d: backward is off by %.3g, bound %.3g", s->name, which, error, 2 * s->bound);
  if (preserved)
    CHECK(memcmp(before, s->arrays.host[1], s->arrays.bytes[1]) == 0, "%s, filter %d: the spectrum has changed", s->name,
          which);
  free(before);
}

static void check_shape(const mfft_desc *d, const mfft_options *options, const char *name) {
  setup s = {.d = *d, .name = name};
  s.d.filtered = 3;
  int in_place = d->placement == MFFT_IN_PLACE;
  mfft_status made = mfft_plan_create_mpi(MPI_COMM_WORLD, &s.d, options, &s.plan);
  if (d->placement == MFFT_IN_PLACE && made == MFFT_ERR_UNSUPPORTED) return; /* boxes that fit no order of steps */
  CHECK(made == MFFT_SUCCESS, "%s: %s", name, mfft_last_error());
  if (made != MFFT_SUCCESS) return;
  dist_check_order(s.plan, name);
  dist_lengths(d, s.n);
  s.axes = d->axes ? d->axes : (1u << d->rank) - 1;
  double norm = 1;
  for (int a = 0; a < 3; a++)
    if (s.axes >> a & 1) norm *= (double)s.n[a];
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_box(s.plan, (mfft_side)side, &s.box[side]));
    CHECK_OK(mfft_plan_bytes(s.plan, (mfft_side)side, &s.arrays.bytes[side]));
  }
  if (in_place)
    s.arrays.bytes[0] = s.arrays.bytes[1] = s.arrays.bytes[0] > s.arrays.bytes[1] ? s.arrays.bytes[0] : s.arrays.bytes[1];
  s.arrays.host[0] = calloc(1, s.arrays.bytes[0] + 1);
  s.arrays.host[1] = in_place ? s.arrays.host[0] : calloc(1, s.arrays.bytes[1] + 1);
  dist_arrays_make(s.plan, in_place, &s.arrays);
  /* The product is rounded once more, and tables in single precision by a few roundings. */
  s.bound = 2 * dist_tolerance[d->precision] * sqrt(fmax(1, log2(norm)));
  if (options->wire == MFFT_WIRE_HALF) s.bound += d->precision == MFFT_DOUBLE ? 6e-8 : 5e-4; /* docs/accuracy.md */
  static filter_case c;
  for (int which = 0; which < FILTER_CASES; which++) {
    filter_make(which, s.n, s.axes, &c);
    both_directions(&s, &c.filter, which);
  }
  both_directions(&s, NULL, -1);
  dist_arrays_free(&s.arrays);
  free(s.arrays.host[0]);
  if (!in_place) free(s.arrays.host[1]);
  mfft_plan_destroy(s.plan);
}

/* Slabs of an axis of the OUT array, in a memory order of their own. */
static mfft_box slab(const mfft_desc *d, int axis, int order) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mfft_box box = {{0, 0, 0}, {d->n[0], d->n[1], d->n[2]}, {0, 1, 2}};
  int half = dist_half_axis(d);
  if (half >= 0) box.hi[half] = d->n[half] / 2 + 1;
  int64_t n = box.hi[axis];
  memcpy(box.order, orders[order % 6], sizeof box.order);
  box.lo[axis] = n * rank / ranks;
  box.hi[axis] = n * (rank + 1) / ranks;
  return box;
}

int main(int argc, char **argv) {
  const char *backend = argc > 1 ? argv[1] : NULL;
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char why[256] = "", name[160];
  if (backend && !mfft_backend_usable(backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  static const struct {
    int rank;
    int64_t n[3];
  } shapes[] = {{3, {12, 6, 10}}, {3, {5, 16, 2}}, {3, {7, 1, 9}}, {2, {20, 11, 1}}, {1, {60, 1, 1}}, {3, {4, 3, 1100}}};
  enum { SHAPES = sizeof shapes / sizeof *shapes, VARIANTS = 24 };
  for (int shape = 0; shape < SHAPES; shape++)
    for (int variant = 0; variant < VARIANTS; variant++) {
      if (!test_sampled()) continue;
      if (shape == SHAPES - 1 && variant % 5) continue; /* the large one */
      mfft_desc d;
      mfft_options options;
      mfft_desc_init(&d);
      mfft_options_init(&options);
      d.rank = shapes[shape].rank;
      memcpy(d.n, shapes[shape].n, sizeof d.n);
      options.effort = MFFT_ESTIMATE;
      options.backend = backend ? backend : "fftw";
      d.kind = variant & 1 ? MFFT_R2C : MFFT_C2C;
      dist_set_order(&d, variant & 2 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL);
      d.placement = variant & 4 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
      d.allow_destroy_input = d.placement == MFFT_OUT_OF_PLACE && variant % 3 == 1;
      static const mfft_precision precisions[] = {MFFT_DOUBLE, MFFT_SINGLE, MFFT_HALF, MFFT_DOUBLE, MFFT_BFLOAT16};
      d.precision = precisions[(shape + variant) % 5];
      d.batch = 1 + (shape + variant) % 3;
      options.chunks = (shape + variant) % 4;
      if (!backend && variant % 3 == 2) options.transport = "p2p";
      if (variant & 2 && shape % 2 == 0 && d.precision <= MFFT_SINGLE) options.wire = MFFT_WIRE_HALF;
      if (d.precision == MFFT_HALF || d.precision == MFFT_BFLOAT16)
        d.scale[MFFT_FORWARD] = d.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
      mfft_box out;
      if (d.rank == 3 && variant >= 16) {
        if (d.kind == MFFT_R2C && d.placement == MFFT_IN_PLACE) continue;
        out = slab(&d, variant % 3, variant);
        d.out_box = &out;
        if (variant % 2 == 0) d.axes = 5;
      }
      if (d.rank == 1 && ((d.kind == MFFT_R2C && ranks > 1) || d.scrambled)) continue;
      snprintf(name, sizeof name, "shape %d variant %d (%lldx%lldx%lld kind %d order %d placement %d precision %d)", shape,
               variant, (long long)d.n[0], (long long)d.n[1], (long long)d.n[2], d.kind, d.order, d.placement, d.precision);
      check_shape(&d, &options, name);
    }

  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = 60;
  d.filtered = 1;
  options.backend = backend;
  d.scrambled = 1;
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_UNSUPPORTED, "set scrambled = 0");
  MPI_Finalize();
  return test_end();
}
