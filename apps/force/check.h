/* check.h: errors of mesh forces, by comparison with a direct Ewald sum for some particles. */
#ifndef MFFT_APPS_FORCE_CHECK_H
#define MFFT_APPS_FORCE_CHECK_H

#include "catalogue/catalogue.h"

/* Relative errors |a - a_Ewald|/|a_Ewald| of the drawn particles. */
typedef struct mfft_force_errors {
  int64_t count;
  double median, ninety, worst; /* 50 %, 90 % and 100 % quantiles */
} mfft_force_errors;

/* Draws `wanted` different particles by a seed, all if there are no more, and compares their accelerations.  gravity: G in
 * units of the accelerations and of stored masses and lengths.  Collective. */
mfft_status mfft_force_check(const mfft_catalogue *catalogue, const double *acceleration /* [count][3] of the share */,
                             double gravity, int64_t wanted, uint64_t seed, mfft_force_errors *errors);

#endif
