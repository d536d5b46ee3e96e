/* rows.c: sums over the rows of an array (mfft_rows in mfft_array.h), computed by threads that divide the rows. */
#include <float.h>
#include <math.h>

#include "base/checksum.h"
#include "base/precision.h"
#include "base/workers.h"
#include "local/host/host.h"

enum { RUN = 512, TASK_ROWS = 16 };

typedef struct rows_job {
  const mfft_reals_rows *what;
  void *array;
  mfft_precision precision;
} rows_job;

/* Adds products to four sums, which lets the compiler use vectors.  All runs of a row add to the same four. */
static void add_products(const double *a, const double *b, int64_t count, double lane[4]) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (int l = 0; l < 4; l++) lane[l] += a[i + l] * b[i + l];
  for (; i < count; i++) lane[0] += a[i] * b[i];
}

static double magnitude(const double *x, int64_t count, double largest) {
  for (int64_t i = 0; i < count; i++) {
    const double size = fabs(x[i]);
    largest = !(size <= DBL_MAX) ? INFINITY : size > largest ? size : largest;
  }
  return largest;
}

/* Stores a run of y and reads it back, so that y has the rounded numbers of the array. */
static void store_run(const rows_job *job, int64_t at, int64_t stride, int64_t count, double *y) {
  if (stride == 1)
    mfft_reals_store(job->precision, job->array, at, count, y, 1);
  else
    for (int64_t i = 0; i < count; i++) mfft_reals_store(job->precision, job->array, at + i * stride, 1, &y[i], 1);
  mfft_reals_load(job->precision, job->array, at, stride, count, y);
}

/* Reads a run of x, computes y, the shifted and scaled x, and adds up the squares of y.  If the caller wishes, y replaces x
 * in the array. */
static void shift_run(const rows_job *job, int64_t at, int64_t stride, int64_t count, double *x, double *y,
                      double squares[4]) {
  const mfft_reals_rows *w = job->what;
  mfft_reals_load(job->precision, job->array, at, stride, count, x);
  for (int64_t i = 0; i < count; i++) y[i] = ((x[i] - w->shift[0]) - w->shift[1]) * w->factor;
  add_products(y, y, count, squares);
  if (w->store) store_run(job, at, stride, count, y);
}

/* shift_run in long double; x and y, which the sums use, are rounded to double. */
static void shift_run_long(const rows_job *job, int64_t at, int64_t stride, int64_t count, double *x, double *y,
                           double squares[4]) {
  const mfft_reals_rows *w = job->what;
  long double *number = (long double *)job->array + at;
  for (int64_t i = 0; i < count; i++) {
    const long double given = number[i * stride], shifted = ((given - w->shift[0]) - w->shift[1]) * w->factor;
    x[i] = (double)given;
    y[i] = (double)shifted;
    if (w->store) number[i * stride] = shifted;
  }
  add_products(y, y, count, squares);
}

/* The checksum of a run of numbers as they are in the array.  index: of the first number in the array of all processes. */
static uint64_t checksum(const rows_job *job, int64_t at, int64_t stride, int64_t count, int64_t index) {
  const int bytes = (int)mfft_real_bytes(job->precision);
  const char *run = (const char *)job->array + at * bytes;
  uint64_t sum = 0;
  if (stride == 1) return mfft_checksum(run, bytes, index, count);
  for (int64_t i = 0; i < count; i++) sum += mfft_checksum(run + i * stride * bytes, bytes, index + i, 1);
  return sum;
}

static void do_row(const rows_job *job, int64_t row, double *result /* [vectors + 2] */, uint64_t *sum) {
  const mfft_reals_rows *w = job->what;
  const int64_t length = w->reals.n[w->reals.last + 1], stride = w->reals.stride[w->reals.last + 1];
  const int64_t start = mfft_reals_row_offset(&w->reals, row), index = sum ? mfft_reals_row_index(w, row) : 0;
  double lane[MFFT_ROWS_VECTORS + 1][4] = {{0}}, largest = 0, x[RUN], y[RUN]; /* [product][lane] */
  for (int64_t z = 0; z < length; z += RUN) {
    const int64_t count = length - z < RUN ? length - z : RUN, at = start + z * stride;
    (job->precision == MFFT_LONG_DOUBLE ? shift_run_long : shift_run)(job, at, stride, count, x, y, lane[w->vectors]);
    const double *now = w->store ? y : x;
    for (int v = 0; v < w->vectors; v++) add_products(now, w->vector[v] + z, count, lane[v]);
    largest = magnitude(now, count, largest);
    if (sum) *sum += checksum(job, at, stride, count, index + z);
  }
  for (int v = 0; v <= w->vectors; v++) result[v] = (lane[v][0] + lane[v][1]) + (lane[v][2] + lane[v][3]);
  result[w->vectors + 1] = largest;
}

static mfft_status rows_task(void *context, int64_t task, int worker) {
  (void)worker;
  const rows_job *job = context;
  const mfft_reals_rows *w = job->what;
  for (int64_t r = task * TASK_ROWS; r < (task + 1) * TASK_ROWS && r < w->count; r++) {
    uint64_t *sum = w->checksum ? w->checksum + r : NULL;
    if (sum) *sum = 0;
    do_row(job, w->first + r, w->result + r * (w->vectors + 2), sum);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_host_rows(mfft_precision precision, const mfft_reals_rows *what, void *array, void *stream) {
  (void)stream;
  rows_job job = {what, array, precision};
  mfft_workers workers = mfft_workers_create(what->threads);
  const mfft_status status = mfft_workers_run(workers, (what->count + TASK_ROWS - 1) / TASK_ROWS, rows_task, &job);
  mfft_workers_destroy(workers);
  return status;
}
