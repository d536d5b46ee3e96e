/* bins.c: see bins.h. */
#include "power/bins.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/collective.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

static const double tolerance = 1e-12; /* relative; many times the rounding error of |k| and of an edge */

mfft_status mfft_bins_create(int count, int logarithmic, double k_min, double width, mfft_bins *bins) {
  memset(bins, 0, sizeof *bins);
  bins->count = count;
  bins->logarithmic = logarithmic;
  bins->edge = calloc((size_t)count + 1, sizeof *bins->edge);
  bins->modes = calloc((size_t)count, sizeof *bins->modes);
  bins->k = calloc((size_t)count, sizeof *bins->k);
  bins->power = calloc((size_t)count, sizeof *bins->power);
  if (!bins->edge || !bins->modes || !bins->k || !bins->power)
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %d bins; use fewer", count);
  for (int b = 0; b <= count; b++) bins->edge[b] = logarithmic ? k_min * exp(b * width) : k_min + b * width;
  return MFFT_SUCCESS;
}

mfft_status mfft_bins_extend(mfft_bins *bins, const int *ell, int poles, int cross) {
  int enough = 1;
  for (int i = 0; i < poles; i++) {
    bins->ell[i] = ell[i];
    bins->pole[i] = calloc((size_t)bins->count, sizeof *bins->pole[i]);
    enough &= bins->pole[i] != NULL;
  }
  bins->poles = poles;
  for (int i = 0; i < 2 && cross; i++) {
    bins->own[i] = calloc((size_t)bins->count, sizeof *bins->own[i]);
    enough &= bins->own[i] != NULL;
  }
  return enough ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %d bins; use fewer", bins->count);
}

void mfft_bins_destroy(mfft_bins *bins) {
  free(bins->edge);
  free(bins->modes);
  free(bins->k);
  free(bins->power);
  for (int i = 0; i < MFFT_POLES_MOST; i++) free(bins->pole[i]);
  for (int i = 0; i < 2; i++) free(bins->own[i]);
  memset(bins, 0, sizeof *bins);
}

/* ---- Sums over modes ------------------------------------------------------------------------------------------------- */

static mfft_status invert_window(const mfft_mesh *mesh, int axis, mfft_compensation compensation, int order,
                                 double **inverse) {
  const int64_t n = mesh->n[axis], length = axis == 2 ? n / 2 + 1 : n;
  const mfft_status status = mfft_app_alloc(length, sizeof(double), "window tables", (void **)inverse);
  for (int64_t i = 0; status == MFFT_SUCCESS && i < length; i++)
    (*inverse)[i] = 1 / mfft_window_power(compensation, order, mfft_signed_mode(i, n), n);
  return status;
}

mfft_status mfft_bin_tables_create(const mfft_mesh *mesh, const mfft_bins *bins, mfft_compensation compensation, int order,
                                   mfft_bin_tables *t) {
  memset(t, 0, sizeof *t);
  mfft_status status = mfft_app_alloc(bins->count + 1, sizeof(double), "the edges of bins", (void **)&t->edge);
  for (int b = 0; b <= bins->count && status == MFFT_SUCCESS; b++) t->edge[b] = bins->edge[b] / (1 + tolerance);
  if (status == MFFT_SUCCESS && t->edge[0] <= 0) t->edge[0] = DBL_MIN;
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    status = mfft_mesh_wave_numbers(mesh, a, &t->k[a]);
    if (status == MFFT_SUCCESS) status = invert_window(mesh, a, compensation, order, &t->inverse[a]);
  }
  return status;
}

void mfft_bin_tables_destroy(mfft_bin_tables *t) {
  mfft_free(t->edge);
  for (int a = 0; a < 3; a++) {
    mfft_free(t->k[a]);
    mfft_free(t->inverse[a]);
  }
  memset(t, 0, sizeof *t);
}

mfft_status mfft_bins_add(const mfft_mesh *mesh, mfft_mesh_plan *p, mfft_compensation compensation, int order,
                          mfft_bins *bins) {
  mfft_bin_tables tables;
  mfft_status status = mfft_bin_tables_create(mesh, bins, compensation, order, &tables);
  mfft_progress_start("counting modes", 0);
  if (status == MFFT_SUCCESS) {
    mfft_shells shells;
    mfft_shells_init(&shells);
    shells.count = bins->count;
    shells.edge = tables.edge;
    for (int a = 0; a < 3; a++) {
      shells.radius[a] = tables.k[a];
      shells.weight[a] = tables.inverse[a];
    }
    status = mfft_plan_shells(p->plan, &shells, p->modes.plan, bins->modes, bins->k, bins->power);
  }
  mfft_bin_tables_destroy(&tables);
  return status;
}

/* Adds up over all ranks and divides by the number of modes, times `scale`. */
static void finish_sums(const mfft_bins *bins, double scale, double *sums) {
  if (!sums) return;
  mfft_app_reduce(sums, bins->count, MPI_DOUBLE, MPI_SUM, "adding up the bins");
  for (int b = 0; b < bins->count; b++)
    if (bins->modes[b]) sums[b] *= scale / (double)bins->modes[b];
}

void mfft_bins_finish(mfft_bins *bins, double scale, const double own[2]) {
  mfft_app_reduce(bins->modes, bins->count, MPI_INT64_T, MPI_SUM, "adding up the bins");
  finish_sums(bins, 1, bins->k);
  for (int b = 0; b < bins->count && bins->mean_of_logs; b++) bins->k[b] = exp(bins->k[b]);
  finish_sums(bins, scale, bins->power);
  for (int i = 0; i < bins->poles; i++) finish_sums(bins, scale, bins->pole[i]);
  for (int i = 0; i < 2 && own; i++) finish_sums(bins, own[i], bins->own[i]);
  for (int b = 0; b < bins->count && bins->independent; b++) bins->modes[b] /= 2;
}
