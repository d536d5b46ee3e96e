/* contrast.h: option --field of commands that compute with a density contrast rho / mean - 1: the file has a density or a
 * contrast. */
#ifndef MFFT_APPS_CONTRAST_H
#define MFFT_APPS_CONTRAST_H

#include "mfft.h"

/* Indices of the words of --field. */
enum { MFFT_FIELD_CONTRAST, MFFT_FIELD_DENSITY };
#define MFFT_FIELD_KINDS "contrast|density"

/* The factor from the field without its mean to the contrast: 1 for a contrast, 1 / mean for a density.  MFFT_ERR_ARG if
 * the mean of a density is not positive, or no larger than rounding relative to the deviation.  input: file, for the
 * message. */
mfft_status mfft_contrast_factor(int kind, const char *input, double mean, double deviation, double *factor);

/* MFFT_ERR_ARG if the mean of a contrast is so far from 0 that the file probably has a density: beyond 0.1 and beyond five
 * standard errors of the mean of independent cells.  remedy: the end of the message. */
mfft_status mfft_contrast_plausible(const char *input, double mean, double deviation, double cells, const char *remedy);

#endif
