/* linear.h: a Gaussian linear density, mode by mode. */
#ifndef MFFT_APPS_LINEAR_H
#define MFFT_APPS_LINEAR_H

#include "gen/cosmology.h"
#include "mesh/mesh.h"

/* Fills plan->modes with the unscaled transform of a density contrast with this power spectrum: white noise by wave number
 * (mfft_plan_fill_modes) times sqrt(P(k) / V) cells.  Modes at n/2 of an even n are 0, so that a finer mesh has all modes of
 * a coarser one.  The mesh is a cube, of cells and lengths.  Collective. */
mfft_status mfft_linear_modes(const mfft_spectrum *spectrum, uint64_t seed, const mfft_mesh *mesh, mfft_mesh_plan *plan);

#endif
