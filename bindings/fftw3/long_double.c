/* long_double.c: fftwl_ names. */
#define FFTW(name)     fftwl_##name
#define F77(name, end) lfftw_##name##end
#define R              long double
#define C              fftwl_complex
#define PREFIX         "fftwl"
#define PRECISION      MFFT_LONG_DOUBLE
#include "api.inc"
