/* noise.h: the numbers that transforms are timed on: uniform in [-0.5, 0.5), a function of the index in the array.
 *
 * A table of independent numbers is read in chunks, each from an offset given by the number of the chunk: filling an array
 * is a copy, and no period of it divides a length. */
#ifndef MFFT_APPS_NOISE_H
#define MFFT_APPS_NOISE_H

#include "mfft.h"

double mfft_noise(uint64_t place);

/* Writes the numbers of `count` positions from `place` on, times amplitude, as reals of a precision.  Its table is static;
 * not thread-safe. */
mfft_status mfft_noise_store(mfft_precision precision, double amplitude, uint64_t place, int64_t count, void *to);

#endif
