/* residual.c: see residual.h. */
#include "poisson/residual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "base/wave_number.h"
#include "io/rows.h"
#include "mesh/window.h"

/* ---- The vectors ----------------------------------------------------------------------------------------------------- */

/* +1 or -1 as a function of the indices alone (base/splitmix.h), so that all ranks draw the same vectors. */
static double random_sign(uint64_t axis, uint64_t projection, uint64_t i) {
  const uint64_t state = (axis * MFFT_PROJECTIONS + projection + 1) * MFFT_SPLITMIX_STEP + i * UINT64_C(0xd1342543de82ef95);
  return mfft_splitmix(state) >> 63 ? 1 : -1;
}

/* Row 0 of the circulant matrix of the second derivative with a period of n cells of width h.  long double, since the terms
 * of products with it cancel. */
static void second_derivative(mfft_laplacian kind, int64_t n, double h, long double *row /* [n] */) {
  static const long double stencils[][3] = {
      [MFFT_LAPLACIAN_FD2] = {-2, 1, 0}, [MFFT_LAPLACIAN_FD4] = {-2.5L, 4 / 3.L, -1 / 12.L}};
  const long double pi = 3.14159265358979323846264338327950288L;
  for (int64_t j = 0; j < n; j++) row[j] = 0;
  if (kind != MFFT_LAPLACIAN_SPECTRAL) {
    for (int64_t d = -2; d <= 2; d++) row[((d % n) + n) % n] += stencils[kind][d < 0 ? -d : d] / ((long double)h * h);
    return;
  }
  long double unit = 2 * pi / ((long double)n * h), step = 2 * pi / (long double)n; /* unit of length: period / (2 pi) */
  row[0] = unit * unit * (-pi * pi / (3 * step * step) + (n % 2 ? 1 / 12.L : -1 / 6.L));
  for (int64_t j = 1; j < n; j++) {
    long double s = sinl(pi * (long double)j / (long double)n), odd = n % 2 ? cosl(pi * (long double)j / (long double)n) : 1;
    row[j] = unit * unit * (j % 2 ? 1 : -1) * odd / (2 * s * s);
  }
}

/* Row 0 of the circulant matrix of the filter, by the cosine sum of its symbol.  cosine: work array for cos(2 pi j / n). */
static void filter_row(const mfft_greens_spec *spec, int axis, double *cosine /* [n] */, long double *row /* [n] */) {
  const int64_t n = mfft_boundary_period(spec->boundary[axis], spec->n[axis]);
  double h = spec->length[axis] / (double)spec->n[axis], rs = mfft_greens_split_scale(spec);
  for (int64_t j = 0; j < n; j++) row[j] = j == 0 && mfft_greens_unfiltered(spec);
  if (mfft_greens_unfiltered(spec)) return;
  for (int64_t j = 0; j < n; j++) cosine[j] = cos(2 * MFFT_PI * (double)j / (double)n);
  for (int64_t m = 0; m < n; m++) {
    double symbol = mfft_symbol_split(m, n, h, rs) / pow(mfft_assignment_window(spec->window_order, m, n), spec->deconvolve);
    for (int64_t j = 0, phase = 0; j < n; j++, phase = phase + m < n ? phase + m : phase + m - n) /* phase = m j mod n */
      row[j] += symbol * cosine[phase] / (double)n;
  }
}

/* A symmetric circulant matrix, given by its row 0.  The terms of an element of L r are as large as the largest eigenvalue
 * and cancel.  Hence each number of the row is split into a multiple of a unit, so large that signed sums of such multiples
 * are exact in double, and a remainder, whose rounding error is far below that of a long double. */
typedef struct circulant {
  int64_t n;
  double *high, *low; /* [n] row 0: multiples of the unit, remainders */
  double *twice;      /* [2 n] work array: a vector, repeated once */
} circulant;

static void split_row(const long double *row /* [n] */, circulant *c) {
  long double most = 0; /* upper bound of a sum */
  for (int64_t j = 0; j < c->n; j++) most += fabsl(row[j]);
  const long double unit = most > 0 ? exp2l(ceill(log2l(most)) - 52) : 1;
  for (int64_t j = 0; j < c->n; j++) {
    c->high[j] = (double)(unit * roundl(row[j] / unit));
    c->low[j] = (double)(row[j] - (long double)c->high[j]);
  }
}

