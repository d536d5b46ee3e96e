/* signs.c: see signs.h. */
#include "signs.h"

#include <string.h>

#include "base/precision.h"

/* Multiplies `count` numbers from number `first` on, `step` apart, by -1. */
#define NEGATE(name, real)                                                             \
  static void negate_##name(void *array, int64_t first, int64_t step, int64_t count) { \
    real *number = (real *)array + first;                                              \
    for (int64_t i = 0; i < count; i++) number[i * step] = -number[i * step];          \
  }
NEGATE(double, double)
NEGATE(single, float)
NEGATE(long_double, long double)

static void negate(const mfft_dropin_shape *s, void *array, int64_t first, int64_t step, int64_t count) {
  static void (*const negate_of[])(void *, int64_t, int64_t, int64_t) = {
      [MFFT_DOUBLE] = negate_double, [MFFT_SINGLE] = negate_single, [MFFT_LONG_DOUBLE] = negate_long_double};
  negate_of[s->precision](array, first, step, count);
}

/* An array as rows along the axis that is the fastest in memory. */
typedef struct rows {
  int axes;                              /* number of the slower axes */
  int64_t extent[MFFT_DROPIN_MOST_AXES]; /* [axes] slow to fast */
  int64_t count, length;                 /* number of rows; elements of a row, in which a tuple counts as one */
  int64_t stride, tuple;                 /* distance of rows, and size of an element, in real numbers */
  int64_t start;                         /* sum of the indices of the first element of the array */
} rows;

static rows find_rows(const mfft_dropin_shape *s, mfft_side side, int rank, int shifted) {
  const int real = s->kind == MFFT_R2R || (s->kind == MFFT_R2C && side == MFFT_IN), last = s->rank - 1;
  int order[MFFT_DROPIN_MOST_AXES];
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  rows r = {.axes = last, .count = 1, .tuple = s->howmany * (real ? 1 : 2)};
  mfft_dropin_part(s, side, rank, lo, hi);
  mfft_dropin_mesh_order(&s->mesh, s->transposed[side], s->rank, order);
  for (int a = 0; a < s->rank; a++) r.start += lo[a] - (shifted ? s->n[a] / 2 : 0);
  for (int i = 0; i < last; i++) r.count *= r.extent[i] = hi[order[i]] - lo[order[i]];
  r.length = hi[order[last]] - lo[order[last]];
  const int padded = s->kind == MFFT_R2C && real && !s->packed;
  r.stride = (padded ? 2 * (s->n[last] / 2 + 1) : r.length) * r.tuple;
  return r;
}

/* The sum of the indices of row `i` on the slower axes, relative to the first element of the array. */
static int64_t sum_of_row(const rows *r, int64_t i) {
  int64_t sum = 0;
  for (int a = r->axes - 1; a >= 0; a--) {
    sum += i % r->extent[a];
    i /= r->extent[a];
  }
  return sum;
}

/* Multiplies each number by -1 to the power of the sum of its indices. */
static void alternate(const mfft_dropin_shape *s, mfft_side side, int rank, int shifted, void *array) {
  const rows r = find_rows(s, side, rank, shifted);
  for (int64_t i = 0; i < r.count && r.length; i++) {
    const int64_t odd = !((r.start + sum_of_row(&r, i)) & 1); /* index of the first element of the row that is negated */
    for (int64_t t = 0; t < r.tuple; t++)
      negate(s, array, i * r.stride + odd * r.tuple + t, 2 * r.tuple, (r.length - odd + 1) / 2);
  }
}

void mfft_dropin_apply_signs(const mfft_dropin_signs *signs, const mfft_dropin_shape *s, mfft_dropin_end end, mfft_side side,
                             int rank, void *array) {
  if (signs->conjugate && side == MFFT_OUT)
    negate(s, array, 1, 2, (int64_t)(mfft_dropin_bytes(s, side, rank) / (2 * mfft_real_bytes(s->precision))));
  const int first = end == MFFT_DROPIN_FROM;
  if (signs->shifted[first ? MFFT_DROPIN_TO : MFFT_DROPIN_FROM])
    alternate(s, side, rank, first && signs->shifted[end], array);
}
