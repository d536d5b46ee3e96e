/* long_double.c: the functions whose names begin with fftwl_. */
#define FFTW(name)     fftwl_##name
#define F77(name, end) lfftw_##name##end
#define R              long double
#define C              fftwl_complex
#define PREFIX         "fftwl"
#define PRECISION      MFFT_LONG_DOUBLE
#include "api.inc"
