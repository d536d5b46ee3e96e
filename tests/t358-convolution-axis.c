// TEST labels=cuda
// TEST labels=emulated timeout=120
/* Convolutions on a GPU whose slowest axis is transformed, multiplied and transformed back within one pass
 * (plan/slow_axis.h), beside those of the CPU, which multiply between two transforms (t357 compares them with sums): by the
 * spectrum of a kernel and by a filter; linear and circular axes, correlations, both kinds, both precisions; in place of the
 * input; kernels that follow one another; and what is not done so. */
#include <math.h>

#include "check.h"
#include "mfft_convolution.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "plan/convolution.h"
#include "plan/convolve.h"

enum { MOST = 2 * 400 * 10 * 14, FACTORS = 2 * 400 }; /* FACTORS: of complex kernels, and more than an axis has */

/* How the factors of the spectrum are given, and the placement of the plan. */
typedef enum form { VALUES = 0, VALUES_IN_PLACE, FILTER, FILTER_IN_PLACE } form;
static int is_filter(form f) { return f >= FILTER; }
static int is_in_place(form f) { return f == VALUES_IN_PLACE || f == FILTER_IN_PLACE; }

typedef struct shape {
  mfft_kind kind;
  mfft_precision precision;
  int rank;
  int64_t n[3], given[3];
  int batch, fused;
  form form;
} shape;

static mfft_convolution make(const shape *s, const char *backend, mfft_plan *plan) {
  mfft_desc d;
  mfft_options options;
  mfft_convolution c = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = s->rank, d.kind = s->kind, d.precision = s->precision, d.batch = s->batch;
  d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  d.filtered = is_filter(s->form) ? 1u << MFFT_BACKWARD : 0;
  d.placement = is_in_place(s->form) ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  memcpy(d.n, s->n, sizeof d.n);
  memcpy(d.given, s->given, sizeof d.given);
  options.backend = backend, options.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create(&d, &options, plan));
  CHECK_OK(mfft_convolution_create(*plan, &c));
  return c;
}

/* Kernel 0 or 1 of a shape: values, or a filter, that are different functions. */
static void set_kernel(const shape *s, mfft_convolution c, int number, int correlate, const double *k) {
  mfft_convolution_kernel kernel;
  mfft_filter filter;
  mfft_convolution_kernel_init(&kernel);
  mfft_filter_init(&filter);
  filter.quarter_turns = 2 * number;
  for (int a = 0; a < 3; a++) filter.factor[a] = k + a;
  if (is_filter(s->form))
    kernel.filter = &filter;
  else
    kernel.value = k, kernel.correlate = correlate ^ number;
  for (int a = 0; a < s->rank && !is_filter(s->form); a++) kernel.lo[a] = -1, kernel.hi[a] = 2;
  CHECK_OK(mfft_convolution_set_kernel(c, &kernel));
}

/* x of a plan through two convolutions, the second one in place of its input. */
static void convolve(const shape *s, const char *backend, int correlate, const double *x, const double *k, double *y) {
  mfft_plan plan = NULL;
  mfft_convolution c = make(s, backend, &plan);
  const int single = s->precision == MFFT_SINGLE, fused = !strcmp(backend, "cuda") && s->fused;
  size_t bytes;
  void *array[2] = {NULL, NULL};
  static float narrow[MOST];
  set_kernel(s, c, 0, correlate, k);
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes));
  const size_t numbers = bytes / (single ? 4 : 8);
  for (size_t i = 0; i < numbers; i++) narrow[i] = (float)x[i];
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_alloc(backend, bytes, &array[i]));
  CHECK_OK(mfft_memory_upload(backend, array[0], single ? (const void *)narrow : x, bytes));
  CHECK(mfft_plan_convolves_at_once(plan, c->by) == fused, "%s: the slowest axis is %s", backend,
        fused ? "not done so" : "done so");
  void *result = is_in_place(s->form) ? array[0] : array[1];
  CHECK_OK(mfft_convolution_execute(c, array[0], result));
  set_kernel(s, c, 1, correlate, k);
  CHECK_OK(mfft_convolution_execute(c, result, result));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, single ? (void *)narrow : y, result, bytes));
  for (size_t i = 0; single && i < numbers; i++) y[i] = narrow[i];
  mfft_convolution_destroy(c);
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_free(backend, array[i]));
  mfft_plan_destroy(plan);
}

