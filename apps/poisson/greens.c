/* greens.c: see greens.h. */
#include "poisson/greens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wave_number.h"
#include "io/rows.h"
#include "mesh/window.h"
#include "mfft_spectrum.h"

/* ---- Symbols of one axis --------------------------------------------------------------------------------------------- */

double mfft_symbol_laplacian(mfft_laplacian kind, int64_t m, int64_t n, double h) {
  static const int order[] = {[MFFT_LAPLACIAN_SPECTRAL] = 0, [MFFT_LAPLACIAN_FD2] = 2, [MFFT_LAPLACIAN_FD4] = 4};
  return mfft_second_symbol(order[kind], m, n, h);
}

double mfft_symbol_gradient(mfft_gradient kind, int64_t m, int64_t n, double h) {
  return kind == MFFT_GRADIENT_NONE ? 0 : mfft_first_symbol(kind == MFFT_GRADIENT_SPECTRAL ? 0 : 4, m, n, h);
}

double mfft_symbol_split(int64_t m, int64_t n, double h, double rs) {
  const double k_rs = mfft_angular_wave_number(m, n, h) * rs;
  return exp(-k_rs * k_rs);
}

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

double mfft_greens_split_scale(const mfft_greens_spec *spec) {
  double widest = 0;
  for (int a = 0; a < 3; a++) widest = fmax(widest, spec->length[a] / (double)spec->n[a]);
  return spec->asmth * widest;
}

int mfft_greens_unfiltered(const mfft_greens_spec *spec) { return spec->deconvolve == 0 && spec->asmth == 0; }

/* Laplacian and filter of one axis, by the index of the basis of a boundary condition. */
static void fill_basis(const mfft_greens_spec *spec, int axis, mfft_boundary boundary, double *laplacian /* [n] */,
                       double *filter /* [n] */) {
  const int64_t n = spec->n[axis], period = mfft_boundary_period(boundary, n);
  const double h = spec->length[axis] / (double)n, rs = mfft_greens_split_scale(spec);
  for (int64_t i = 0; i < n; i++) {
    const int64_t m = mfft_boundary_mode(boundary, i);
    const double window = pow(mfft_assignment_window(spec->window_order, m, period), spec->deconvolve);
    laplacian[i] = mfft_symbol_laplacian(spec->laplacian, m, period, h);
    filter[i] = mfft_symbol_split(m, period, h, rs) / window;
  }
}

/* The tables of the force along an axis. */
static void fill_force(const mfft_greens_spec *spec, int axis, mfft_greens *greens) {
  const mfft_boundary boundary = mfft_boundary_derivative(spec->boundary[axis]);
  const int64_t n = spec->n[axis], period = mfft_boundary_period(boundary, n);
  const double h = spec->length[axis] / (double)n;
  fill_basis(spec, axis, boundary, greens->along[axis], greens->force[axis]);
  for (int64_t i = 0; i < n; i++)
    greens->force[axis][i] *= mfft_symbol_gradient(spec->gradient, mfft_boundary_mode(boundary, i), period, h);
  greens->quarter_turns[axis] = mfft_boundary_quarter_turns(spec->boundary[axis]);
}

mfft_status mfft_greens_create(const mfft_greens_spec *spec, mfft_greens *greens) {
  memset(greens, 0, sizeof *greens);
  for (int a = 0; a < 3; a++) {
    const size_t bytes = (size_t)spec->n[a] * sizeof(double);
    double **const table[] = {&greens->laplacian[a], &greens->filter[a], &greens->force[a], &greens->along[a]};
    greens->n[a] = spec->n[a];
    for (int t = 0; t < (spec->gradient ? 4 : 2); t++)
      if (!(*table[t] = malloc(bytes))) {
        mfft_greens_destroy(greens);
        return MFFT_ERR_MEMORY;
      }
    fill_basis(spec, a, spec->boundary[a], greens->laplacian[a], greens->filter[a]);
    if (spec->gradient) fill_force(spec, a, greens);
  }
  return MFFT_SUCCESS;
}

void mfft_greens_destroy(mfft_greens *greens) {
  for (int a = 0; a < 3; a++) {
    free(greens->laplacian[a]);
    free(greens->along[a]);
    free(greens->force[a]);
    free(greens->filter[a]);
  }
  memset(greens, 0, sizeof *greens);
}

/* ---- Filters of the outputs ------------------------------------------------------------------------------------------ */

mfft_filter mfft_greens_filter(const mfft_greens *greens, int axis, double factor) {
  mfft_filter filter;
  mfft_filter_init(&filter);
  for (int a = 0; a < 3; a++) {
    filter.factor[a] = a == axis ? greens->force[a] : greens->filter[a];
    filter.divisor[a] = a == axis ? greens->along[a] : greens->laplacian[a];
  }
  filter.scale = axis < 0 ? -factor : factor; /* force = -gradient(phi): -i^quarter_turns g times -c F / S */
  filter.quarter_turns = axis < 0 ? 0 : greens->quarter_turns[axis];
  return filter;
}

mfft_status mfft_greens_power(const mfft_greens *greens, const mfft_box *box, mfft_precision precision, const void *in,
                              double power[4]) {
  int64_t count = box->hi[2] > box->lo[2] ? box->hi[2] - box->lo[2] : 0, first = 0, nz = greens->n[2];
  int outputs = greens->force[0] ? 4 : 1;
  double *mode = malloc((size_t)(2 * count + 1) * sizeof(double));
  if (!mode) return MFFT_ERR_MEMORY;
  const double *lz = greens->laplacian[2];
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++, first += 2 * count) {
      mfft_row_load(precision, in, first, 2 * count, mode);
      double laplacian = greens->laplacian[0][x] + greens->laplacian[1][y], phi = 0, along = 0;
      for (int64_t i = 0; i < count; i++) {
        int64_t z = box->lo[2] + i;
        if (x == 0 && y == 0 && z == 0) continue; /* the mean */
        double square = mode[2 * i] * mode[2 * i] + mode[2 * i + 1] * mode[2 * i + 1], sum = laplacian + lz[z];
        square *= (z == 0 || 2 * z == nz ? 1 : 2) / (sum * sum);
        phi += square * greens->filter[2][z] * greens->filter[2][z];
        if (outputs > 1) along += square * greens->force[2][z] * greens->force[2][z];
      }
      double fx = greens->filter[0][x], fy = greens->filter[1][y];
      power[0] += fx * fx * fy * fy * phi;
      if (outputs == 1) continue;
      double gx = greens->force[0][x], gy = greens->force[1][y];
      power[1] += gx * gx * fy * fy * phi;
      power[2] += fx * fx * gy * gy * phi;
      power[3] += fx * fx * fy * fy * along;
    }
  free(mode);
  return MFFT_SUCCESS;
}
