/* sums.c: see sums.h. */
#include "particles/sums.h"

#include <math.h>
#include <string.h>

enum { CHUNKS = 64 }; /* chunks of rows of cells, the units of work of threads */

typedef struct sweep sweep;

/* Processes a row of sums along the fast axis of the mesh; `at`: the element of the mesh of its first cell.  Returns how
 * many of the numbers that it stores are infinite. */
typedef int64_t row_step(const sweep *s, int64_t *row, int64_t stride, int64_t at, int64_t count);

struct sweep {
  const mfft_pm_sums *sums;
  row_step *step;
  int64_t lo[3], n[3];      /* [axis] the cells, relative to the first own cell */
  int64_t shift;            /* of a move, in elements */
  int64_t infinite[CHUNKS]; /* [chunk] */
};

/* Processes the rows of a chunk, a unit of work of a thread. */
static mfft_status sweep_task(void *context, int64_t chunk, int worker) {
  sweep *s = context;
  const mfft_pm_grid *grid = &s->sums->mesh->grid;
  const mfft_pm_part *part = &s->sums->part;
  const int slow = grid->own.order[0], middle = grid->own.order[1], fast = grid->own.order[2];
  const int64_t across = s->n[middle], rows = s->n[slow] * across;
  (void)worker;
  s->infinite[chunk] = 0;
  for (int64_t r = mfft_part(rows, chunk, CHUNKS); r < mfft_part(rows, chunk + 1, CHUNKS); r++) {
    int64_t cell[3], at = 0, in_sums = part->start; /* [axis] */
    cell[slow] = s->lo[slow] + r / across;
    cell[middle] = s->lo[middle] + r % across;
    cell[fast] = s->lo[fast];
    for (int a = 0; a < 3; a++) {
      at += cell[a] * grid->stride[a];
      in_sums += (grid->own.lo[a] + cell[a] - part->box.lo[a]) * part->stride[a];
    }
    s->infinite[chunk] += s->step(s, s->sums->own + in_sums, part->stride[fast], at, s->n[fast]);
  }
  return MFFT_SUCCESS;
}

static sweep sweep_of(const mfft_pm_sums *sums, row_step *step, int axis, int64_t lo, int64_t hi) {
  sweep s = {.sums = sums, .step = step};
  for (int a = 0; a < 3; a++) s.n[a] = mfft_box_extent(&sums->mesh->grid.own, a);
  s.lo[axis] = lo;
  s.n[axis] = hi > lo ? hi - lo : 0;
  return s;
}

static int64_t clear_row(const sweep *s, int64_t *row, int64_t stride, int64_t at, int64_t count) {
  (void)s, (void)at;
  for (int64_t i = 0; i < count; i++) row[i * stride] = 0;
  return 0;
}

static int64_t move_row(const sweep *s, int64_t *row, int64_t stride, int64_t at, int64_t count) {
  (void)at;
  for (int64_t i = 0; i < count; i++) row[i * stride + s->shift] = row[i * stride];
  return 0;
}

static int64_t store_row(const sweep *s, int64_t *row, int64_t from, int64_t at, int64_t count) {
  const mfft_pm_grid *grid = &s->sums->mesh->grid;
  const int add = s->sums->field->add;
  const int64_t stride = grid->stride[grid->own.order[2]], mean = s->sums->mean;
  const double *unit = s->sums->from;
  int64_t infinite = 0;
  if (s->sums->mesh->precision == MFFT_SINGLE) {
    float *out = (float *)s->sums->field->mesh + at;
    for (int64_t i = 0; i < count; i++) {
      const float value = (float)((double)(float)(row[i * from] - mean) * unit[0] * unit[1]);
      out[i * stride] = add ? out[i * stride] + value : value;
      infinite += !isfinite(value);
    }
  } else {
    double *out = (double *)s->sums->field->mesh + at; /* may be the memory of the sums */
    for (int64_t i = 0; i < count; i++) {
      int64_t sum;
      memcpy(&sum, row + i * from, sizeof sum);
      const double value = (double)(sum - mean) * unit[0] * unit[1], whole = add ? out[i * stride] + value : value;
      memcpy(out + i * stride, &whole, sizeof whole);
      infinite += !isfinite(value);
    }
  }
  return infinite;
}

mfft_status mfft_pm_sums_clear(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi) {
  sweep s = sweep_of(sums, clear_row, axis, lo, hi);
  return mfft_pm_run(sums->mesh->workers, CHUNKS, sweep_task, &s);
}

mfft_status mfft_pm_sums_move(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t to) {
  sweep s = sweep_of(sums, move_row, axis, lo, hi);
  s.shift = (to - lo) * sums->part.stride[axis];
  return mfft_pm_run(sums->mesh->workers, CHUNKS, sweep_task, &s);
}

mfft_status mfft_pm_sums_store(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t *infinite) {
  sweep s = sweep_of(sums, store_row, axis, lo, hi);
  MFFT_TRY(mfft_pm_run(sums->mesh->workers, CHUNKS, sweep_task, &s));
  for (int c = 0; c < CHUNKS; c++) *infinite += s.infinite[c];
  return MFFT_SUCCESS;
}