static void compare(const shape *s, int correlate) {
  static double x[MOST], k[FACTORS], y[2][MOST];
  size_t count = (size_t)s->batch * (s->kind == MFFT_C2C ? 2 : 1);
  uint64_t state = (uint64_t)s->n[0];
  double off = 0, norm = 0;
  const int last = s->rank - 1;
  for (int a = 0; a < s->rank; a++) count *= (size_t)(s->given[a] ? s->given[a] : s->n[a]);
  for (size_t i = 0; i < MOST; i++) x[i] = test_random(&state);
  for (int i = 0; i < FACTORS; i++) k[i] = test_random(&state);
  for (int gpu = 0; gpu < 2; gpu++) convolve(s, gpu ? "cuda" : "fftw", correlate, x, k, y[gpu]);
  const size_t row = (size_t)(s->given[last] ? s->given[last] : s->n[last]) * (s->kind == MFFT_C2C ? 2 : 1),
               padded = is_in_place(s->form) && s->kind == MFFT_R2C ? row / 2 * 2 + 2 : row;
  for (size_t i = 0; i < count / row * padded; i++)
    if (i % padded < row) off += pow(y[1][i] - y[0][i], 2), norm += pow(y[0][i], 2);
  CHECK(sqrt(off / norm) < (s->precision == MFFT_SINGLE ? 1e-6 : 2e-15), "rank %d, %lld: off by %g", s->rank,
        (long long)s->n[0], sqrt(off / norm));
}

int main(void) {
  static const shape shapes[] = {
      {MFFT_R2C, MFFT_DOUBLE, 3, {12, 10, 16}, {0}, 1, 1, VALUES},
      {MFFT_R2C, MFFT_SINGLE, 3, {24, 12, 20}, {12, 5, 10}, 1, 1, VALUES},
      {MFFT_C2C, MFFT_DOUBLE, 2, {16, 9, 1}, {7, 0, 0}, 1, 1, VALUES},
      {MFFT_C2C, MFFT_DOUBLE, 2, {16, 9, 1}, {0}, 1, 1, VALUES_IN_PLACE},
      {MFFT_R2C, MFFT_DOUBLE, 3, {12, 10, 16}, {0}, 2, 0, VALUES}, /* arrays of a batch have one kernel */
      {MFFT_R2C, MFFT_DOUBLE, 3, {37, 4, 6}, {0}, 1, 0, VALUES},   /* no butterflies */
      {MFFT_R2C, MFFT_SINGLE, 3, {24, 12, 20}, {12, 5, 10}, 1, 1, FILTER},
      {MFFT_R2C, MFFT_DOUBLE, 3, {42, 4, 6}, {0}, 1, 1, FILTER},
      {MFFT_C2C, MFFT_DOUBLE, 2, {25, 9, 1}, {0}, 1, 1, FILTER_IN_PLACE},
      {MFFT_R2C, MFFT_DOUBLE, 3, {42, 4, 6}, {0}, 1, 1, VALUES_IN_PLACE},
      {MFFT_R2C, MFFT_DOUBLE, 3, {42, 4, 6}, {0}, 1, 1, FILTER_IN_PLACE},
      {MFFT_R2C, MFFT_DOUBLE, 3, {37, 4, 6}, {0}, 1, 0, FILTER},
      {MFFT_R2C, MFFT_DOUBLE, 3, {400, 10, 14}, {0}, 1, 1, FILTER}, /* lines for measured blocks of the emulated GPU */
      {MFFT_R2C, MFFT_SINGLE, 3, {540, 8, 16}, {0}, 1, 1, VALUES},
  };
  if (!mfft_backend_usable("cuda", NULL, 0)) return TEST_SKIPPED;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (!test_small() || shapes[i].batch > 1 || (shapes[i].fused && i)) /* emulated kernels take long to compile */
      compare(&shapes[i], (int)(i % 2));
  return test_end();
}
