/* bins.c: see bins.h. */
#include "bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "report.h"

static const double slack = 1e-12; /* many times the rounding of |k| and of an edge */

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

void mfft_bins_destroy(mfft_bins *bins) {
  free(bins->edge);
  free(bins->modes);
  free(bins->k);
  free(bins->power);
  memset(bins, 0, sizeof *bins);
}

int mfft_bins_find(const mfft_bins *bins, double k) {
  const double *edge = bins->edge;
  int last = bins->count - 1;
  double upper = k * (1 + slack); /* what is on an edge, give or take, belongs above it */
  if (!(upper >= edge[0]) || upper >= edge[bins->count]) return -1;
  double guess = bins->logarithmic ? log(k / edge[0]) / log(edge[1] / edge[0]) : (k - edge[0]) / (edge[1] - edge[0]);
  int b = guess < 0 ? 0 : guess > last ? last : (int)guess;
  while (b > 0 && upper < edge[b]) b--;
  while (b < last && upper >= edge[b + 1]) b++;
  return b;
}

/* Jing 2005, ApJ 620, 559: the sum over all aliases of sinc^2p, as a polynomial of s = sin^2(pi m / n). */
static double alias_sum(int order, double s) {
  static const double c[5][4] = {
      {1, 0, 0, 0}, {1, 0, 0, 0}, {1, -2.0 / 3, 0, 0}, {1, -1, 2.0 / 15, 0}, {1, -4.0 / 3, 2.0 / 5, -4.0 / 315}};
  return c[order][0] + s * (c[order][1] + s * (c[order][2] + s * c[order][3]));
}

double mfft_window_power(mfft_compensation compensation, int order, int64_t m, int64_t n) {
  const double pi = 3.14159265358979323846;
  double x = pi * (double)m / (double)n;
  if (compensation == MFFT_COMPENSATE_NONE || order == 0 || m == 0) return 1;
  if (compensation == MFFT_COMPENSATE_JING) return alias_sum(order, sin(x) * sin(x));
  return pow(sin(x) / x, 2 * order);
}

typedef struct adding {
  const mfft_mesh *mesh;
  const mfft_mesh_plan *plan;
  double *inverse[3]; /* [axis][cells of the mode box on that axis] 1 / window */
  mfft_bins *bins;
} adding;

static void add_row(const adding *a, int64_t x, int64_t y, const double *mode) {
  const mfft_mesh_plan *p = a->plan;
  mfft_bins *bins = a->bins;
  double row = p->k[0][x] * p->k[0][x] + p->k[1][y] * p->k[1][y];
  double factor = a->inverse[0][x] * a->inverse[1][y];
  int64_t lo = p->modes.box.lo[2], count = p->modes.box.hi[2] - lo;
  for (int64_t z = 0; z < count; z++, mode += 2) {
    double k = sqrt(row + p->k[2][z] * p->k[2][z]);
    int b = k > 0 ? mfft_bins_find(bins, k) : -1; /* the mean is no mode */
    if (b < 0) continue;
    int weight = mfft_mode_weight(lo + z, a->mesh->n[2]);
    bins->modes[b] += weight;
    bins->k[b] += weight * k;
    bins->power[b] += weight * (mode[0] * mode[0] + mode[1] * mode[1]) * factor * a->inverse[2][z];
  }
}

static mfft_status add_part(void *context, const mfft_box *part, void *data) {
  const adding *a = context;
  const mfft_box *box = &a->plan->modes.box;
  const double *mode = data;
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++, mode += 2 * (box->hi[2] - box->lo[2]))
      add_row(a, x - box->lo[0], y - box->lo[1], mode);
  mfft_progress_step(part->hi[0] - box->lo[0]);
  return MFFT_SUCCESS;
}

mfft_status mfft_bins_add(const mfft_mesh *mesh, mfft_mesh_plan *p, mfft_compensation compensation, int order,
                          mfft_bins *bins) {
  adding a = {mesh, p, {NULL, NULL, NULL}, bins};
  const mfft_box *box = &p->modes.box;
  mfft_status status = MFFT_SUCCESS;
  for (int axis = 0; axis < 3 && status == MFFT_SUCCESS; axis++) {
    int64_t lo = box->lo[axis], hi = box->hi[axis];
    status = mfft_app_alloc(hi - lo, sizeof(double), "window tables", (void **)&a.inverse[axis]);
    for (int64_t i = lo; status == MFFT_SUCCESS && i < hi; i++)
      a.inverse[axis][i - lo] =
          1 / mfft_window_power(compensation, order, mfft_wave_number(i, mesh->n[axis]), mesh->n[axis]);
  }
  mfft_progress_start("counting modes", box->hi[0] - box->lo[0]);
  if (status == MFFT_SUCCESS) status = mfft_sweep(&p->modes, MFFT_SWEEP_READS, add_part, &a);
  for (int axis = 0; axis < 3; axis++) mfft_free(a.inverse[axis]);
  return status;
}

void mfft_bins_finish(mfft_bins *bins, double scale) {
  MPI_Allreduce(MPI_IN_PLACE, bins->modes, bins->count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, bins->k, bins->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, bins->power, bins->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int b = 0; b < bins->count; b++) {
    if (!bins->modes[b]) continue;
    bins->k[b] /= (double)bins->modes[b];
    bins->power[b] *= scale / (double)bins->modes[b];
  }
}
