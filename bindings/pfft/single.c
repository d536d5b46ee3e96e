/* single.c: the functions whose names begin with pfftf_. */
#define PX(name)   pfftf_##name
#define FFTW(name) fftwf_##name
#define PREFIX     "fftwf"
#define R          float
#define C          pfftf_complex
#define PRECISION  MFFT_SINGLE
#include "api.inc"
