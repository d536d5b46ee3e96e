#include "residual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

/* ---- The vectors ----------------------------------------------------------------------------------------------------- */

/* +1 or -1 from the place alone (the mixing steps of splitmix64), so that every rank draws the same. */
static double random_sign(uint64_t axis, uint64_t projection, uint64_t i) {
  uint64_t z = (axis * MFFT_PROJECTIONS + projection + 1) * 0x9e3779b97f4a7c15u + i * 0xd1342543de82ef95u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z ^ (z >> 31)) >> 63 ? 1 : -1;
}

/* Row 0 of the matrix of the second derivative with period n cells of width h, by distance.  In long double, as all of this
 * part: the terms of a row of L r are as large as the largest eigenvalue and cancel. */
static void second_derivative(mfft_laplacian kind, int64_t n, double h, long double *row /* [n] */) {
  static const long double stencils[][3] = {
      [MFFT_LAPLACIAN_FD2] = {-2, 1, 0}, [MFFT_LAPLACIAN_FD4] = {-2.5L, 4 / 3.L, -1 / 12.L}};
  const long double pi = 3.14159265358979323846264338327950288L;
  for (int64_t j = 0; j < n; j++) row[j] = 0;
  if (kind != MFFT_LAPLACIAN_SPECTRAL) {
    for (int64_t d = -2; d <= 2; d++) row[((d % n) + n) % n] += stencils[kind][d < 0 ? -d : d] / ((long double)h * h);
    return;
  }
  long double unit = 2 * pi / ((long double)n * h), step = 2 * pi / (long double)n; /* lengths in units of period / (2 pi) */
  row[0] = unit * unit * (-pi * pi / (3 * step * step) + (n % 2 ? 1 / 12.L : -1 / 6.L));
  for (int64_t j = 1; j < n; j++) {
    long double s = sinl(pi * (long double)j / (long double)n), odd = n % 2 ? cosl(pi * (long double)j / (long double)n) : 1;
    row[j] = unit * unit * (j % 2 ? 1 : -1) * odd / (2 * s * s);
  }
}

/* Row 0 of the matrix of the filter, by the cosine sum of its symbol. */
static void filter_row(const mfft_greens_spec *spec, int axis, long double *row /* [n] */) {
  int64_t n = spec->n[axis];
  double h = spec->length[axis] / (double)n, rs = mfft_greens_split_scale(spec);
  for (int64_t j = 0; j < n; j++) row[j] = j == 0 && mfft_greens_unfiltered(spec);
  if (mfft_greens_unfiltered(spec)) return;
  for (int64_t m = 0; m < n; m++) {
    double symbol = mfft_symbol_split(m, n, h, rs) / pow(mfft_symbol_window(spec->window_order, m, n), spec->deconvolve);
    for (int64_t j = 0; j < n; j++) row[j] += symbol * cos(2 * MFFT_PI * (double)(m * j % n) / (double)n) / (double)n;
  }
}

