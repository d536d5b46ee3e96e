/* normal.c: fills an array with white noise (mfft_normal in mfft_array.h), row by row along the caller's last axis. */
#include "base/workers.h"
#include "local/host/host.h"
#include "local/host/normal_pairs.h"
#include "local/host/stored.h"

/* Rows are divided into parts of PART_PAIRS pairs of numbers, and a task is a number of parts with TASK_PAIRS pairs. */
enum { PART_PAIRS = 1 << 13, TASK_PAIRS = 1 << 15 };

/* Stores numbers as real elements (components 1) or as the parts of complex elements (2). */
typedef void (*store)(int64_t count, const double *number, double deviation, int components, int64_t stride, void *to);

#define STORE(precision, name, type, real)                                                                        \
  static void store_##name(int64_t count, const double *number /* [count] */, double deviation, int components,   \
                           int64_t stride, void *to) {                                                            \
    type *at = to;                                                                                                \
    if (stride == 1)                                                                                              \
      for (int64_t i = 0; i < count; i++) at[i] = mfft_##name##_store(number[i] * deviation);                     \
    else                                                                                                          \
      for (int64_t i = 0; i < count; i++)                                                                         \
        at[components * (i / components * stride) + i % components] = mfft_##name##_store(number[i] * deviation); \
  }
MFFT_STORED_TYPES(STORE)

#define ENTRY(precision, name, type, real) [precision] = store_##name,
static const store store_as[] = {MFFT_STORED_TYPES(ENTRY)};

typedef struct filling {
  const mfft_normal_fill *fill;
  mfft_precision precision;
  char *to;
  int64_t first, end;   /* range of the numbers of a row, counted along the whole axis */
  int64_t parts, tasks; /* parts of a row; parts of a task */
  int64_t rows;
} filling;

/* Fills the numbers `from` to `to` of the row that starts at `row`. */
static void fill_part(const filling *f, const uint32_t words[3], char *row, int64_t from, int64_t to) {
  const mfft_reals *r = &f->fill->reals;
  const int64_t stride = r->stride[r->last + 1], bytes = (int64_t)mfft_real_bytes(f->precision);
  double number[2 * MFFT_NORMAL_PAIRS];
  for (int64_t at = from; at < to;) {
    const int64_t pair = at / 2, skip = at % 2, left = 2 * MFFT_NORMAL_PAIRS - skip, count = to - at < left ? to - at : left;
    mfft_normal_pairs(f->fill->seed, (uint32_t)pair, words, number);
    const int64_t element = (at - f->first) / r->components; /* complexes begin with a pair */
    store_as[f->precision](count, number + skip, f->fill->deviation, r->components, stride,
                           row + element * stride * r->components * bytes);
    at += count;
  }
}

static mfft_status fill_task(void *context, int64_t task, int worker) {
  (void)worker;
  const filling *f = context;
  const mfft_reals *r = &f->fill->reals;
  const int64_t bytes = r->components * (int64_t)mfft_real_bytes(f->precision), all = f->rows * f->parts;
  for (int64_t i = task * f->tasks; i < (task + 1) * f->tasks && i < all; i++) {
    int64_t row = i / f->parts, offset = 0;
    uint32_t words[3] = {0, 0, 0}; /* indices on the axes before the last, the nearest first, then that of the batch */
    for (int a = r->last; a >= 0; a--) {
      const int64_t index = row % r->n[a];
      row /= r->n[a];
      offset += index * r->stride[a];
      words[a ? r->last - a : 2] = (uint32_t)(index + (a ? r->lo[a - 1] : 0));
    }
    const int64_t from = f->first + i % f->parts * 2 * PART_PAIRS, to = from + 2 * PART_PAIRS;
    fill_part(f, words, f->to + offset * bytes, from, to < f->end ? to : f->end);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_host_normal(mfft_precision precision, const mfft_normal_fill *fill, void *out, void *stream) {
  (void)stream;
  const mfft_reals *r = &fill->reals;
  filling f = {.fill = fill, .precision = precision, .to = out, .rows = 1};
  if (mfft_reals_count(r) == 0) return MFFT_SUCCESS;
  f.first = r->lo[r->last] * r->components;
  f.end = f.first + r->n[r->last + 1] * r->components;
  for (int a = 0; a <= r->last; a++) f.rows *= r->n[a];
  f.parts = (f.end - f.first + 2 * PART_PAIRS - 1) / (2 * PART_PAIRS);
  f.tasks = f.parts > 1 ? 1 : 1 + 2 * TASK_PAIRS / (f.end - f.first);
  mfft_workers workers = mfft_workers_create(fill->threads);
  const mfft_status status = mfft_workers_run(workers, (f.rows * f.parts + f.tasks - 1) / f.tasks, fill_task, &f);
  mfft_workers_destroy(workers);
  return status;
}
