/* lengths.h: which lengths can be transformed, and how long ones are cut into factors. */
#ifndef MFFT_CUDA_LENGTHS_H
#define MFFT_CUDA_LENGTHS_H

#include "base/status.h"

enum { MFFT_MAX_FACTORS = 4 };

/* The largest prime that a butterfly merges. */
enum { MFFT_LARGEST_RADIX_PRIME = 31 };

/* What remains of n without its prime factors up to 31, of which butterflies are made. */
int64_t mfft_rest_of_length(int64_t n);

/* MFFT_ERR_UNSUPPORTED for lengths that are too long. */
mfft_status mfft_check_length(int64_t n);

/* The same, and for lengths that have other prime factors. */
mfft_status mfft_check_smooth(int64_t n);

/* Splits n into `parts` factors of at most `most`, the largest as small as can be.  Returns that largest, or 0. */
int64_t mfft_split_into(int64_t n, int parts, int64_t most, int64_t factor[MFFT_MAX_FACTORS]);

#endif
