/* lengths.h: which lengths can be transformed, and how long ones are cut into factors. */
#ifndef MFFT_CUDA_LENGTHS_H
#define MFFT_CUDA_LENGTHS_H

#include "base/status.h"

enum { MFFT_MAX_FACTORS = 4 };

/* What remains of n without its factors 2, 3, 5, 7, 11 and 13, of which butterflies are made. */
int64_t mfft_rest_of_length(int64_t n);

/* MFFT_ERR_UNSUPPORTED for lengths that are too long or have other prime factors. */
mfft_status mfft_check_length(int64_t n);

/* Splits n into `parts` factors of at most `most`, the largest as small as can be.  Returns that largest, or 0. */
int64_t mfft_split_into(int64_t n, int parts, int64_t most, int64_t factor[MFFT_MAX_FACTORS]);

#endif
