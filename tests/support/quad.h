/* quad.h: truth for transforms in long double: the sums of mfft.h and mfft_kind.h, term by term, in __float128 where the
 * compiler has it, else in long double, which then is as wide or its test bound is only as good.
 *
 * test_truth_by = quad_truth makes it the truth of transform.h. */
#ifndef MFFT_TESTS_QUAD_H
#define MFFT_TESTS_QUAD_H

#include "transform.h"

#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad;
#else
typedef long double quad;
#endif

typedef struct quad_complex {
  quad re, im;
} quad_complex;

/* exp(2 pi i m / order) for 0 <= m < order, by Taylor's series of an angle reduced to an eighth of a turn. */
static inline quad_complex quad_root(int64_t m, int64_t order) {
  const quad half_pi = (quad)0x1.921fb54442d18p0 + (quad)0x1.1a62633145c07p-54 - (quad)0x1.f1976b7ed8fbcp-110;
  const int64_t quarter = (int64_t)(((__int128)8 * m / order + 1) / 2);
  const quad angle = half_pi * (quad)((__int128)4 * m - (__int128)quarter * order) / (quad)order;
  quad_complex sum = {0, 0};
  quad term = 1;
  for (int k = 0; k < 32; k++) { /* (pi/4)^32 / 32! < 2^-128 */
    const quad part = k % 4 < 2 ? term : -term;
    if (k % 2)
      sum.im += part;
    else
      sum.re += part;
    term *= angle / (quad)(k + 1);
  }
  const quad_complex turned[4] = {{sum.re, sum.im}, {-sum.im, sum.re}, {-sum.re, -sum.im}, {sum.im, -sum.re}};
  return turned[quarter % 4];
}

/* The terms of a kind: weight x[j] f(2 pi (j_by j + j_add) (k_by k + k_add) / (order_by (n + longer))), f the cosine or the
 * sine; the weight is 2, but 1 at the ends that are named. */
typedef struct quad_kind {
  int j_by, j_add, k_by, k_add, order_by, longer, sine, first_once, last_once;
} quad_kind;
static const quad_kind quad_kinds[] = {
    [MFFT_DCT1] = {1, 0, 1, 0, 2, -1, 0, 1, 1}, [MFFT_DCT2] = {2, 1, 1, 0, 4, 0, 0, 0, 0},
    [MFFT_DCT3] = {1, 0, 2, 1, 4, 0, 0, 1, 0},  [MFFT_DCT4] = {2, 1, 2, 1, 8, 0, 0, 0, 0},
    [MFFT_DST1] = {1, 1, 1, 1, 2, 1, 1, 0, 0},  [MFFT_DST2] = {2, 1, 1, 1, 4, 0, 1, 0, 0},
    [MFFT_DST3] = {1, 1, 2, 1, 4, 0, 1, 0, 1},  [MFFT_DST4] = {2, 1, 2, 1, 8, 0, 1, 0, 0}};

/* One line of cosines or sines, or of a DFT with this sign; real: the imaginary parts are 0. */
static inline void quad_line(mfft_axis_kind kind, int sign, int64_t n, int real, const quad_complex *root, int64_t order,
                             const quad_complex *x, quad_complex *y) {
  const quad_kind *q = &quad_kinds[kind];
  for (int64_t k = 0; k < n; k++) {
    quad_complex sum = {0, 0};
    for (int64_t j = 0; j < n; j++) {
      if (kind == MFFT_DFT) {
        const quad_complex w = root[j * k % order];
        sum.re += x[j].re * w.re;
        sum.im += sign * x[j].re * w.im;
        if (real) continue;
        sum.re -= sign * x[j].im * w.im;
        sum.im += x[j].im * w.re;
        continue;
      }
      const quad_complex w = root[(q->j_by * j + q->j_add) * (q->k_by * k + q->k_add) % order];
      const int weight = (q->first_once && j == 0) || (q->last_once && j == n - 1) ? 1 : 2;
      sum.re += weight * x[j].re * (q->sine ? w.im : w.re);
      if (!real) sum.im += weight * x[j].im * (q->sine ? w.im : w.re);
    }
    y[k] = sum;
  }
}

