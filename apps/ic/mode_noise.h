/* mode_noise.h: Gaussian random modes that are a function of the seed and the wave number alone.
 *
 * A mode (mx, my, mz) gets the same numbers on a mesh of any size and on any number of ranks, so that a simulation of higher
 * resolution has all waves of a coarser one with the same seed.  White noise drawn cell by cell (mfft_plan_fill_normal) does
 * not have this property: another mesh is another realisation. */
#ifndef MFFT_APPS_MODE_NOISE_H
#define MFFT_APPS_MODE_NOISE_H

#include <stdint.h>

/* Draws *re + i *im with <re^2> = <im^2> = 1/2.  The value at (-mx, -my, -mz) is the conjugate, as for a real field; the
 * value at (0, 0, 0) is 0.  |m| < 2^31. */
void mfft_mode_noise(uint64_t seed, int64_t mx, int64_t my, int64_t mz, double *re, double *im);

#endif
