/* modes.h: sums over the modes of one or two spectra that mfft_plan_shells does not make: multipoles, cross spectra, means
 * of ln k. */
#ifndef MFFT_APPS_MODES_H
#define MFFT_APPS_MODES_H

#include "power/bins.h"

/* A copy of plan->modes in host memory, [cells of the box of modes][2], to be freed with mfft_free.  Collective. */
mfft_status mfft_modes_keep(mfft_mesh_plan *plan, double **kept);

/* Adds this rank's modes to all sums of the bins: Re(first conj(plan->modes)) / window, and of it times (2 l + 1) L_l(mu)
 * for each multipole, with the Legendre polynomial L_l and mu the cosine between k and los.  first: what mfft_modes_keep has
 * made, or NULL for the power of plan->modes itself.  Not collective. */
mfft_status mfft_modes_add(const mfft_mesh *mesh, mfft_mesh_plan *plan, const double *first, const double los[3],
                           mfft_compensation compensation, int order, mfft_bins *bins);

#endif