/* out = C in for a vector of signs over a whole period. */
static void multiply(const circulant *c, const double *in, double *out) {
  enum { FEW = 8 };
  const int64_t n = c->n;
  int64_t place[FEW], count = 0; /* indices and number of the nonzeros of the row: up to 5 for a stencil */
  for (int64_t j = 0; j < n && count <= FEW; j++)
    if (c->high[j] != 0 || c->low[j] != 0) {
      if (count < FEW) place[count] = j;
      count++;
    }
  memcpy(c->twice, in, (size_t)n * sizeof *in);
  memcpy(c->twice + n, in, (size_t)n * sizeof *in);
  for (int64_t i = 0; i < n; i++) {
    double high = 0, low = 0;
    for (int64_t k = 0; k < count && count <= FEW; k++) {
      high += c->high[place[k]] * c->twice[i + place[k]];
      low += c->low[place[k]] * c->twice[i + place[k]];
    }
    out[i] = count <= FEW ? high + low : mfft_row_dot(c->high, c->twice + i, n) + mfft_row_dot(c->low, c->twice + i, n);
  }
}

/* Makes the vectors of one axis: r, D r and F r. */
static mfft_status make_vectors(const mfft_greens_spec *spec, int axis, int64_t vectors, mfft_residual *residual) {
  const int sides = mfft_boundary_sign(spec->boundary[axis]);
  const int64_t n = residual->n[axis], period = mfft_boundary_period(spec->boundary[axis], n);
  const size_t bytes = (size_t)period * sizeof(double);
  long double *row = malloc((size_t)period * sizeof *row);
  circulant c = {period, malloc(bytes), malloc(bytes), malloc(2 * bytes)};
  double *in = malloc(bytes), *out = malloc(bytes); /* [period] a vector continued beyond the walls, and its product */
  const int there = row && c.high && c.low && c.twice && in && out;
  for (int filter = 0; filter < 2 && there; filter++) {
    if (filter)
      filter_row(spec, axis, c.twice, row);
    else
      second_derivative(spec->laplacian, period, spec->length[axis] / (double)n, row);
    split_row(row, &c);
    for (int64_t p = 0; p < vectors; p++) {
      double *sign = residual->sign[axis] + p * n;
      for (int64_t i = 0; i < n && !filter; i++) sign[i] = random_sign((uint64_t)axis, (uint64_t)p, (uint64_t)i);
      for (int64_t i = 0; i < period; i++) in[i] = i < n ? sign[i] : sides * sign[period - 1 - i];
      multiply(&c, in, out);
      memcpy((filter ? residual->filter : residual->second)[axis] + p * n, out, (size_t)n * sizeof *out);
    }
  }
  free(out);
  free(in);
  free(c.twice);
  free(c.low);
  free(c.high);
  free(row);
  return there ? MFFT_SUCCESS : MFFT_ERR_MEMORY;
}

int64_t mfft_residual_longest(const mfft_greens_spec *spec) {
  const int dense = spec->laplacian == MFFT_LAPLACIAN_SPECTRAL || !mfft_greens_unfiltered(spec);
  return dense ? 1 << 16 : INT64_MAX;
}

mfft_status mfft_residual_create(const mfft_greens_spec *spec, mfft_residual *residual) {
  memset(residual, 0, sizeof *residual);
  for (int a = 0; a < 3; a++) {
    int64_t n = spec->n[a];
    int64_t vectors = a == 2 ? MFFT_ROW_VECTORS : MFFT_PROJECTIONS;
    size_t bytes = (size_t)(n * vectors) * sizeof(double);
    residual->n[a] = n;
    residual->sign[a] = malloc(bytes);
    residual->second[a] = malloc(bytes);
    residual->filter[a] = malloc(bytes);
    int there = residual->sign[a] && residual->second[a] && residual->filter[a];
    if (!there || make_vectors(spec, a, vectors, residual) != MFFT_SUCCESS) {
      mfft_residual_destroy(residual);
      return MFFT_ERR_MEMORY;
    }
  }
  return MFFT_SUCCESS;
}

