/* bins.h: shells in k-space and what `mergefft power` sums in them. */
#ifndef MFFT_APPS_BINS_H
#define MFFT_APPS_BINS_H

#include <stdint.h>

#include "mesh/mesh.h"
#include "mesh/window.h"

/* Shell b holds the modes with edge[b] <= |k| < edge[b + 1].  A |k| within a relative 1e-12 of an edge counts as on it, so
 * that the rounding of |k| cannot move a mode: counts are exact integers, the same for all modes of equal |k|. */
typedef struct mfft_bins {
  int count;
  int logarithmic;
  double *edge;   /* [count + 1] */
  int64_t *modes; /* [count] modes of the whole complex array, both halves */
  double *k;      /* [count] sum of |k|, after mfft_bins_finish its mean */
  double *power;  /* [count] sum of the power, after finish its mean */
} mfft_bins;

/* Shells from k_min: `count` of them, of equal width `width`, or of equal ratio exp(width). */
mfft_status mfft_bins_create(int count, int logarithmic, double k_min, double width, mfft_bins *bins);
void mfft_bins_destroy(mfft_bins *bins); /* accepts half-built and zeroed ones */

/* The same as edges for mfft_plan_shells, which compares exactly: a little lower, and above k = 0, which is no mode. */
void mfft_bins_shells(const mfft_bins *bins, double *edge /* [count + 1] */);

/* Adds up the modes of this rank, |mode|^2 / window, of plan->modes, where the plan has them.  Not collective. */
mfft_status mfft_bins_add(const mfft_mesh *mesh, mfft_mesh_plan *plan, mfft_compensation compensation, int order,
                          mfft_bins *bins);

/* Sums over the ranks, makes means, multiplies the power by `scale`.  Collective. */
void mfft_bins_finish(mfft_bins *bins, double scale);

#endif
