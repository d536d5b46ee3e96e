/* modes.c: fills arrays with white noise by wave number (mfft_mode_noise in mfft_array.h), and adds products of arrays
 * (mfft_plan_multiply_add). */
#include "base/mode_noise.h"
#include "base/workers.h"
#include "local/host/host.h"

enum { RUN = 512, TASK_ROWS = 16 };

typedef struct filling {
  const mfft_modes_fill *fill;
  mfft_precision precision;
  void *to;
} filling;

/* Fills the TASK_ROWS rows of a task; a row has the modes along the last axis. */
static mfft_status fill_task(void *context, int64_t task, int worker) {
  const filling *f = context;
  const mfft_reals *r = &f->fill->reals;
  const uint32_t key[2] = {(uint32_t)f->fill->seed, (uint32_t)(f->fill->seed >> 32)}; /* {low, high} */
  const long long n[3] = {f->fill->n[0], f->fill->n[1], f->fill->n[2]};               /* [axis] */
  (void)worker;
  for (int64_t row = task * TASK_ROWS; row < (task + 1) * TASK_ROWS && row < r->n[1] * r->n[2]; row++) {
    const int64_t x = row / r->n[2], y = row % r->n[2], start = x * r->stride[1] + y * r->stride[2];
    for (int64_t z = 0; z < r->n[3]; z++) {
      const long long index[3] = {r->lo[0] + x, r->lo[1] + y, r->lo[2] + z}; /* [axis] */
      double number[2];                                                      /* {re, im} */
      mfft_mode_noise_at(key, n, index, f->fill->deviation, f->fill->squares, number);
      mfft_reals_store(f->precision, f->to, 2 * (start + z * r->stride[3]), 2, number, 1);
    }
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_host_modes(mfft_precision precision, const mfft_modes_fill *fill, void *out, void *stream) {
  filling f = {fill, precision, out};
  const int64_t rows = fill->reals.n[1] * fill->reals.n[2];
  (void)stream;
  mfft_workers workers = mfft_workers_create(fill->threads);
  const mfft_status status = mfft_workers_run(workers, (rows + TASK_ROWS - 1) / TASK_ROWS, fill_task, &f);
  mfft_workers_destroy(workers);
  return status;
}

/* ---- Products -------------------------------------------------------------------------------------------------------- */

typedef struct multiplying {
  const mfft_reals_product *what;
  mfft_real_loops loops;
  mfft_precision precision;
  const void *a, *b;
  void *c;
} multiplying;

static void multiply_run(const multiplying *m, int64_t at, int64_t stride, int64_t count) {
  double a[RUN], b[RUN], c[RUN];
  mfft_reals_load(m->precision, m->a, at, stride, count, a);
  mfft_reals_load(m->precision, m->b, at, stride, count, b);
  if (m->what->beta != 0) mfft_reals_load(m->precision, m->c, at, stride, count, c);
  for (int64_t i = 0; i < count; i++) {
    const double product = mfft_n_mul(m->what->alpha, mfft_n_mul(a[i], b[i]));
    c[i] = m->what->beta == 0 ? product : mfft_n_add(mfft_n_mul(m->what->beta, c[i]), product);
  }
  for (int64_t i = 0, step = stride == 1 ? count : 1; i < count; i += step)
    mfft_reals_store(m->precision, m->c, at + i * stride, step, c + i, 1);
}

/* multiply_run in long double. */
static void multiply_run_long(const multiplying *m, int64_t at, int64_t stride, int64_t count) {
  const long double *a = (const long double *)m->a + at, *b = (const long double *)m->b + at;
  long double *c = (long double *)m->c + at;
  for (int64_t i = 0; i < count * stride; i += stride) {
    const long double product = m->what->alpha * (a[i] * b[i]);
    c[i] = m->what->beta == 0 ? product : m->what->beta * c[i] + product;
  }
}

/* Processes the rows of a task, which go along the innermost loop, in runs. */
static mfft_status multiply_task(void *context, int64_t task, int worker) {
  const multiplying *m = context;
  const int last = MFFT_REAL_LOOPS - 1;
  const int64_t length = m->loops.n[last], stride = m->loops.stride[last], runs = (length + RUN - 1) / RUN;
  const int64_t all = mfft_reals_count(&m->what->reals) / length * runs;
  (void)worker;
  for (int64_t i = task * TASK_ROWS; i < (task + 1) * TASK_ROWS && i < all; i++) {
    const int64_t from = i % runs * RUN, count = length - from < RUN ? length - from : RUN;
    (m->precision == MFFT_LONG_DOUBLE ? multiply_run_long : multiply_run)(
        m, mfft_real_loops_offset(&m->loops, i / runs * length + from), stride, count);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_host_product(mfft_precision precision, const mfft_reals_product *what, const void *a, const void *b,
                              void *c, void *stream) {
  multiplying m = {what, mfft_reals_loops(&what->reals), precision, a, b, c};
  const int64_t length = m.loops.n[MFFT_REAL_LOOPS - 1], runs = (length + RUN - 1) / RUN;
  const int64_t all = mfft_reals_count(&what->reals) / length * runs;
  (void)stream;
  mfft_workers workers = mfft_workers_create(what->threads);
  const mfft_status status = mfft_workers_run(workers, (all + TASK_ROWS - 1) / TASK_ROWS, multiply_task, &m);
  mfft_workers_destroy(workers);
  return status;
}
