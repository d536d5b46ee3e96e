/* transform_case.h: one strided transform with its data and its truth from FFTW in double, for tests of backends whose
 * memory may be on a device.  Out of place the gaps between elements of the output are filled with a sentinel, and a write
 * there makes the error infinite. */
#ifndef MFFT_TESTS_TRANSFORM_CASE_H
#define MFFT_TESTS_TRANSFORM_CASE_H

#include <fftw3.h>

#include "base/precision.h"
#include "base/primes.h"
#include "check.h"
#include "local/backend.h"

typedef struct transform_case {
  mfft_fft_spec spec;
  int64_t in_reals, out_reals; /* reals in each array; in place both are the larger */
  void *in, *out;              /* as stored */
  double *truth;               /* [out_reals] out of place NaN between the elements */
} transform_case;

static const double CASE_SENTINEL = 0.125; /* exact in all types */

static inline float half_value(uint16_t h) {
  int e = h >> 10 & 31, m = h & 1023;
  double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
  return (float)(h & 0x8000 ? -v : v);
}
static inline double stored_value(mfft_precision p, const void *array, int64_t i) {
  if (p == MFFT_DOUBLE) return ((const double *)array)[i];
  if (p == MFFT_SINGLE) return ((const float *)array)[i];
  uint16_t h = ((const uint16_t *)array)[i];
  if (p == MFFT_HALF) return half_value(h);
  uint32_t bits = (uint32_t)h << 16;
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
static inline void store_value(mfft_precision p, void *array, int64_t i, double v) {
  if (p == MFFT_DOUBLE) {
    ((double *)array)[i] = v;
  } else if (p == MFFT_SINGLE) {
    ((float *)array)[i] = (float)v;
  } else if (p == MFFT_BFLOAT16) {
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    ((uint16_t *)array)[i] = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  } else { /* plain numbers in [2^-14, 1) or multiples of 2^-24 below: enough for test data */
    double a = fabs(v);
    int e = 0;
    frexp(a, &e);
    if (e < -13) e = -13;
    uint16_t units = (uint16_t)nearbyint(ldexp(a, 11 - e));
    uint16_t h = units < 1024 ? units : (uint16_t)(((e + 14) << 10) + (units - 1024));
    ((uint16_t *)array)[i] = (uint16_t)(h | (v < 0 ? 0x8000 : 0));
  }
}

static inline int case_real_side(const mfft_fft_spec *s, int output) {
  return s->type == (output ? MFFT_FFT_C2R : MFFT_FFT_R2C);
}

/* Reals of an array: the offset of the last element plus one. */
static inline int64_t case_reals(const mfft_fft_spec *s, int output) {
  const int real_side = case_real_side(s, output);
  int64_t last = 0;
  for (int a = 0; a < s->naxes; a++) {
    int64_t n = s->axis[a].n;
    if (s->type != MFFT_FFT_C2C && a == s->naxes - 1 && !real_side) n = n / 2 + 1;
    last += (n - 1) * (output ? s->axis[a].os : s->axis[a].is);
  }
  for (int l = 0; l < s->nloops; l++) last += (s->loop[l].n - 1) * (output ? s->loop[l].os : s->loop[l].is);
  return real_side ? last + 1 : 2 * (last + 1);
}

static inline void case_scale(const transform_case *c, int64_t i, void *data);
typedef void case_visitor(const transform_case *c, int64_t i, void *data);
static inline void case_visit(const transform_case *c, int output, case_visitor *f, void *data);

static inline void case_free(transform_case *c) {
  free(c->in);
  if (!c->spec.in_place) free(c->out);
  fftw_free(c->truth);
  memset(c, 0, sizeof *c);
}

/* The value of an input array at real i: plain noise, or values that are difficult to transform. */
typedef enum case_input {
  CASE_NOISE = 0,
  CASE_TINY,     /* 1e-30 */
  CASE_HUGE,     /* 1e30 */
  CASE_MIXED,    /* from 1e-30 to 1e30, each number its own size */
  CASE_RISING,   /* runs of 64 reals, each 1000 times smaller or larger than the preceding one */
  CASE_DC,       /* noise on a constant 1000 times as large */
  CASE_IMPULSE,  /* one number in 1031 */
  CASE_DENORMAL, /* 2^-140 in single */
  CASE_INPUTS
} case_input;
static inline double case_number(case_input input, int64_t i, uint64_t *seed) {
  double x = test_random(seed);
  switch (input) {
    case CASE_TINY:
      return 1e-30 * x;
    case CASE_HUGE:
      return 1e30 * x;
    case CASE_MIXED:
      return x * pow(10, 60 * test_random(seed));
    case CASE_RISING:
      return x * pow(1000, (double)(i / 64 * 7 % 17) - 8);
    case CASE_DC:
      return 1 + 1e-3 * x;
    case CASE_IMPULSE:
      return i % 2062 == 6 ? 0.75 : 0;
    case CASE_DENORMAL:
      return ldexp(x, -139);
    default:
      return x;
  }
}

/* Input, sentinels in the output, and the truth. */
static inline int case_make_of(transform_case *c, const mfft_fft_spec *spec, case_input input, uint64_t seed) {
  memset(c, 0, sizeof *c);
  c->spec = *spec;
  mfft_precision p = spec->precision;
  c->in_reals = case_reals(spec, 0);
  c->out_reals = case_reals(spec, 1);
  if (spec->in_place) c->in_reals = c->out_reals = c->in_reals > c->out_reals ? c->in_reals : c->out_reals;
  c->in = malloc((size_t)c->in_reals * mfft_real_bytes(p));
  c->out = spec->in_place ? c->in : malloc((size_t)c->out_reals * mfft_real_bytes(p));
  double *wide = fftw_malloc((size_t)c->in_reals * sizeof(double));
  c->truth = spec->in_place ? wide : fftw_malloc((size_t)c->out_reals * sizeof(double));
  if (!c->in || !c->out || !wide || !c->truth) return 0;
  for (int64_t i = 0; i < c->in_reals; i++) {
    store_value(p, c->in, i, case_number(input, i, &seed));
    wide[i] = stored_value(p, c->in, i);
  }
  if (!spec->in_place)
    for (int64_t i = 0; i < c->out_reals; i++) {
      store_value(p, c->out, i, CASE_SENTINEL);
      c->truth[i] = NAN;
    }
  fftw_iodim64 axis[3], loop[MFFT_MAX_LOOPS]; /* [naxes], [nloops] */
  for (int a = 0; a < spec->naxes; a++) axis[a] = (fftw_iodim64){spec->axis[a].n, spec->axis[a].is, spec->axis[a].os};
  for (int l = 0; l < spec->nloops; l++) loop[l] = (fftw_iodim64){spec->loop[l].n, spec->loop[l].is, spec->loop[l].os};
  fftw_plan plan;
  if (spec->type == MFFT_FFT_R2C)
    plan = fftw_plan_guru64_dft_r2c(spec->naxes, axis, spec->nloops, loop, wide, (fftw_complex *)c->truth, FFTW_ESTIMATE);
  else if (spec->type == MFFT_FFT_C2R)
    plan = fftw_plan_guru64_dft_c2r(spec->naxes, axis, spec->nloops, loop, (fftw_complex *)wide, c->truth, FFTW_ESTIMATE);
  else
    plan = fftw_plan_guru64_dft(spec->naxes, axis, spec->nloops, loop, (fftw_complex *)wide, (fftw_complex *)c->truth,
                                spec->direction == MFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  if (plan) fftw_execute(plan);
  fftw_destroy_plan(plan);
  if (spec->scale != 1) case_visit(c, 1, case_scale, NULL);
  if (!spec->in_place) fftw_free(wide);
  return plan != NULL;
}

static inline int case_make(transform_case *c, const mfft_fft_spec *spec, uint64_t seed) {
  return case_make_of(c, spec, CASE_NOISE, seed);
}

/* Calls f for every real of the elements of the input or the output, in no special order. */
static inline void case_visit(const transform_case *c, int output, case_visitor *f, void *data) {
  const mfft_fft_spec *s = &c->spec;
  int64_t n[3 + MFFT_MAX_LOOPS], stride[3 + MFFT_MAX_LOOPS], index[3 + MFFT_MAX_LOOPS] = {0}, at = 0;
  const int halved = s->type != MFFT_FFT_C2C && !case_real_side(s, output), reals = case_real_side(s, output) ? 1 : 2;
  int count = 0;
  for (int d = 0; d < s->naxes + s->nloops; d++, count++) {
    const mfft_dim *dim = d < s->naxes ? &s->axis[d] : &s->loop[d - s->naxes];
    n[count] = d == s->naxes - 1 && halved ? dim->n / 2 + 1 : dim->n;
    stride[count] = output ? dim->os : dim->is;
  }
  for (int d = 0; d < count;) {
    if (d == 0)
      for (int r = 0; r < reals; r++) f(c, reals * at + r, data);
    at += stride[d];
    if (++index[d] < n[d]) {
      d = 0;
      continue;
    }
    at -= n[d] * stride[d];
    index[d++] = 0;
  }
}

static inline void case_scale(const transform_case *c, int64_t i, void *data) {
  (void)data;
  c->truth[i] *= c->spec.scale;
}

typedef struct case_sums {
  const void *out;
  double error, size, worst;
  int64_t count;
} case_sums;
static inline void case_compare(const transform_case *c, int64_t i, void *data) {
  case_sums *sums = (case_sums *)data;
  const double got = stored_value(c->spec.precision, sums->out, i), want = c->truth[i], off = (got - want) * (got - want);
  if (isnan(want)) {
    if (got != CASE_SENTINEL) sums->error = INFINITY;
    return;
  }
  sums->error += off;
  sums->size += want * want;
  if (!(off <= sums->worst)) sums->worst = off;
  sums->count++;
}

/* Relative L2 error of the output, infinite if a sentinel was overwritten; the largest error of a real over the rms of all.
 */
static inline double case_errors(const transform_case *c, const void *out, double *largest) {
  case_sums sums = {.out = out};
  if (c->spec.in_place)
    case_visit(c, 1, case_compare, &sums);
  else
    for (int64_t i = 0; i < c->out_reals; i++) case_compare(c, i, &sums);
  if (!(sums.size > 0)) sums.size = 1;
  *largest = sqrt(sums.worst / sums.size * (double)sums.count);
  return sqrt(sums.error / sums.size);
}
static inline double case_error(const transform_case *c, const void *out) {
  double largest;
  return case_errors(c, out, &largest);
}

typedef struct case_arrays {
  const void *before;
  void *after;
} case_arrays;
static inline void case_restore(const transform_case *c, int64_t i, void *data) {
  const case_arrays *a = (const case_arrays *)data;
  const size_t bytes = mfft_real_bytes(c->spec.precision), at = (size_t)i * bytes;
  memcpy((char *)a->after + at, (const char *)a->before + at, bytes);
}

/* Whether the gaps between elements, in place those of both sides, are unchanged bit by bit; `after` is overwritten. */
static inline int case_gaps_unchanged(const transform_case *c, int output, const void *before, void *after) {
  case_arrays arrays = {before, after};
  for (int side = 0; side < 2; side++)
    if (side == output || c->spec.in_place) case_visit(c, side, case_restore, &arrays);
  return !memcmp(before, after, (size_t)(output ? c->out_reals : c->in_reals) * mfft_real_bytes(c->spec.precision));
}

/* The error that the spacing of the smallest numbers of single adds to the bound, if a result is that small. */
static inline double case_spacing(const transform_case *c) {
  double sum = 0;
  if (c->spec.precision != MFFT_SINGLE) return 0;
  for (int64_t i = 0; i < c->out_reals; i++)
    if (!isnan(c->truth[i])) sum += c->truth[i] * c->truth[i];
  return ldexp(0.5, -149) / sqrt(sum / (double)c->out_reals);
}

/* The bound of the error's norm, which is that of one rounding at least: a result of few numbers may be mostly one of them.
 */
static inline double case_bound(const mfft_fft_spec *s) {
  static const double c[] = {4e-16, 1.7e-7, 3e-4, 2.6e-3}, /* [precision] */
      rounding[] = {0x1p-53, 0x1p-24, 0x1p-11, 0x1p-8};    /* [precision] */
  double n = 1;
  int convolved = 0; /* by Bluestein's algorithm, whose two transforms round each number twice as often */
  for (int a = 0; a < s->naxes; a++) {
    n *= (double)s->axis[a].n;
    convolved |= mfft_largest_prime(s->axis[a].n) > 31;
  }
  return fmax((convolved ? 2 : 1) * c[s->precision] * sqrt(log2(n < 2 ? 2 : n)), rounding[s->precision]);
}

#endif
