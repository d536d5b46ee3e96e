/* linear.h: the Gaussian linear density of a LambdaCDM universe, mode by mode, and the options of its parameters. */
#ifndef MFFT_APPS_LINEAR_H
#define MFFT_APPS_LINEAR_H

#include "gen/cosmology.h"
#include "mesh/mesh.h"

/* Options whose values are in an mfft_cosmology.  Without --omega-lambda its value is NAN. */
extern const mfft_cli_option mfft_linear_options_table[];

/* Fills plan->modes with the unscaled transform of a density contrast with the linear power spectrum at the redshift: white
 * noise by wave number (mode_noise.h) times sqrt(P(k) / V) times the number of cells.  Modes at n/2 of an even n are 0, so
 * that a finer mesh has all modes of a coarser one.  The mesh and the box must be cubes.  Collective. */
mfft_status mfft_linear_modes(const mfft_cosmology *cosmology, double redshift, uint64_t seed, const mfft_mesh *mesh,
                              mfft_mesh_plan *plan);

#endif
