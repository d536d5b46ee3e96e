/* lengths.h: which lengths can be transformed, and how long ones are cut into factors. */
#ifndef MFFT_CUDA_LENGTHS_H
#define MFFT_CUDA_LENGTHS_H

#include "base/status.h"

enum { MFFT_MAX_FACTORS = 4 };

/* The largest prime that a butterfly merges. */
enum { MFFT_LARGEST_RADIX_PRIME = 31 };

/* The quotient of n and all its prime factors up to 31, for which there are butterflies. */
int64_t mfft_rest_of_length(int64_t n);

/* Complexes that one pass holds of a real line of n numbers, n odd: about half as many, (A + 1) / 2 of each A elements
 * (kernels/butterfly/odd.cu). */
int64_t mfft_held_of_odd(int64_t n);

/* Returns MFFT_ERR_UNSUPPORTED for lengths that are too long for the engine. */
mfft_status mfft_check_length(int64_t n);

/* Does the same, and refuses lengths with prime factors above 31, too. */
mfft_status mfft_check_smooth(int64_t n);

/* Splits n into `parts` factors of at most `most`, so that the largest is as small as possible.  Returns the largest; 0:
 * there is no such split. */
int64_t mfft_split_into(int64_t n, int parts, int64_t most, int64_t factor[MFFT_MAX_FACTORS]);

#endif
