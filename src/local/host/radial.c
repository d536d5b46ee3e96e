/* radial.c: multiplies a spectrum by a function of |k| (mfft_radial in mfft_spectrum.h).  As in filter.c, a value is
 * computed once for all arrays of a batch. */
#include <math.h>

#include "base/normal.h"
#include "base/precision.h"
#include "base/vectors.h"
#include "base/workers.h"
#include "local/host/filter.h"
#include "local/host/host.h"

enum { RUN = 512 };

typedef struct product {
  const mfft_radial_product *r;
  mfft_precision precision;
  const char *in;
  char *out;
  int axis[3];     /* [loop] axes in descending order of strides */
  int64_t rows;    /* rows of a task */
  int64_t element; /* bytes of an element */
} product;

/* Computes the values of a run of adjacent elements by cubic interpolation in the table.  square: [count] (r / lo)^2 of the
 * axis along which the run goes; others: the sum of those of the other axes. */
MFFT_VECTOR_LOOP void find_values_loop(const mfft_radial_product *r, int64_t count, double others, const double *square,
                                       double *value) {
  const double last = (double)(r->count - 1);
  const double highest = (double)(r->count - 3); /* largest index of the second of the four nodes; the least is 1 */
  double place[RUN];                             /* [element of a run] position in the table, in entries */
  double step[RUN];    /* [element of a run] distance of that position from the second of the four nodes */
  double node[4][RUN]; /* [node][element of a run] values of the table at the steps -1, 0, 1, 2 */
  int32_t second[RUN]; /* [element of a run] index of the second node */
  for (int64_t i = 0; i < count; i++) {
    const double sum = others + square[i];
    double at = r->per_log * mfft_normal_log(sum > 0 ? sum : 1);
    at = at < 0 ? 0 : at;
    place[i] = at > last ? last : at;
  }
  for (int64_t i = 0; i < count; i++) {
    double at = place[i];
    at = at < 1 ? 1 : at;
    at = at > highest ? highest : at;
    second[i] = (int32_t)at;
    step[i] = place[i] - (double)second[i];
  }
  for (int64_t i = 0; i < count; i++)
    for (int j = 0; j < 4; j++) node[j][i] = r->value[second[i] - 1 + j];
  for (int64_t i = 0; i < count; i++) {
    const double u = step[i];
    value[i] = -u * (u - 1) * (u - 2) * (1 / 6.) * node[0][i] + (u + 1) * (u - 1) * (u - 2) * 0.5 * node[1][i] -
               (u + 1) * u * (u - 2) * 0.5 * node[2][i] + (u + 1) * u * (u - 1) * (1 / 6.) * node[3][i];
  }
  for (int64_t i = 0; i < count && others == 0; i++)
    if (square[i] == 0) value[i] = r->at_zero;
}

MFFT_VECTORS(void, find_values,
             (const mfft_radial_product *r, int64_t count, double others, const double *square, double *value),
             (r, count, others, square, value))

/* Multiplies the rows of a task, which go along the innermost axis. */
static mfft_status multiply_task(void *context, int64_t task, int worker) {
  (void)worker;
  const product *p = context;
  const mfft_filter_shape *s = &p->r->shape;
  const int u = p->axis[0], v = p->axis[1], w = p->axis[2];
  const double *su = p->r->square + s->table[u], *sv = p->r->square + s->table[v], *sw = p->r->square + s->table[w];
  const int64_t count = s->n[w + 1], stride = s->stride[w + 1], all = s->n[u + 1] * s->n[v + 1];
  double value[RUN]; /* [RUN] values of the elements of a run */
  for (int64_t row = task * p->rows; row < (task + 1) * p->rows && row < all; row++) {
    const int64_t i = row / s->n[v + 1], j = row % s->n[v + 1];
    for (int64_t k = 0; k < count; k += RUN) {
      const int64_t run = count - k < RUN ? count - k : RUN;
      find_values(p->r, run, su[i] + sv[j], sw + k, value);
      for (int64_t b = 0; b < s->n[0]; b++) {
        const int64_t at = (b * s->stride[0] + i * s->stride[u + 1] + j * s->stride[v + 1] + k * stride) * p->element;
        mfft_host_multiply(p->precision, run, stride, value, p->in + at, p->out + at);
      }
    }
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_host_radial(mfft_precision precision, const mfft_radial_product *r, const void *in, void *out,
                             void *stream) {
  (void)stream;
  product p = {.r = r, .precision = precision, .in = in, .out = out, .element = 2 * (int64_t)mfft_real_bytes(precision)};
  mfft_host_sort_axes(&r->shape, p.axis);
  const int64_t rows = r->shape.n[p.axis[0] + 1] * r->shape.n[p.axis[1] + 1], count = r->shape.n[p.axis[2] + 1];
  if (!rows || !count || !r->shape.n[0]) return MFFT_SUCCESS;
  p.rows = 1 + (1 << 15) / count;
  mfft_workers workers = mfft_workers_create(r->threads);
  const mfft_status status = mfft_workers_run(workers, (rows + p.rows - 1) / p.rows, multiply_task, &p);
  mfft_workers_destroy(workers);
  return status;
}
