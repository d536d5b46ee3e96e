/* bins.h: shells in k-space and what `mergefft power` sums in them. */
#ifndef MFFT_APPS_BINS_H
#define MFFT_APPS_BINS_H

#include <stdint.h>

#include "mesh/mesh.h"
#include "mesh/window.h"

enum { MFFT_POLES_MOST = 8 };

/* Shell b holds the modes with edge[b] <= |k| < edge[b + 1].  A |k| within a relative 1e-12 of an edge counts as on it, so
 * that the rounding of |k| cannot move a mode: counts are exact integers, the same for all modes of equal |k|. */
typedef struct mfft_bins {
  int count;
  int logarithmic;
  double *edge;   /* [count + 1] */
  int64_t *modes; /* [count] modes of the whole complex array, both halves */
  double *k;      /* [count] sum of |k|, after mfft_bins_finish its mean */
  double *power;  /* [count] sum of the power, after finish its mean */

  /* Left out, or 0, unless mfft_bins_extend has asked for them: */
  int mean_of_logs; /* 1: k is exp of the mean of ln |k|, as in GADGET-4 */
  int independent;  /* 1: modes k and -k count as one, as in Pylians */
  int poles, ell[MFFT_POLES_MOST];
  double *pole[MFFT_POLES_MOST]; /* [poles][count] multipoles ell of the power, in the same way */
  double *own[2];                /* [2][count] of a cross spectrum: the power of each of the two */
} mfft_bins;

/* Shells from k_min: `count` of them, of equal width `width`, or of equal ratio exp(width). */
mfft_status mfft_bins_create(int count, int logarithmic, double k_min, double width, mfft_bins *bins);
/* Room for multipoles, and for the powers of both spectra of a cross spectrum. */
mfft_status mfft_bins_extend(mfft_bins *bins, const int *ell /* [poles] */, int poles, int cross);
void mfft_bins_destroy(mfft_bins *bins); /* accepts half-built and zeroed ones */

/* The same as edges for mfft_plan_shells, which compares exactly: a little lower, and above k = 0, which is no mode. */
void mfft_bins_shells(const mfft_bins *bins, double *edge /* [count + 1] */);

/* 1 / window of each mode of one axis, to be freed with mfft_free. */
mfft_status mfft_bins_inverse(const mfft_mesh *mesh, int axis, mfft_compensation compensation, int order, double **inverse);

/* Adds up the modes of this rank, |mode|^2 / window, of plan->modes, where the plan has them.  Not collective. */
mfft_status mfft_bins_add(const mfft_mesh *mesh, mfft_mesh_plan *plan, mfft_compensation compensation, int order,
                          mfft_bins *bins);

/* Sums over the ranks, makes means, multiplies power and multipoles by `scale`, and the powers of a cross spectrum's two by
 * own[i]; NULL where there are none.  Collective. */
void mfft_bins_finish(mfft_bins *bins, double scale, const double own[2]);

#endif
