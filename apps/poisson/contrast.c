/* contrast.c: see contrast.h. */
#include "poisson/contrast.h"

#include <math.h>

#include "cli/report.h"

mfft_status mfft_contrast_factor(int kind, const char *input, double mean, double deviation, double *factor) {
  *factor = 1;
  if (kind != MFFT_FIELD_DENSITY) return MFFT_SUCCESS;
  if (!(mean > 1e-12 * deviation) || !isfinite(1 / mean))
    return mfft_app_fail(
        MFFT_ERR_ARG,
        "the mean of '%s' is %.3g, with a standard deviation of %.3g, and a density is divided by its mean, "
        "which must be positive; is it a contrast (--field contrast)?",
        input, mean, deviation);
  *factor = 1 / mean;
  return MFFT_SUCCESS;
}

mfft_status mfft_contrast_plausible(const char *input, double mean, double deviation, double cells, const char *remedy) {
  if (fabs(mean) <= fmax(0.1, 5 * deviation / sqrt(cells))) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG, "the mean of '%s' is %.6g, but that of a density contrast is near 0; %s", input, mean,
                       remedy);
}