/* Transforms axis a of a packed array [n[0]][n[1]][n[2]] in place. */
static inline void quad_axis(mfft_axis_kind kind, int sign, const int64_t n[3], int a, int real, quad_complex *x) {
  const quad_kind *q = &quad_kinds[kind];
  const int64_t length = n[a], order = kind == MFFT_DFT ? length : q->order_by * (length + q->longer);
  int64_t outer = 1, inner = 1;
  for (int b = 0; b < a; b++) outer *= n[b];
  for (int b = a + 1; b < 3; b++) inner *= n[b];
  quad_complex *root = malloc((size_t)order * sizeof *root), *line = malloc((size_t)(2 * length) * sizeof *line);
  for (int64_t m = 0; m < order; m++) root[m] = quad_root(m, order);
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < inner; i++) {
      for (int64_t j = 0; j < length; j++) line[j] = x[(o * length + j) * inner + i];
      quad_line(kind, sign, length, real, root, order, line, line + length);
      for (int64_t j = 0; j < length; j++) x[(o * length + j) * inner + i] = line[length + j];
    }
  free(root);
  free(line);
}

/* Completes the lines of a halved axis by symmetry, in an array that has space for whole ones; the imaginary parts of X[0]
 * and X[n/2] do not count. */
static inline void quad_complete(const int64_t n[3], int a, quad_complex *x) {
  int64_t outer = 1, inner = 1;
  for (int b = 0; b < a; b++) outer *= n[b];
  for (int b = a + 1; b < 3; b++) inner *= n[b];
  for (int64_t o = 0; o < outer; o++)
    for (int64_t i = 0; i < inner; i++) {
      quad_complex *line = x + o * n[a] * inner + i;
      line[0].im = 0;
      if (n[a] % 2 == 0) line[n[a] / 2 * inner].im = 0;
      for (int64_t j = n[a] / 2 + 1; j < n[a]; j++)
        line[j * inner] = (quad_complex){line[(n[a] - j) * inner].re, -line[(n[a] - j) * inner].im};
    }
}

static inline void quad_truth(const mfft_desc *d, mfft_direction direction, const test_layout *from, const test_layout *to,
                              long double *in, long double *out) {
  static const mfft_axis_kind inverse[] = {MFFT_DFT,  MFFT_DCT1, MFFT_DCT3, MFFT_DCT2, MFFT_DCT4,
                                           MFFT_DST1, MFFT_DST3, MFFT_DST2, MFFT_DST4};
  const int halved = d->kind == MFFT_R2C ? test_halved_axis(d) : -1, sign = direction == MFFT_FORWARD ? -1 : 1;
  int64_t n[3] = {1, 1, 1};
  for (int a = 0; a < d->rank; a++) n[a] = d->n[a];
  quad_complex *x = malloc((size_t)(n[0] * n[1] * n[2]) * sizeof *x);
  for (int64_t b = 0; b < from->batch; b++) {
    int real = d->kind == MFFT_R2R || (halved >= 0 && direction == MFFT_FORWARD);
    memset(x, 0, (size_t)(n[0] * n[1] * n[2]) * sizeof *x);
#define QUAD_EACH(v, i, j, k)               \
  for (int64_t i = 0; i < (v)->n[0]; i++)   \
    for (int64_t j = 0; j < (v)->n[1]; j++) \
      for (int64_t k = 0; k < (v)->n[2]; k++)
    QUAD_EACH(from, i, j, k) {
      const long double *z =
          in + from->parts * (b * from->dist + i * from->stride[0] + j * from->stride[1] + k * from->stride[2]);
      x[(i * n[1] + j) * n[2] + k] = (quad_complex){z[0], from->parts == 2 ? z[1] : 0};
    }
    for (int step = 0; step < 2; step++) /* the halved axis last, as a C2R transform has it */
      for (int a = 0; a < d->rank; a++) {
        if (!(test_axes(d) >> a & 1) || (a == halved) != step) continue;
        if (a == halved && direction == MFFT_BACKWARD) quad_complete(n, a, x);
        const mfft_axis_kind kind = direction == MFFT_FORWARD ? d->axis_kind[a] : inverse[d->axis_kind[a]];
        quad_axis(kind, sign, n, a, real, x);
        real &= kind != MFFT_DFT;
      }
    QUAD_EACH(to, i, j, k) {
      long double *z = out + to->parts * (b * to->dist + i * to->stride[0] + j * to->stride[1] + k * to->stride[2]);
      z[0] = (long double)x[(i * n[1] + j) * n[2] + k].re;
      if (to->parts == 2) z[1] = (long double)x[(i * n[1] + j) * n[2] + k].im;
    }
  }
  free(x);
}

#endif