void mfft_residual_destroy(mfft_residual *residual) {
  for (int a = 0; a < 3; a++) {
    free(residual->sign[a]);
    free(residual->second[a]);
    free(residual->filter[a]);
  }
  memset(residual, 0, sizeof *residual);
}

/* ---- Projections ----------------------------------------------------------------------------------------------------- */

static void add(mfft_projection *s, int64_t p, double x) { mfft_exact_add(&s->sum[p], &x, 1); }

void mfft_projection_merge(mfft_projection *s, const mfft_projection *other) {
  for (int p = 0; p < MFFT_PROJECTIONS; p++) mfft_exact_merge(&s->sum[p], &other->sum[p]);
}

void mfft_projection_gather(mfft_projection *s) {
  for (int p = 0; p < MFFT_PROJECTIONS; p++) mfft_exact_gather(&s->sum[p]);
}

double mfft_projection_value(const mfft_projection *s, int p) { return mfft_exact_value(&s->sum[p], NULL); }

static void add_filter(const mfft_residual *residual, int64_t x, int64_t y, const double *product, mfft_projection *share) {
  const int64_t *n = residual->n;
  for (int64_t p = 0; p < MFFT_PROJECTIONS; p++)
    add(share, p, residual->filter[0][p * n[0] + x] * residual->filter[1][p * n[1] + y] * product[p % MFFT_ROW_VECTORS]);
}

static void add_laplacian(const mfft_residual *residual, int64_t x, int64_t y, const double *product,
                          mfft_projection *share) {
  const int64_t *n = residual->n;
  const double *plain = product, *second = product + MFFT_ROW_VECTORS;
  for (int64_t p = 0; p < MFFT_PROJECTIONS; p++) {
    double rx = residual->sign[0][p * n[0] + x], ry = residual->sign[1][p * n[1] + y];
    double dx = residual->second[0][p * n[0] + x], dy = residual->second[1][p * n[1] + y];
    add(share, p, (dx * ry + rx * dy) * plain[p % MFFT_ROW_VECTORS]);
    add(share, p, rx * ry * second[p % MFFT_ROW_VECTORS]);
  }
}

void mfft_residual_add(const mfft_residual *residual, mfft_residual_operator applied, int64_t x, int64_t y,
                       const double *product, mfft_projection *projection) {
  (applied == MFFT_RESIDUAL_FILTER ? add_filter : add_laplacian)(residual, x, y, product, projection);
}

int mfft_residual_vectors(const mfft_residual *residual, mfft_residual_operator applied,
                          const double *vector[MFFT_RESIDUAL_VECTORS]) {
  const double *const first[] = {applied == MFFT_RESIDUAL_FILTER ? residual->filter[2] : residual->sign[2],
                                 residual->second[2]};
  const int vectors = applied == MFFT_RESIDUAL_FILTER ? MFFT_ROW_VECTORS : MFFT_RESIDUAL_VECTORS;
  for (int v = 0; v < vectors; v++) vector[v] = first[v / MFFT_ROW_VECTORS] + v % MFFT_ROW_VECTORS * residual->n[2];
  return vectors;
}

mfft_status mfft_residual_project(const mfft_residual *residual, mfft_residual_operator applied, const mfft_box *box,
                                  mfft_precision precision, const void *array, mfft_projection *projection) {
  const double *vector[MFFT_RESIDUAL_VECTORS];
  double product[MFFT_RESIDUAL_VECTORS];
  const int vectors = mfft_residual_vectors(residual, applied, vector);
  for (int v = 0; v < vectors; v++) vector[v] += box->lo[2];
  int64_t count = box->hi[2] > box->lo[2] ? box->hi[2] - box->lo[2] : 0, first = 0;
  double *row = malloc((size_t)(count + 1) * sizeof(double));
  if (!row) return MFFT_ERR_MEMORY;
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++, first += count) {
      mfft_row_load(precision, array, first, count, row);
      mfft_row_products(row, vector, vectors, count, product);
      mfft_residual_add(residual, applied, x, y, product, projection);
    }
  free(row);
  return MFFT_SUCCESS;
}
