/* numbers.h: stored numbers of any precision as long doubles; and plans whose arrays have various layouts, with their
 * elements.
 */
#ifndef MFFT_TESTS_NUMBERS_H
#define MFFT_TESTS_NUMBERS_H

#include "base/precision.h"
#include "check.h"
#include "local/host/half.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static inline long double numbers_load(mfft_precision p, const void *array, int64_t i) {
  if (p == MFFT_LONG_DOUBLE) return ((const long double *)array)[i];
  if (p == MFFT_DOUBLE) return ((const double *)array)[i];
  if (p == MFFT_SINGLE) return ((const float *)array)[i];
  const uint16_t bits = ((const uint16_t *)array)[i];
  return p == MFFT_HALF ? mfft_half_to_float(bits) : mfft_bfloat16_to_float(bits);
}

static inline void numbers_store(mfft_precision p, void *array, int64_t i, long double value) {
  if (p == MFFT_LONG_DOUBLE)
    ((long double *)array)[i] = value;
  else if (p == MFFT_DOUBLE)
    ((double *)array)[i] = (double)value;
  else if (p == MFFT_SINGLE)
    ((float *)array)[i] = (float)value;
  else
    ((uint16_t *)array)[i] = p == MFFT_HALF ? mfft_half_of_float((float)value) : mfft_bfloat16_of_float((float)value);
}

/* A random number as a test stores it: in long double with all its bits. */
static inline long double numbers_of(mfft_precision p, double value) { return p == MFFT_LONG_DOUBLE ? value / 3.0L : value; }

/* An array of a local plan. */
typedef struct numbers_case {
  int rank;
  int64_t n[3], batch;
  mfft_kind kind;
  mfft_side side;
  int strided; /* 1: the first axis is contiguous, with a gap after each of the others */
} numbers_case;

typedef struct numbers_array {
  mfft_plan plan;
  int64_t n[4], stride[4]; /* [batch, axis] elements */
  int components;
  int64_t reals; /* allocated */
  size_t bytes;
  void *host, *array; /* [reals] arrays of the test, and in memory of the backend */
  const char *backend;
  mfft_precision precision;
} numbers_array;

/* MFFT_ERR_UNSUPPORTED if the backend does not support all lengths. */
static inline mfft_status numbers_create(const numbers_case *c, const char *backend, mfft_precision precision,
                                         numbers_array *a) {
  mfft_desc d;
  mfft_options options;
  int64_t dist = 1;
  const int last = c->rank - 1, real = c->kind == MFFT_R2C && c->side == MFFT_IN;
  memset(a, 0, sizeof *a);
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = c->rank;
  memcpy(d.n, c->n, sizeof d.n);
  d.axes = 1u << last; /* no transform runs, and on a GPU those of each axis are kernels to compile */
  d.kind = c->kind;
  d.batch = c->batch;
  d.precision = precision;
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  a->components = real ? 1 : 2;
  a->n[0] = c->batch;
  for (int i = 0; i < 3; i++) a->n[i + 1] = i < c->rank ? c->n[i] : 1;
  if (c->kind == MFFT_R2C && !real) a->n[last + 1] = a->n[last + 1] / 2 + 1;
  for (int i = 0; i < c->rank; i++) {
    const int at = c->strided ? i : last - i;
    a->stride[at + 1] = dist;
    dist = dist * a->n[at + 1] + c->strided;
  }
  a->stride[0] = dist;
  if (c->strided) {
    memcpy(c->side == MFFT_IN ? d.in_stride : d.out_stride, a->stride + 1, 3 * sizeof(int64_t));
    *(c->side == MFFT_IN ? &d.in_dist : &d.out_dist) = dist;
  }
  const mfft_status status = mfft_plan_create(&d, &options, &a->plan);
  if (status != MFFT_SUCCESS) return status;
  CHECK_OK(mfft_plan_bytes(a->plan, c->side, &a->bytes));
  a->reals = (int64_t)a->bytes / (int64_t)mfft_real_bytes(precision);
  a->host = calloc(1, a->bytes); /* in long double numbers have padding, which tests compare too */
  a->backend = backend;
  a->precision = precision;
  CHECK_OK(mfft_memory_alloc(backend, a->bytes, &a->array));
  return MFFT_SUCCESS;
}

static inline void numbers_destroy(numbers_array *a) {
  mfft_memory_free(a->backend, a->array);
  free(a->host);
  mfft_plan_destroy(a->plan);
}

/* Offset in reals of element i[batch, axis]. */
static inline int64_t numbers_at(const numbers_array *a, const int64_t i[4], int component) {
  return (i[0] * a->stride[0] + i[1] * a->stride[1] + i[2] * a->stride[2] + i[3] * a->stride[3]) * a->components + component;
}

#define NUMBERS_EACH(a, i)                     \
  for (i[0] = 0; i[0] < (a)->n[0]; i[0]++)     \
    for (i[1] = 0; i[1] < (a)->n[1]; i[1]++)   \
      for (i[2] = 0; i[2] < (a)->n[2]; i[2]++) \
        for (i[3] = 0; i[3] < (a)->n[3]; i[3]++)

/* Runs `check` on every usable backend and precision, or on the cuda backend alone if an argument names it. */
static inline int numbers_backends(int argc, void (*check)(const char *backend, mfft_precision precision)) {
  static const mfft_precision precisions[] = {MFFT_DOUBLE, MFFT_SINGLE, MFFT_HALF, MFFT_BFLOAT16, MFFT_LONG_DOUBLE};
  int backends = 0;
  for (int i = 0; mfft_backend_name(i); i++) {
    const char *backend = mfft_backend_name(i);
    if ((argc > 1) == !strcmp(backend, "cuda") && mfft_backend_usable(backend, NULL, 0)) {
      backends++;
      for (int p = 0; p < MFFT_PRECISION_COUNT; p++) check(backend, precisions[p]);
    }
  }
  return backends;
}

#endif
