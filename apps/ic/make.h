/* make.h: initial conditions: the density, the displacements by it, and the files of both. */
#ifndef MFFT_APPS_IC_MAKE_H
#define MFFT_APPS_IC_MAKE_H

#include "ic/lattice.h"
#include "ic/lpt.h"
#include "ic/settings.h"
#include "mfft_field.h"
#include "nbody/background.h"

/* All but the files.  info: the field of --delta, else not read.  lpt and lattice have their mesh, and lpt its plan, of
 * mfft_mesh_filtered_create.  Collective. */
mfft_status mfft_ic_compute(const mfft_ic_values *values, const mfft_background *background, const mfft_field_info *info,
                            mfft_lpt *lpt, mfft_lattice *lattice);

/* Makes and writes them, and prints a line about them.  Collective. */
mfft_status mfft_ic_make(const mfft_ic_values *values, const mfft_background *background, const mfft_field_info *info,
                         const mfft_mesh *mesh, mfft_mesh_plan *plan);

#endif
