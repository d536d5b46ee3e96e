/* exact_sum.h: exact sums (mfft_array.h) over all ranks, so that the mean of a field has the same bits for every number of
 * ranks, every order and every size of parts, however much larger than the field's variation it is. */
#ifndef MFFT_APPS_EXACT_SUM_H
#define MFFT_APPS_EXACT_SUM_H

#include "mfft_array.h"

/* Makes the sum that of all ranks.  Collective. */
void mfft_exact_gather(mfft_exact_sum *sum);

/* The sum over all ranks of `count` values here, or of their squares.  Collective. */
double mfft_exact_total(const double *value, int64_t count, int squares);

#endif
