/* exact_sum.h: sums of doubles that are never rounded, so that the mean of a field has the same bits for every number of
 * ranks, every order and every size of parts, however much larger than the field's variation it is.
 *
 * The sum is a fixed-point number that is wide enough for any double: the small superaccumulator of R. M. Neal, Fast exact
 * summation using small and large superaccumulators, arXiv:1505.05571 (2015). */
#ifndef MFFT_APPS_EXACT_SUM_H
#define MFFT_APPS_EXACT_SUM_H

#include <stdint.h>

/* 2098 bits hold the finite doubles, and the rest sums of 2^64 of them. */
enum { MFFT_EXACT_LIMBS = 68 };

/* Zeroed: 0. */
typedef struct mfft_exact_sum {
  int64_t limb[MFFT_EXACT_LIMBS]; /* the sum is that of limb[i] 2^(32 i - 1074) */
  int64_t infinite[2], nan;       /* how many infinities, [positive, negative], and NaNs were added */
  int pending;                    /* additions since carries were last propagated */
} mfft_exact_sum;

void mfft_exact_add(mfft_exact_sum *sum, const double *values /* [count] */, int64_t count);

/* Makes the sum that of all ranks.  Collective. */
void mfft_exact_gather(mfft_exact_sum *sum);

/* The double next to the sum, and in *rest what is then missing, rounded to a double; infinite or NaN (and *rest 0) where
 * such values were added or the sum is beyond a double.  rest may be NULL. */
double mfft_exact_value(const mfft_exact_sum *sum, double *rest);

/* The same of the sum over `count` < 2^53, with a relative error of 2^-100 or so. */
double mfft_exact_mean(const mfft_exact_sum *sum, double count, double *rest);

#endif
