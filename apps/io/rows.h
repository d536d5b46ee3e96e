/* rows.h: rows of stored numbers of any precision, read and written as doubles, so that the arithmetic of the applications
 * is written once; those of long double are rounded to double when they are read.  Double rows are copied too: the row stays
 * in the first cache. */
#ifndef MFFT_APPS_ROWS_H
#define MFFT_APPS_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/precision.h"
#include "mfft.h"

/* The unit roundoff of a precision: 2^-53, 2^-24, 2^-11, 2^-8; of long double that of the machine. */
double mfft_row_epsilon(mfft_precision precision);

/* 1 if a field varies by no more than the rounding of values as large as its mean, in the precision in which it was once
 * stored. */
int mfft_row_uniform(mfft_precision precision, double mean, double deviation);

/* The smallest positive number that has all its digits, and the largest finite one. */
double mfft_row_smallest_normal(mfft_precision precision);
double mfft_row_largest_finite(mfft_precision precision);

/* Reads or writes `count` reals from element `first` of `array` on. */
void mfft_row_load(mfft_precision precision, const void *array, int64_t first, int64_t count, double *row /* [count] */);
void mfft_row_store(mfft_precision precision, void *array, int64_t first, int64_t count, const double *row /* [count] */);

/* The sum of a[i] b[i], always added up in the same order. */
double mfft_row_dot(const double *a /* [count] */, const double *b /* [count] */, int64_t count);

/* product[v] is mfft_row_dot of the row and vector v, to the last bit. */
void mfft_row_products(const double *row /* [count] */, const double *const vector[] /* [vectors][count] */, int vectors,
                       int64_t count, double *product /* [vectors] */);

/* The largest magnitude of a row, INFINITY where it holds a NaN; 0 of no elements. */
double mfft_row_magnitude(const double *row /* [count] */, int64_t count);

#endif
