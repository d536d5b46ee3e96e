/* transform.h: one local transform against FFTW in long double, on guarded arrays.
 *
 * The layout of an array is computed here from the definitions in mfft.h, not by the library.  Every byte around and
 * between the elements holds a pattern that must survive. */
#ifndef MFFT_TESTS_TRANSFORM_H
#define MFFT_TESTS_TRANSFORM_H

#include <complex.h>
#include <fftw3.h>
#include <float.h>

#include "base/precision.h"
#include "check.h"
#include "mfft_memory.h"

typedef struct test_layout {
  int64_t n[3], stride[3], batch, dist; /* elements */
  int parts;                            /* reals an element */
  int64_t span;                         /* elements from the first to the end of the last */
} test_layout;

static inline unsigned test_axes(const mfft_desc *d) { return d->axes ? d->axes : 7u >> (3 - d->rank); }

/* The set of transformed axes that have cosines or sines, one bit each. */
static inline unsigned test_sums(const mfft_desc *d) {
  unsigned sums = 0;
  for (int a = 0; a < d->rank; a++) sums |= d->axis_kind[a] ? test_axes(d) & 1u << a : 0;
  return sums;
}

static inline int test_halved_axis(const mfft_desc *d) {
  unsigned axes = test_axes(d) & ~test_sums(d);
  return axes >> 2 & 1 ? 2 : axes >> 1 & 1 ? 1 : 0;
}

static inline test_layout test_layout_of(const mfft_desc *d, mfft_side side) {
  const int64_t *given = side == MFFT_IN ? d->in_stride : d->out_stride;
  const int halved = test_halved_axis(d), real = d->kind == MFFT_R2C;
  test_layout v = {.batch = d->batch, .parts = (real && side == MFFT_IN) || d->kind == MFFT_R2R ? 1 : 2};
  int64_t shape[3], packed = 1;
  int any = 0; /* strides are given: those of axes of one element may be 0 */
  for (int a = 0; a < d->rank; a++) any |= given[a] != 0;
  for (int a = 0; a < 3; a++) v.n[a] = a < d->rank ? d->n[a] : 1;
  if (real && side == MFFT_OUT) v.n[halved] = v.n[halved] / 2 + 1;
  memcpy(shape, v.n, sizeof shape);
  if (real && side == MFFT_IN && d->placement == MFFT_IN_PLACE) shape[halved] = 2 * (v.n[halved] / 2 + 1);
  for (int a = 2; a >= 0; a--) {
    v.stride[a] = any && a < d->rank ? given[a] : packed;
    packed *= shape[a];
  }
  v.dist = side == MFFT_IN ? d->in_dist : d->out_dist;
  if (!v.dist) v.dist = packed;
  v.span = 1 + (v.batch - 1) * v.dist;
  for (int a = 0; a < 3; a++) v.span += (v.n[a] - 1) * v.stride[a];
  return v;
}

/* Runs the statements with `at`, the element offset of each element. */
#define TEST_EACH(v, at, ...)                                                                            \
  for (int64_t b_ = 0; b_ < (v)->batch; b_++)                                                            \
    for (int64_t i_ = 0; i_ < (v)->n[0]; i_++)                                                           \
      for (int64_t j_ = 0; j_ < (v)->n[1]; j_++)                                                         \
        for (int64_t k_ = 0; k_ < (v)->n[2]; k_++) {                                                     \
          int64_t at = b_ * (v)->dist + i_ * (v)->stride[0] + j_ * (v)->stride[1] + k_ * (v)->stride[2]; \
          __VA_ARGS__                                                                                    \
        }

