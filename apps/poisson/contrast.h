/* contrast.h: what a field is, a density or a density contrast rho / mean - 1, for commands that work on the contrast. */
#ifndef MFFT_APPS_CONTRAST_H
#define MFFT_APPS_CONTRAST_H

#include "mfft.h"

/* The places of the words of --field. */
enum { MFFT_FIELD_CONTRAST, MFFT_FIELD_DENSITY };
#define MFFT_FIELD_KINDS "contrast|density"

/* What the field without its mean is multiplied by to be the contrast: 1 of a contrast, 1 / mean of a density, whose mean is
 * refused (MFFT_ERR_ARG) where it is not positive or is rounding beside the deviation.  input: the file, for the message. */
mfft_status mfft_contrast_factor(int kind, const char *input, double mean, double deviation, double *factor);

/* MFFT_ERR_ARG where what is called a contrast has a mean far from 0, as a density has: beyond 0.1, and beyond five times
 * what the mean of so many independent cells may be by chance. */
mfft_status mfft_contrast_plausible(const char *input, double mean, double deviation, double cells);

#endif
