/* modes.h: sums over modes that mfft_plan_shells does not have: multipoles, cross spectra, means of ln k. */
#ifndef MFFT_APPS_MODES_H
#define MFFT_APPS_MODES_H

#include "power/bins.h"

/* Copies plan->modes to host memory, [cells of the box of modes][2]; the caller frees it with mfft_free.  Collective. */
mfft_status mfft_modes_copy(mfft_mesh_plan *plan, double **array);

/* Adds this rank's modes to all sums of the bins: P = Re(first conj(plan->modes)) / window, and for each multipole P (2 l +
 * 1) L_l(mu), with the Legendre polynomial L_l and the cosine mu of the angle between k and los, of a component
 * at the Nyquist wave number the mean over both signs.  first: a copy by
 * mfft_modes_copy, or NULL for the power of plan->modes itself.  order: of the windows of both; that of a cross spectrum is
 * the geometric mean of those of the powers.  Not collective. */
mfft_status mfft_modes_add(const mfft_mesh *mesh, mfft_mesh_plan *plan, const double *first, const double los[3],
                           mfft_compensation compensation, const int order[2], mfft_bins *bins);

#endif
