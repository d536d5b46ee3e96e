/* output.h: an array of a plan into a dataset of a file. */
#ifndef MFFT_APPS_OUTPUT_H
#define MFFT_APPS_OUTPUT_H

#include "io/sweep.h"
#include "mfft_field.h"

/* Writes the array, of MFFT_SINGLE or MFFT_DOUBLE, part by part.  *largest, unless NULL, becomes the largest magnitude of it
 * on all ranks, INFINITY where a value is NaN: the file is not committed yet, so the caller may still refuse it.
 * Collective. */
mfft_status mfft_output_put(mfft_field_file file, int dataset, mfft_precision precision, mfft_swept *array, double *largest);

#endif
