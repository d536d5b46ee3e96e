/* estimate.h: the memory and time of a spectrum, estimated before it is measured. */
#ifndef MFFT_APPS_POWER_ESTIMATE_H
#define MFFT_APPS_POWER_ESTIMATE_H

#include "power/result.h"

/* --dry-run, once the inputs have been opened and the mesh is known.  Makes a plan without arrays, which it frees.
 * Collective. */
mfft_status mfft_power_estimate(const mfft_power_job *job, const mfft_power_result *result);

#endif
