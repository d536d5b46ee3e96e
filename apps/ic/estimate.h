/* estimate.h: the memory, disk space and time of initial conditions, for --dry-run. */
#ifndef MFFT_APPS_IC_ESTIMATE_H
#define MFFT_APPS_IC_ESTIMATE_H

#include "ic/settings.h"
#include "mesh/mesh.h"
#include "mfft_field.h"
#include "nbody/background.h"

/* Prints the estimate.  info: the field of --delta, else not read; plan: of mfft_mesh_filtered_outline.  Collective. */
mfft_status mfft_ic_estimate(const mfft_ic_values *values, const mfft_background *background, const mfft_field_info *info,
                             const mfft_mesh *mesh, const mfft_mesh_plan *plan);

#endif
