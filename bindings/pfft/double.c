/* double.c: the functions whose names begin with pfft_. */
#define PX(name)   pfft_##name
#define FFTW(name) fftw_##name
#define PREFIX     "fftw"
#define R          double
#define C          pfft_complex
#define PRECISION  MFFT_DOUBLE
#include "api.inc"
