/* label.h: numbers as the labels of axes. */
#ifndef MFFT_APPS_LABEL_H
#define MFFT_APPS_LABEL_H

#include "plot/ticks.h"

enum { MFFT_LABEL_BYTES = 64 };

/* A number with at most `digits` significant ones: 0.25, 1000, and by powers of ten below 0.001 and from 10^digits
 * on: 2.5·10⁻⁵ and 10⁶, in UTF-8. */
void mfft_label_number(double value, int digits, char text[MFFT_LABEL_BYTES]);

/* The label of tick i.  If one number of the axis is written by a power of ten, all are, but those from 0.1 to 100. */
void mfft_label_tick(const mfft_ticks *ticks, int i, int digits, char text[MFFT_LABEL_BYTES]);

/* A whole number as a size: 1024, from 16384 on 2¹⁴ if it is a power of two, else as above. */
void mfft_label_size(double value, char text[MFFT_LABEL_BYTES]);

/* The prefix of the SI, from "n" to "P", in whose unit `value` is at least 1 and below 1000, and the size of that unit.
 * Beyond the prefixes it is the last, and of 0 and NAN none: "" and 1. */
const char *mfft_label_prefix(double value, double *size);

#endif
