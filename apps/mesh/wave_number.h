/* wave_number.h: wave numbers of one axis of a mesh, and sines of their phases. */
#ifndef MFFT_APPS_WAVE_NUMBER_H
#define MFFT_APPS_WAVE_NUMBER_H

#include <stdint.h>

#define MFFT_PI 3.14159265358979323846264338327950288

/* The wave number in (-n/2, n/2] that equals m modulo n. */
int64_t mfft_signed_mode(int64_t m, int64_t n);

/* 1 for the Nyquist wave number n/2 of an even n. */
int mfft_is_nyquist(int64_t m, int64_t n);

/* sin(pi a / n).  The argument is reduced to [-1/2, 1/2] half turns in integers, so that zeros are exact. */
double mfft_sin_pi(int64_t a, int64_t n);

#endif
