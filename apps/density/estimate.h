/* estimate.h: the memory, disk space and time of densities of particles, for --dry-run. */
#ifndef MFFT_APPS_DENSITY_ESTIMATE_H
#define MFFT_APPS_DENSITY_ESTIMATE_H

#include "catalogue/spread.h"
#include "density/settings.h"

/* Prints the estimate for so many datasets.  spread: not begun, with a plan of mfft_mesh_plan_outline.  Collective. */
mfft_status mfft_density_estimate(const mfft_density_values *values, int datasets, mfft_spread *spread);

#endif