/* The stored types, by arithmetic rather than bits. */
static inline double test_decode16(uint16_t u, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = u >> fraction_bits & ((1 << exponent_bits) - 1), fraction = u & ((1 << fraction_bits) - 1);
  const double sign = u >> 15 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * ldexp(fraction, 1 - bias - fraction_bits);
  return sign * ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

static inline uint16_t test_encode16(double x, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const uint16_t sign = signbit(x) ? 0x8000 : 0, infinity = (uint16_t)(((1 << exponent_bits) - 1) << fraction_bits);
  if (isnan(x)) return (uint16_t)(infinity | 1u << (fraction_bits - 1));
  x = fabs(x);
  int exponent = 0;
  frexp(x, &exponent); /* x < 2^exponent */
  if (exponent < 2 - bias) exponent = 2 - bias;
  const double ulp = ldexp(1, exponent - 1 - fraction_bits);
  const double rounded = nearbyint(x / ulp) * ulp; /* to nearest, ties to even */
  if (!(rounded < ldexp(1, bias + 1))) return sign | infinity;
  if (rounded < ldexp(1, 1 - bias)) return (uint16_t)(sign | (unsigned)ldexp(rounded, bias - 1 + fraction_bits));
  frexp(rounded, &exponent);
  const unsigned fraction = (unsigned)(ldexp(rounded, fraction_bits + 1 - exponent)) - (1u << fraction_bits);
  return (uint16_t)(sign | (unsigned)(exponent - 1 + bias) << fraction_bits | fraction);
}

static inline long double test_load(mfft_precision p, const void *data, int64_t i) {
  long double l;
  double d;
  float f;
  uint16_t u;
  const char *at = (const char *)data + (int64_t)mfft_real_bytes(p) * i;
  if (p == MFFT_LONG_DOUBLE) return memcpy(&l, at, sizeof l), l;
  if (p == MFFT_DOUBLE) return memcpy(&d, at, 8), d;
  if (p == MFFT_SINGLE) return memcpy(&f, at, 4), f;
  return memcpy(&u, at, 2), test_decode16(u, p == MFFT_HALF ? 5 : 8);
}

static inline void test_store(mfft_precision p, void *data, int64_t i, long double value) {
  const double d = (double)value;
  const float f = (float)d;
  char *at = (char *)data + (int64_t)mfft_real_bytes(p) * i;
  if (p == MFFT_LONG_DOUBLE) {
    memset(at, 0, sizeof value); /* the padding too, so that copies can be compared by bytes */
    memcpy(at, &value, LDBL_MANT_DIG == 64 ? 10 : sizeof value);
  } else if (p == MFFT_DOUBLE) {
    memcpy(at, &d, 8);
  } else if (p == MFFT_SINGLE) {
    memcpy(at, &f, 4);
  } else {
    uint16_t u = test_encode16(d, p == MFFT_HALF ? 5 : 8);
    memcpy(at, &u, 2);
  }
}

/* The bound on the relative L2 error for N points. */
static inline double test_bound(mfft_precision p, double n) {
  static const double c[] = {[MFFT_DOUBLE] = 4e-16,
                             [MFFT_SINGLE] = 1.7e-7,
                             [MFFT_HALF] = 3e-4,
                             [MFFT_BFLOAT16] = 2.6e-3,
                             [MFFT_LONG_DOUBLE] = (double)(1.8L * LDBL_EPSILON)};
  return c[p] * sqrt(fmax(1, log2(n)));
}

/* The factor by which forward followed by backward multiplies. */
static inline double test_points(const mfft_desc *d) {
  static const int longer[] = {[MFFT_DCT1] = -1, [MFFT_DST1] = 1, [MFFT_DST4] = 0};
  double n = 1;
  for (int a = 0; a < d->rank; a++)
    if (test_axes(d) >> a & 1) n *= (double)(d->axis_kind[a] ? 2 * (d->n[a] + longer[d->axis_kind[a]]) : d->n[a]);
  return n;
}

/* Guarded memory: `bytes` at `data`, with a pattern in it and for GUARD bytes on both sides. */
enum { TEST_GUARD = 256, TEST_PATTERN = 0xa5 };
typedef struct test_memory {
  unsigned char *base, *data;
  size_t bytes, all;
} test_memory;

static inline test_memory test_memory_new(size_t bytes, size_t misalign) {
  test_memory m = {.bytes = bytes, .all = bytes + 2 * TEST_GUARD + misalign};
  void *base = NULL;
  if (posix_memalign(&base, 64, m.all) != 0) exit(3);
  m.base = base;
  m.data = m.base + TEST_GUARD + misalign;
  memset(m.base, TEST_PATTERN, m.all);
  return m;
}

/* Marks the elements of a layout in `mask`, which has a byte for each of the memory. */
static inline void test_mark(unsigned char *mask, const test_memory *m, const test_layout *v, size_t element) {
  TEST_EACH(v, at, { memset(mask + (m->data - m->base) + (size_t)at * element, 1, element); })
}

static inline int64_t test_broken_bytes(const test_memory *m, const unsigned char *mask) {
  int64_t broken = 0;
  for (size_t i = 0; i < m->all; i++) broken += !mask[i] && m->base[i] != TEST_PATTERN;
  return broken;
}

/* The values of the input. */
typedef double (*test_fill)(uint64_t *state, int64_t index, double n);
static inline double test_fill_random(uint64_t *state, int64_t index, double n) {
  return (void)index, (void)n, test_random(state);
}

/* Cosines and sines in long double, by FFTW, from an array in place: all axes `sums`, each part of complex numbers. */
static inline void test_sum_truth(const mfft_desc *d, mfft_direction direction, unsigned sums, const test_layout *v,
                                  long double *x) {
  static const fftwl_r2r_kind kinds[2][9] = {
      {0, FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11, FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11},
      {0, FFTW_REDFT00, FFTW_REDFT01, FFTW_REDFT10, FFTW_REDFT11, FFTW_RODFT00, FFTW_RODFT01, FFTW_RODFT10, FFTW_RODFT11}};
  fftwl_iodim64 axis[3], loop[5] = {{v->parts, 1, 1}, {v->batch, v->dist * v->parts, v->dist * v->parts}};
  fftwl_r2r_kind kind[3];
  int naxes = 0, nloops = 2;
  for (int a = 0; a < d->rank; a++) {
    const fftwl_iodim64 dim = {v->n[a], v->stride[a] * v->parts, v->stride[a] * v->parts};
    if (!(sums >> a & 1)) {
      loop[nloops++] = dim;
      continue;
    }
    kind[naxes] = kinds[direction][d->axis_kind[a]];
    axis[naxes++] = dim;
  }
  fftwl_plan plan = fftwl_plan_guru64_r2r(naxes, axis, nloops, loop, x, x, kind, FFTW_ESTIMATE);
  fftwl_execute(plan);
  fftwl_destroy_plan(plan);
}

/* FFTW in long double on arrays of the same layouts. */
static inline void test_truth(const mfft_desc *d, mfft_direction direction, const test_layout *from, const test_layout *to,
                              long double *in, long double *out) {
  fftwl_iodim64 axis[3], loop[4];
  const unsigned sums = test_sums(d), dfts = test_axes(d) & ~sums;
  const int halved = d->kind == MFFT_R2C ? test_halved_axis(d) : -1;
  int naxes = 0, nloops = 0;
  if (d->batch > 1) loop[nloops++] = (fftwl_iodim64){d->batch, from->dist, to->dist};
  for (int a = 0; a < d->rank; a++) {
    fftwl_iodim64 dim = {d->n[a], from->stride[a], to->stride[a]};
    if (!(dfts >> a & 1))
      loop[nloops++] = dim;
    else if (a != halved)
      axis[naxes++] = dim;
  }
  if (halved >= 0) axis[naxes++] = (fftwl_iodim64){d->n[halved], from->stride[halved], to->stride[halved]};
  if (!dfts) {
    TEST_EACH(from, at, {
      const int64_t out_at = b_ * to->dist + i_ * to->stride[0] + j_ * to->stride[1] + k_ * to->stride[2];
      for (int p = 0; p < from->parts; p++) out[out_at * to->parts + p] = in[at * from->parts + p];
    })
    test_sum_truth(d, direction, sums, to, out);
    return;
  }
  fftwl_plan plan;
  if (d->kind == MFFT_C2C)
    plan = fftwl_plan_guru64_dft(naxes, axis, nloops, loop, (fftwl_complex *)in, (fftwl_complex *)out,
                                 direction == MFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  else if (direction == MFFT_FORWARD)
    plan = fftwl_plan_guru64_dft_r2c(naxes, axis, nloops, loop, in, (fftwl_complex *)out, FFTW_ESTIMATE);
  else
    plan =
        fftwl_plan_guru64_dft_c2r(naxes, axis, nloops, loop, (fftwl_complex *)in, out, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
  fftwl_execute(plan);
  fftwl_destroy_plan(plan);
  if (sums) test_sum_truth(d, direction, sums, to, out);
}

/* The transform that is the truth; a test may set another. */
typedef void (*test_transform)(const mfft_desc *d, mfft_direction direction, const test_layout *from, const test_layout *to,
                               long double *in, long double *out);
static test_transform test_truth_by = test_truth;

typedef struct test_errors {
  double l2, linf; /* relative to the L2 norm and to the rms of the truth */
} test_errors;

/* An operation on the spectrum that is part of the truth of a plan, such as a filter.  It changes the spectrum, an array of
 * layout `v` on the OUT side, after FFTW's forward transform and before its backward one. */
typedef void (*test_spectrum)(const mfft_desc *d, mfft_direction direction, const test_layout *v, long double *spectrum,
                              void *data);

/* Executes a plan on arrays in host memory, by way of the memory that the plan needs. */
static inline void test_execute(mfft_plan plan, mfft_direction direction, void *in, size_t in_bytes, void *out,
                                size_t out_bytes) {
  const char *backend = NULL;
  mfft_memory memory;
  void *from = NULL, *to = NULL;
  CHECK_OK(mfft_plan_memory(plan, &memory));
  if (memory == MFFT_MEMORY_HOST) {
    CHECK_OK(mfft_execute(plan, direction, in, out));
    return;
  }
  CHECK_OK(mfft_plan_backend(plan, &backend));
  CHECK_OK(mfft_memory_alloc(backend, in_bytes, &from));
  CHECK_OK(mfft_memory_upload(backend, from, in, in_bytes));
  to = from;
  if (out != in) {
    CHECK_OK(mfft_memory_alloc(backend, out_bytes, &to));
    CHECK_OK(mfft_memory_upload(backend, to, out, out_bytes));
  }
  CHECK_OK(mfft_execute(plan, direction, from, to));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, in, from, in_bytes));
  if (out != in) CHECK_OK(mfft_memory_download(backend, out, to, out_bytes));
  if (out != in) CHECK_OK(mfft_memory_free(backend, to));
  CHECK_OK(mfft_memory_free(backend, from));
}

/* Runs one direction of an existing plan on new arrays, `misalign` bytes off a multiple of 64, and checks everything that
 * needs no bound: guards, gaps, and the input if it must be preserved.  spectrum: NULL, or with its data. */
static inline test_errors test_direction_of(mfft_plan plan, const mfft_desc *d, mfft_direction direction, test_fill fill,
                                            uint64_t seed, size_t misalign, const char *what, test_spectrum spectrum,
                                            void *data) {
  const test_layout side[2] = {test_layout_of(d, MFFT_IN), test_layout_of(d, MFFT_OUT)};
  const test_layout *from = &side[direction == MFFT_FORWARD ? 0 : 1], *to = &side[direction == MFFT_FORWARD ? 1 : 0];
  const size_t real = mfft_real_bytes(d->precision), in_element = real * from->parts, out_element = real * to->parts;
  const int in_place = d->placement == MFFT_IN_PLACE;
  size_t in_bytes = (size_t)from->span * in_element, out_bytes = (size_t)to->span * out_element;
  if (in_place && out_bytes > in_bytes) in_bytes = out_bytes;
  test_memory in = test_memory_new(in_bytes, misalign), out = in_place ? in : test_memory_new(out_bytes, misalign);
  const double n = test_points(d);

  long double *x = calloc((size_t)from->span * from->parts, sizeof *x), *y = calloc((size_t)to->span * to->parts, sizeof *y);
  uint64_t state = seed;
  int64_t index = 0;
  TEST_EACH(from, at, {
    for (int p = 0; p < from->parts; p++) {
      const long double value = fill(&state, index, n); /* in long double with all its bits */
      test_store(d->precision, in.data, at * from->parts + p, d->precision == MFFT_LONG_DOUBLE ? value / 3 : value);
      x[at * from->parts + p] = test_load(d->precision, in.data, at * from->parts + p);
    }
    index++;
  })
  unsigned char *before = malloc(in.all);
  memcpy(before, in.base, in.all);
  if (spectrum && direction == MFFT_BACKWARD) spectrum(d, direction, from, x, data);
  test_truth_by(d, direction, from, to, x, y);
  if (spectrum && direction == MFFT_FORWARD) spectrum(d, direction, to, y, data);

  test_execute(plan, direction, in.data, in_bytes, out.data, out_bytes);

  static const double power[] = {[MFFT_SCALE_NONE] = 0, [MFFT_SCALE_SQRT] = -0.5, [MFFT_SCALE_FULL] = -1};
  const long double scale = powl(n, power[d->scale[direction]]); /* n < 2^53 */
  long double error = 0, norm = 0, worst = 0, count = 0;
  TEST_EACH(to, at, {
    long double off = 0;
    for (int p = 0; p < to->parts; p++) {
      long double want = y[at * to->parts + p] * scale, diff = test_load(d->precision, out.data, at * to->parts + p) - want;
      off += diff * diff;
      norm += want * want;
    }
    if (!(off <= worst)) worst = off;
    error += off;
    count++;
  })

  unsigned char *mask = calloc(1, out.all);
  test_mark(mask, &out, to, out_element);
  if (in_place) test_mark(mask, &in, from, in_element);
  CHECK(test_broken_bytes(&out, mask) == 0, "%s: %lld bytes outside the output changed", what,
        (long long)test_broken_bytes(&out, mask));
  if (!in_place && !d->allow_destroy_input) CHECK(memcmp(before, in.base, in.all) == 0, "%s: the input changed", what);
  if (!in_place && d->allow_destroy_input) { /* only elements of the input may change */
    unsigned char *touched = calloc(1, in.all);
    test_mark(touched, &in, from, in_element);
    CHECK(test_broken_bytes(&in, touched) == 0, "%s: bytes outside the input changed", what);
    free(touched);
  }
  free(mask);
  free(before);
  free(x);
  free(y);
  free(in.base);
  if (!in_place) free(out.base);
  if (norm == 0) return (test_errors){(double)sqrtl(error), (double)sqrtl(worst)};
  return (test_errors){(double)sqrtl(error / norm), (double)sqrtl(worst * count / norm)};
}

static inline test_errors test_direction(mfft_plan plan, const mfft_desc *d, mfft_direction direction, test_fill fill,
                                         uint64_t seed, size_t misalign, const char *what) {
  return test_direction_of(plan, d, direction, fill, seed, misalign, what, NULL, NULL);
}

/* Makes plans, runs both directions and compares errors with so many times the bounds. */
static inline void test_both_within(const mfft_desc *d, const mfft_options *options, uint64_t seed, size_t misalign,
                                    double bounds) {
  char what[256];
  snprintf(what, sizeof what,
           "%s %s%d%d%d p%d rank %d n %lldx%lldx%lld axes %u batch %lld %s destroy %d scale %d%d strides %lld,%lld",
           options->backend ? options->backend : "default",
           d->kind == MFFT_C2C   ? "c2c"
           : d->kind == MFFT_R2C ? "r2c"
                                 : "r2r",
           d->axis_kind[0], d->axis_kind[1], d->axis_kind[2], (int)d->precision, d->rank, (long long)d->n[0],
           (long long)d->n[1], (long long)d->n[2], d->axes, (long long)d->batch,
           d->placement == MFFT_IN_PLACE ? "in place" : "out of place", d->allow_destroy_input, (int)d->scale[0],
           (int)d->scale[1], (long long)d->in_stride[0], (long long)d->out_stride[0]);
  mfft_plan plan = NULL;
  mfft_status status = mfft_plan_create(d, options, &plan);
  CHECK(status == MFFT_SUCCESS, "%s: %s", what, mfft_last_error());
  if (status != MFFT_SUCCESS) return;
  const double bound = bounds * test_bound(d->precision, test_points(d));
  for (int direction = 0; direction < 2; direction++) {
    test_errors e = test_direction(plan, d, (mfft_direction)direction, test_fill_random, seed, misalign, what);
    CHECK(e.l2 <= bound, "%s direction %d: relative L2 error %.3g, bound %.3g", what, direction, e.l2, bound);
    CHECK(e.linf <= 8 * bound, "%s direction %d: relative L-infinity error %.3g, bound %.3g", what, direction, e.linf,
          8 * bound);
  }
  mfft_plan_destroy(plan);
}

static inline void test_both(const mfft_desc *d, const mfft_options *options, uint64_t seed, size_t misalign) {
  test_both_within(d, options, seed, misalign, 1);
}

#endif