/* out = C in for the symmetric circulant matrix C whose row 0 is given. */
static void circulant(const long double *row, int64_t n, const double *in, double *out) {
  for (int64_t i = 0; i < n; i++) {
    long double sum = 0;
    for (int64_t j = 0; j < n; j++)
      if (row[j] != 0) sum += row[j] * in[i + j < n ? i + j : i + j - n];
    out[i] = (double)sum;
  }
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
    long double *row = malloc(2 * (size_t)n * sizeof(long double));
    if (!residual->sign[a] || !residual->second[a] || !residual->filter[a] || !row) {
      free(row);
      mfft_residual_destroy(residual);
      return MFFT_ERR_MEMORY;
    }
    second_derivative(spec->laplacian, n, spec->length[a] / (double)n, row);
    filter_row(spec, a, row + n);
    for (int64_t p = 0; p < vectors; p++) {
      double *sign = residual->sign[a] + p * n;
      for (int64_t i = 0; i < n; i++) sign[i] = random_sign((uint64_t)a, (uint64_t)p, (uint64_t)i);
      circulant(row, n, sign, residual->second[a] + p * n);
      circulant(row + n, n, sign, residual->filter[a] + p * n);
    }
    free(row);
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

static double dot(const double *a, const double *b, int64_t count) {
  double lane[4] = {0, 0, 0, 0}; /* four sums, so that the compiler may use vectors */
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (int l = 0; l < 4; l++) lane[l] += a[i + l] * b[i + l];
  for (; i < count; i++) lane[0] += a[i] * b[i];
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static void add(mfft_projection *s, int64_t p, double x) {
  double sum = s->sum[p] + x;
  s->lost[p] += fabs(s->sum[p]) >= fabs(x) ? (s->sum[p] - sum) + x : (x - sum) + s->sum[p];
  s->sum[p] = sum;
}

double mfft_projection_share(const mfft_projection *s, int p) { return s->sum[p] + s->lost[p]; }

/* One row of the array at (x, y), from z_lo on: adds its part of each projection. */
typedef void row_projector(const mfft_residual *residual, int64_t x, int64_t y, int64_t z_lo, const double *row,
                           int64_t count, mfft_projection *share);

static void project_filter(const mfft_residual *residual, int64_t x, int64_t y, int64_t z_lo, const double *row,
                           int64_t count, mfft_projection *share) {
  const int64_t *n = residual->n;
  double filtered[MFFT_ROW_VECTORS];
  for (int64_t v = 0; v < MFFT_ROW_VECTORS; v++) filtered[v] = dot(row, residual->filter[2] + v * n[2] + z_lo, count);
  for (int64_t p = 0; p < MFFT_PROJECTIONS; p++)
    add(share, p, residual->filter[0][p * n[0] + x] * residual->filter[1][p * n[1] + y] * filtered[p % MFFT_ROW_VECTORS]);
}

static void project_laplacian(const mfft_residual *residual, int64_t x, int64_t y, int64_t z_lo, const double *row,
                              int64_t count, mfft_projection *share) {
  const int64_t *n = residual->n;
  double plain[MFFT_ROW_VECTORS], second[MFFT_ROW_VECTORS];
  for (int64_t v = 0; v < MFFT_ROW_VECTORS; v++) {
    plain[v] = dot(row, residual->sign[2] + v * n[2] + z_lo, count);
    second[v] = dot(row, residual->second[2] + v * n[2] + z_lo, count);
  }
  for (int64_t p = 0; p < MFFT_PROJECTIONS; p++) {
    double rx = residual->sign[0][p * n[0] + x], ry = residual->sign[1][p * n[1] + y];
    double dx = residual->second[0][p * n[0] + x], dy = residual->second[1][p * n[1] + y];
    add(share, p, (dx * ry + rx * dy) * plain[p % MFFT_ROW_VECTORS]);
    add(share, p, rx * ry * second[p % MFFT_ROW_VECTORS]);
  }
}

static mfft_status project(const mfft_residual *residual, const mfft_box *box, mfft_precision precision, const void *array,
                           row_projector *projector, mfft_projection *share) {
  int64_t count = box->hi[2] > box->lo[2] ? box->hi[2] - box->lo[2] : 0, first = 0;
  double *row = malloc((size_t)(count + 1) * sizeof(double));
  if (!row) return MFFT_ERR_MEMORY;
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++, first += count) {
      mfft_row_load(precision, array, first, count, row);
      projector(residual, x, y, box->lo[2], row, count, share);
    }
  free(row);
  return MFFT_SUCCESS;
}

mfft_status mfft_residual_filter(const mfft_residual *residual, const mfft_box *box, mfft_precision precision,
                                 const void *array, mfft_projection *projection) {
  return project(residual, box, precision, array, project_filter, projection);
}

mfft_status mfft_residual_laplacian(const mfft_residual *residual, const mfft_box *box, mfft_precision precision,
                                    const void *array, mfft_projection *projection) {
  return project(residual, box, precision, array, project_laplacian, projection);
}
