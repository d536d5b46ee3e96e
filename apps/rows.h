/* rows.h: rows of stored numbers of any precision, read and written as doubles, so that the arithmetic of the applications
 * is written once.  Double rows are copied too: the row stays in the first cache. */
#ifndef MFFT_APPS_ROWS_H
#define MFFT_APPS_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "mfft.h"

/* Bytes of one stored real. */
size_t mfft_row_real_bytes(mfft_precision precision);

/* The unit roundoff of a precision: 2^-53, 2^-24, 2^-11, 2^-8. */
double mfft_row_epsilon(mfft_precision precision);

/* Reads or writes `count` reals from element `first` of `array` on. */
void mfft_row_load(mfft_precision precision, const void *array, int64_t first, int64_t count, double *row /* [count] */);
void mfft_row_store(mfft_precision precision, void *array, int64_t first, int64_t count, const double *row /* [count] */);

#endif
