/* bins.h: shells in k-space and the sums over their modes that `mergefft power` measures. */
#ifndef MFFT_APPS_BINS_H
#define MFFT_APPS_BINS_H

#include <stdint.h>

#include "mesh/mesh.h"
#include "mesh/window.h"

enum { MFFT_POLES_MOST = 8 };

/* Shell b has the modes with edge[b] <= |k| < edge[b + 1].  A |k| within a relative 1e-12 of an edge counts as equal to it,
 * so that rounding cannot move a mode to another shell: counts are exact, and modes of equal |k| are in one shell. */
typedef struct mfft_bins {
  int count;
  int logarithmic;
  double *edge;   /* [count + 1] */
  int64_t *modes; /* [count] number of modes, k and -k both counted */
  double *k;      /* [count] sum of |k|, after mfft_bins_finish its mean */
  double *power;  /* [count] sum of the power, after finish its mean */

  /* NULL or 0 unless set by mfft_bins_extend or the caller: */
  int mean_of_logs; /* 1: k is exp of the mean of ln |k|, as in GADGET-4 */
  int independent;  /* 1: modes k and -k count as one, as in Pylians */
  int poles, ell[MFFT_POLES_MOST];
  double *pole[MFFT_POLES_MOST]; /* [poles][count] multipoles ell of the power: sums, after finish means */
  double *own[2];                /* [2][count] cross spectra only: the power of each of the two fields */
} mfft_bins;

/* Makes `count` shells from k_min on, of equal width `width`, or of equal ratio exp(width). */
mfft_status mfft_bins_create(int count, int logarithmic, double k_min, double width, mfft_bins *bins);
/* Allocates multipoles and, for a cross spectrum, the powers of both fields. */
mfft_status mfft_bins_extend(mfft_bins *bins, const int *ell /* [poles] */, int poles, int cross);
void mfft_bins_destroy(mfft_bins *bins); /* accepts half-built and zeroed objects */

/* Tables of a mesh that sums over the shells of bins read. */
typedef struct mfft_bin_tables {
  double *k[3], *inverse[3]; /* [axis][modes of the axis] wave numbers; 1 / window */
  double *edge; /* [count + 1] lower than those of the bins by the tolerance, and above k = 0, which is not counted: sums
                 * compare |k| with them exactly */
} mfft_bin_tables;

/* Not collective.  destroy accepts half-built and zeroed objects. */
mfft_status mfft_bin_tables_create(const mfft_mesh *mesh, const mfft_bins *bins, mfft_compensation compensation, int order,
                                   mfft_bin_tables *tables);
void mfft_bin_tables_destroy(mfft_bin_tables *tables);

/* Adds |mode|^2 / window of all modes of this rank in plan->modes, in the memory of the plan.  Not collective. */
mfft_status mfft_bins_add(const mfft_mesh *mesh, mfft_mesh_plan *plan, mfft_compensation compensation, int order,
                          mfft_bins *bins);

/* Adds up over all ranks and divides by the number of modes; multiplies power and multipoles by `scale`, and own[i] of a
 * cross spectrum by own[i] (otherwise NULL).  Collective. */
void mfft_bins_finish(mfft_bins *bins, double scale, const double own[2]);

#endif
